package dev.perch.kernel.cpufreq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Expected values: scheduler.md 11, E1 to E6. */
class OndemandTest {
    private static final int[] MHZ = {1596, 1729, 1862, 1995, 2128, 2261, 2394};
    private static final FrequencyTable E5620 = new FrequencyTable(
            java.util.Arrays.stream(MHZ).map(mhz -> mhz * 1000).toArray());
    private static final SamplingRate RATE = SamplingRate.ondemand(true, 250, 10);

    @ParameterizedTest
    @CsvSource({
        "1596, 40, 1596, 1596, 1596, 1596",
        "1596, 41, 1596, 2394, 1596, 2394",
        "1596, 50, 1596, 2394, 1596, 2394",
        "1596, 80, 1596, 2394, 1596, 2394",
        "1596, 92, 1596, 2394, 2394, 2394",
        "1596, 95, 1596, 2394, 2394, 2394",
        "1596, 96, 2394, 2394, 2394, 2394",
        "2394, 30, 1596, 1995, 1596, 2394",
        "2394, 37, 1596, 2394, 1596, 2394",
        "2394, 50, 1596, 2394, 1729, 2394",
        "2394, 60, 1596, 2394, 2128, 2394",
        "2394, 70, 1862, 2394, 2394, 2394",
        "2394, 80, 2128, 2394, 2394, 2394",
        "2394, 92, 2394, 2394, 2394, 2394"
    })
    void requestsTheFrequencyThatCarriesTheLoad(
            int requestMhz, int load, int stock, int lowThreshold, int nohzOff, int lowThresholdNohzOff) {
        assertThat(next(OndemandParameters.atStart(true, RATE), requestMhz, load))
                .isEqualTo(stock);
        assertThat(next(OndemandParameters.atStartWithLowThreshold(true, RATE, 8), requestMhz, load))
                .isEqualTo(lowThreshold);
        assertThat(next(OndemandParameters.atStart(false, RATE), requestMhz, load))
                .isEqualTo(nohzOff);
        assertThat(next(OndemandParameters.atStartWithLowThreshold(false, RATE, 8), requestMhz, load))
                .isEqualTo(lowThresholdNohzOff);
    }

    private static int next(OndemandParameters parameters, int requestMhz, int load) {
        Ondemand governor = new Ondemand(Ondemand.Form.V3_2, parameters, E5620, 250, requestMhz * 1000);
        int request = governor.sample(load(load, 0, requestMhz * 1000));
        assertThat(governor.requestKhz()).isEqualTo(request);
        return request / 1000;
    }

    /** A sample of 10 ms of one CPU. */
    private static PolicyLoad load(int percent, int averageKhz, int requestKhz) {
        PolicyLoad load = new PolicyLoad(1, false, true, false);
        load.begin(10_000);
        load.add(0, 10_000, 10_000 - 100L * percent, 0, 0, averageKhz, requestKhz);
        return load;
    }

    @Test
    void onOneCpuTheThresholdOfSuseIsTheStockOne() {
        assertThat(OndemandParameters.atStartWithLowThreshold(true, RATE, 1))
                .isEqualTo(OndemandParameters.atStart(true, RATE));
    }

    @Test
    void theLoadIsWeighedWithTheClockThatTheHardwareRanAt() {
        assertThat(ondemandAt(2394000).sample(load(60, 2000000, 2394000))).isEqualTo(1596000);

        // scheduler.md 6.2: at 1.6 GHz in a package that runs at 2.4 GHz the request rises above a load of 63 %.
        Ondemand carried = ondemandAt(1596000);
        assertThat(carried.sample(load(63, 2394000, 1596000))).isEqualTo(1596000);
        assertThat(carried.sample(load(64, 2394000, 1596000))).isEqualTo(2394000);
    }

    @ParameterizedTest
    @CsvSource({
        "V3_13, 10, 1596",
        "V3_13, 50, 1596",
        "V3_13, 60, 1596",
        "V3_13, 80, 1995",
        "V3_13, 95, 2394",
        "V3_13, 96, 2394",
        "V4_9, 10, 1729",
        "V4_9, 50, 1995",
        "V4_9, 60, 2128",
        "V4_9, 80, 2261",
        "V4_9, 95, 2394",
        "V4_9, 96, 2394"
    })
    void laterFormsTakeTheLoadAsAShareOfTheClocks(Ondemand.Form form, int load, int mhz) {
        Ondemand governor = new Ondemand(form, OndemandParameters.atStart(true, RATE), E5620, 250, 2394000);

        assertThat(governor.sample(load(load, 0, 2394000))).isEqualTo(mhz * 1000);
    }

