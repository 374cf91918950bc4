package dev.perch.kernel.cpufreq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Expected values: scheduler.md 11, E8 and E9, and the rules of 6.7. */
class SchedutilTest {
    private static final FrequencyTable TABLE = new FrequencyTable(new int[] {800_000, 1_600_000, 2_400_000});

    @ParameterizedTest
    @CsvSource({
        "100, 293.0",
        "205, 600",
        "410, 1200",
        "512, 1500",
        "700, 2050.8",
        "819, 2397.7",
        "820, 2402.3",
        "1024, 3000"
    })
    void leavesAQuarterOfHeadroom(int utilisation, double mhz) {
        assertThat(raw(Schedutil.Form.V5_16, true, demand(utilisation)) / 1000.0)
                .isCloseTo(mhz, within(0.06));
        // in 6.12 the headroom ends at the capacity, which the table would make of it anyway
        assertThat(raw(Schedutil.Form.V6_12, true, demand(utilisation)) / 1000.0)
                .isCloseTo(Math.min(mhz, 2400), within(0.06));
    }

    @Test
    void withoutInvarianceThePresentClockIsTheReference() {
        assertThat(raw(Schedutil.Form.V5_16, false, demand(700)) / 1000.0).isCloseTo(1367.2, within(0.06));
        // 6.7: cur + cur/4 = 2000 MHz, times 875/1024 (E8 says 1367.2 here too, without the headroom of the demand)
        assertThat(raw(Schedutil.Form.V6_12, false, demand(700)) / 1000.0).isCloseTo(1709.0, within(0.06));
    }

    private static long raw(Schedutil.Form form, boolean invariant, CpuDemand demand) {
        Schedutil governor = new Schedutil(form, TABLE, invariant, 1000, 1, 1_600_000);
        governor.begin();
        governor.add(demand);
        return governor.rawKhz();
    }

    private static CpuDemand demand(int fair) {
        CpuDemand demand = new CpuDemand();
        demand.fair = fair;
        return demand;
    }

    @Test
    void clampsBoundTheDemand() {
        CpuDemand capped = demand(300);
        capped.clamped = true;
        capped.clampMax = 256;
        assertThat(capped.withHeadroom(Schedutil.Form.V6_12)).isEqualTo(256);

        CpuDemand lifted = demand(300);
        lifted.clamped = true;
        lifted.clampMin = 400;
        assertThat(lifted.withHeadroom(Schedutil.Form.V6_12)).isEqualTo(400);
    }

    @Test
    void aRunnableRealTimeTaskWithoutClampsMeansAllThereIs() {
        CpuDemand demand = demand(10);
        demand.realTimeRunnable = true;
        assertThat(demand.withHeadroom(Schedutil.Form.V5_16)).isEqualTo(1280);
        assertThat(demand.withHeadroom(Schedutil.Form.V6_12)).isEqualTo(1024);
    }

    @Test
    void interruptsTakeTheirShareFirst() {
        CpuDemand demand = demand(512);
        demand.interrupts = 256;
        // 256 + (1024 - 256) x 512 / 1024 = 640, and a quarter
        assertThat(demand.withHeadroom(Schedutil.Form.V5_16)).isEqualTo(800);
        assertThat(demand.withHeadroom(Schedutil.Form.V6_12)).isEqualTo(800);
    }

    @ParameterizedTest
    @CsvSource({"V5_16, 10, 10000", "V5_16, 5, 5000", "V5_16, 0, 1000", "V6_12, 10, 15", "V6_12, 0, 1000"})
    void changesAreRateLimitedByTheTransitionLatency(Schedutil.Form form, int latencyUs, long delayUs) {
        assertThat(form.transitionDelayUs(latencyUs)).isEqualTo(delayUs);
    }

    @Test
    void nothingChangesBeforeTheRateLimitIsOver() {
        Schedutil governor = new Schedutil(Schedutil.Form.V5_16, TABLE, true, 1000, 1, 800_000);
        assertThat(governor.isDue(0)).isTrue();
        assertThat(update(governor, 5_000_000, 600, true)).isTrue();
        assertThat(governor.requestKhz()).isEqualTo(2_400_000);
        assertThat(governor.isDue(5_999_999)).isFalse();
        assertThat(governor.isDue(6_000_000)).isTrue();
    }

