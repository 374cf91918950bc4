package dev.perch.kernel.cpufreq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expected values: scheduler.md 11, E1 to E4. */
class OndemandTest {
    private static final FrequencyTable E5620 =
            new FrequencyTable(new int[] {1596000, 1729000, 1862000, 1995000, 2128000, 2261000, 2394000});

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
        OndemandParameters ticks = OndemandParameters.atStart(false, 250, 10);
        OndemandParameters micro = OndemandParameters.atStart(true, 250, 10);

        assertThat(next(micro, requestMhz, load)).isEqualTo(stock);
        assertThat(next(micro.withThresholds(40, 3), requestMhz, load)).isEqualTo(lowThreshold);
        assertThat(next(ticks, requestMhz, load)).isEqualTo(nohzOff);
        assertThat(next(ticks.withThresholds(40, 10), requestMhz, load)).isEqualTo(lowThresholdNohzOff);
    }

    private static int next(OndemandParameters parameters, int requestMhz, int load) {
        Ondemand governor = new Ondemand(parameters, E5620, 250, requestMhz * 1000);
        int request = governor.sample(10_000, 10_000 - 100L * load, 0);
        assertThat(governor.requestKhz()).isEqualTo(request);
        return request / 1000;
    }

    @Test
    void theLoadIsWeighedWithTheClockThatTheHardwareRanAt() {
        Ondemand slowed = ondemandAt(2394000);
        assertThat(slowed.sample(10_000, 4_000, 2000000)).isEqualTo(1596000);

        // scheduler.md 6.2: at 1.6 GHz in a package that runs at 2.4 GHz the request rises above a load of 63 %.
        Ondemand carried = ondemandAt(1596000);
        assertThat(carried.sample(10_000, 3_700, 2394000)).isEqualTo(1596000);
        assertThat(carried.sample(10_000, 3_600, 2394000)).isEqualTo(2394000);
    }

    @Test
    void aSampleWithoutTimeOrWithMoreIdleTimeThanTimeIsWithoutLoad() {
        assertThat(ondemandAt(2394000).sample(0, 0, 0)).isEqualTo(1596000);
        assertThat(ondemandAt(2394000).sample(10, 11, 0)).isEqualTo(1596000);
    }

    @ParameterizedTest
    @CsvSource({
        "true, 1000, 10, 10000",
        "true, 250, 20, 20000",
        "false, 1000, 10, 20000",
        "false, 250, 10, 80000",
        "true, 250, 400, 400000"
    })
    void theSamplingTimeFollowsFromTheTransitionLatency(boolean micro, int hz, int latencyUs, long rateUs) {
        assertThat(OndemandParameters.atStart(micro, hz, latencyUs).samplingRateUs())
                .isEqualTo(rateUs);
    }

    @ParameterizedTest
    @CsvSource({"1000, 8, 3", "250, 8, 2", "1000, 1, 10", "250, 1, 3"})
    void samplesOfAllCpusFallOnCommonMultiplesOfTheSamplingTime(int hz, int online, int delay) {
        Ondemand governor = new Ondemand(OndemandParameters.atStart(true, hz, 10), E5620, hz, 1596000);

        assertThat(governor.delayJiffies(123_457, online)).isEqualTo(delay);
    }

    @Test
    void theSamplingTimeIsStretchedAtTheHighestFrequencyOnly() {
        Ondemand governor = new Ondemand(new OndemandParameters(95, 3, 10_000, 10), E5620, 1000, 1596000);
        assertThat(governor.delayJiffies(0, 8)).isEqualTo(10);

        governor.sample(10_000, 0, 0);
        assertThat(governor.delayJiffies(0, 8)).isEqualTo(100);
        governor.sample(100_000, 100_000, 0);
        assertThat(governor.delayJiffies(0, 8)).isEqualTo(10);
    }

    @Test
    void thresholdsAndTimesThatMakeNoSenseAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new OndemandParameters(3, 3, 10_000, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new OndemandParameters(101, 3, 10_000, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new OndemandParameters(95, 3, 0, 1));
    }

    @Test
    void theOtherGovernorStaysAtTheHighestFrequency() {
        Governor performance = new Performance(E5620);

        assertThat(performance.requestKhz()).isEqualTo(2394000);
        assertThat(performance.samples()).isFalse();
        assertThat(ondemandAt(1596000).samples()).isTrue();
    }

    private static Ondemand ondemandAt(int requestKhz) {
        return new Ondemand(OndemandParameters.atStart(true, 250, 10), E5620, 250, requestKhz);
    }
}