    @ParameterizedTest
    @CsvSource({
        "true, 1000, 10, 10000, 10000",
        "true, 250, 20, 20000, 20000",
        "false, 1000, 10, 20000, 20000",
        "false, 250, 10, 80000, 80000",
        "true, 250, 400, 400000, 300000"
    })
    void theSamplingTimeFollowsFromTheTransitionLatency(
            boolean micro, int hz, int latencyUs, long stockUs, long lowThresholdUs) {
        SamplingRate rate = SamplingRate.ondemand(micro, hz, latencyUs);

        assertThat(OndemandParameters.atStart(micro, rate).samplingRateUs()).isEqualTo(stockUs);
        assertThat(OndemandParameters.atStartWithLowThreshold(micro, rate, 8).samplingRateUs())
                .isEqualTo(lowThresholdUs);
    }

    @Test
    void theSchedulerAsksEveryTwoTicksUnlessTheDriverWantsMoreTime() {
        assertThat(SamplingRate.drivenByScheduler(250, 15).rateUs()).isEqualTo(8000);
        assertThat(SamplingRate.drivenByScheduler(1000, 10_000).rateUs()).isEqualTo(10_000);
    }

    @ParameterizedTest
    @CsvSource({"1000, 8, 3", "250, 8, 2", "1000, 1, 10", "250, 1, 3"})
    void samplesOfAllCpusFallOnCommonMultiplesOfTheSamplingTime(int hz, int online, int delay) {
        OndemandParameters parameters = OndemandParameters.atStart(true, SamplingRate.ondemand(true, hz, 10));
        Ondemand governor = new Ondemand(Ondemand.Form.V3_2, parameters, E5620, hz, 1596000);

        assertThat(governor.delayJiffies(123_457, online)).isEqualTo(delay);
    }

    @Test
    void theSamplingTimeIsStretchedAtTheHighestFrequencyOnly() {
        Ondemand governor =
                new Ondemand(Ondemand.Form.V3_2, new OndemandParameters(95, 3, 10_000, 10, 0), E5620, 1000, 1596000);
        assertThat(governor.delayJiffies(0, 8)).isEqualTo(10);

        governor.sample(load(100, 0, 1596000));
        assertThat(governor.delayJiffies(0, 8)).isEqualTo(100);
        governor.sample(load(0, 0, 2394000));
        assertThat(governor.delayJiffies(0, 8)).isEqualTo(10);
    }

    @Test
    void aPowersaveBiasDividesTheSamplingTimeBetweenTwoEntries() {
        Ondemand governor =
                new Ondemand(Ondemand.Form.V3_2, new OndemandParameters(95, 3, 10_000, 1, 100), E5620, 1000, 1596000);

        assertThat(governor.sample(load(100, 0, 1596000))).isEqualTo(2261000);
        assertThat(governor.delayJiffies(0, 8)).isEqualTo(2);
        assertThat(governor.isWithinPeriod()).isTrue();
        assertThat(governor.finishPeriod()).isEqualTo(2128000);
        assertThat(governor.delayJiffies(0, 8)).isEqualTo(8);
        assertThat(governor.isWithinPeriod()).isFalse();
    }

    @Test
    void aPowersaveBiasThatMeetsAnEntryTakesItForTheWholeTime() {
        FrequencyTable table = new FrequencyTable(new int[] {1000, 1500, 2000});
        Ondemand governor =
                new Ondemand(Ondemand.Form.V3_2, new OndemandParameters(95, 3, 10_000, 1, 250), table, 1000, 1000);

        assertThat(governor.sample(load(100, 0, 1000))).isEqualTo(1500);
        assertThat(governor.isWithinPeriod()).isFalse();
        assertThat(governor.delayJiffies(0, 1)).isEqualTo(10);
    }

    @ParameterizedTest
    @EnumSource(Ondemand.Form.class)
    void theRequestIsAlwaysAnEntryAndTheHighestOneUnderFullLoad(Ondemand.Form form) {
        SplittableRandom random = new SplittableRandom(1);
        for (int round = 0; round < 2000; round++) {
            int up = random.nextInt(11, 101);
            OndemandParameters parameters = new OndemandParameters(
                    up, random.nextInt(0, up), random.nextLong(1, 100_000), random.nextInt(1, 5), 0);
            Ondemand governor = new Ondemand(form, parameters, E5620, 250, MHZ[random.nextInt(7)] * 1000);
            for (int sample = 0; sample < 5; sample++) {
                int percent = random.nextInt(0, 101);
                int request = governor.sample(load(percent, 0, governor.requestKhz())) / 1000;
                assertThat(MHZ).contains(request);
                if (percent > up) {
                    assertThat(request).isEqualTo(2394);
                }
            }
        }
    }

    @Test
    void thresholdsAndTimesThatMakeNoSenseAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new OndemandParameters(3, 3, 10_000, 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new OndemandParameters(101, 3, 10_000, 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new OndemandParameters(95, 3, 0, 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new OndemandParameters(95, 3, 10_000, 1, 1001));
    }

    private static Ondemand ondemandAt(int requestKhz) {
        return new Ondemand(Ondemand.Form.V3_2, OndemandParameters.atStart(true, RATE), E5620, 250, requestKhz);
    }
}