    @Test
    void aBusyCpuOfItsOwnPolicyIsNotSlowedDown() {
        Schedutil alone = new Schedutil(Schedutil.Form.V5_16, TABLE, true, 1000, 1, 2_400_000);
        assertThat(update(alone, 10_000_000, 100, false)).isFalse();
        assertThat(alone.requestKhz()).isEqualTo(2_400_000);
        assertThat(update(alone, 20_000_000, 100, true)).isTrue();
        assertThat(alone.requestKhz()).isEqualTo(800_000);

        Schedutil shared = new Schedutil(Schedutil.Form.V5_16, TABLE, true, 1000, 2, 2_400_000);
        assertThat(update(shared, 10_000_000, 100, false)).isTrue();
    }

    private static boolean update(Schedutil governor, long now, int fair, boolean idle) {
        governor.begin();
        governor.add(demand(fair));
        return governor.decide(now, idle);
    }

    @Test
    void theCpuWithTheLargestShareOfItsCapacityDecidesForThePolicy() {
        Schedutil governor = new Schedutil(Schedutil.Form.V5_16, TABLE, true, 1000, 2, 800_000);
        CpuDemand small = demand(300);
        small.capacity = 512;
        governor.begin();
        governor.add(demand(400));
        governor.add(small);
        assertThat(governor.rawKhz()).isEqualTo(2_400_000L * 375 / 512);
    }

    @ParameterizedTest
    @EnumSource(Schedutil.Form.class)
    void theRequestIsAlwaysAnEntryThatCarriesTheDemandIfAnyDoes(Schedutil.Form form) {
        SplittableRandom random = new SplittableRandom(2);
        Schedutil governor = new Schedutil(form, TABLE, true, 0, 1, 800_000);
        for (int now = 1; now < 20_000; now++) {
            CpuDemand demand = demand(random.nextInt(0, 1025));
            demand.realTime = random.nextInt(0, 200);
            demand.interrupts = random.nextInt(0, 200);
            governor.begin();
            governor.add(demand);
            governor.decide(now, true);
            assertThat(governor.requestKhz()).isIn(800_000, 1_600_000, 2_400_000);
            assertThat((long) governor.requestKhz()).isGreaterThanOrEqualTo(Math.min(governor.rawKhz(), 2_400_000));
        }
    }

    @Test
    void theBoostForInputAndOutputDoublesUntilItIsAllAndHalvesWithoutRequests() {
        IowaitBoost boost = new IowaitBoost(4_000_000);
        int[] expected = {128, 256, 512, 1024, 1024};
        long now = 0;
        for (int value : expected) {
            now += 1_000_000;
            boost.update(now, true);
            boost.update(now, true); // a second request before the first has been applied does not count
            assertThat(boost.apply(now, 1024)).isEqualTo(value);
        }
        for (int value : new int[] {512, 256, 128, 0, 0}) {
            now += 1_000_000;
            boost.update(now, false);
            assertThat(boost.apply(now, 1024)).isEqualTo(value);
        }
    }

    @Test
    void theBoostBeginsAnewAfterATickWithoutUpdates() {
        IowaitBoost boost = new IowaitBoost(4_000_000);
        boost.update(0, true);
        boost.apply(0, 1024);
        boost.update(1_000_000, true);
        assertThat(boost.apply(1_000_000, 512)).isEqualTo(128);

        boost.update(5_000_001, true);
        assertThat(boost.apply(5_000_001, 1024)).isEqualTo(128);
        assertThat(boost.apply(9_000_002, 1024)).isZero();
    }

    @Test
    void theBoostLiftsTheDemand() {
        CpuDemand demand = demand(100);
        demand.iowaitBoost = 512;
        assertThat(demand.withHeadroom(Schedutil.Form.V5_16)).isEqualTo(640);
        assertThat(demand.withHeadroom(Schedutil.Form.V6_12)).isEqualTo(640);
    }
}
