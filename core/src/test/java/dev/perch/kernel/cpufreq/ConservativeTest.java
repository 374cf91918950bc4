package dev.perch.kernel.cpufreq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expected values: scheduler.md 11, E7, and the rules of 6.5. */
class ConservativeTest {
    private static final FrequencyTable E5620 =
            new FrequencyTable(new int[] {1596000, 1729000, 1862000, 1995000, 2128000, 2261000, 2394000});
    private static final ConservativeParameters DEFAULTS =
            ConservativeParameters.atStart(SamplingRate.conservative(250, 10));

    @ParameterizedTest
    @CsvSource({
        "V3_4, 1596000, 85, 1596000, 1729000",
        "V6_12, 1596000, 85, 1596000, 1729000",
        "V6_12, 2394000, 15, 2394000, 2261000",
        "V3_4, 2394000, 15, 2394000, 2394000",
        "V3_4, 2394000, 5, 2261000, 2128000"
    })
    void goesInStepsOfFivePerCentOfTheHighestFrequency(
            Conservative.Form form, int from, int percent, int first, int second) {
        Conservative governor = new Conservative(form, DEFAULTS, E5620, 250, from);

        assertThat(governor.sample(load(percent))).isEqualTo(first);
        assertThat(governor.sample(load(percent))).isEqualTo(second);
    }

    @Test
    void neverLeavesTheTable() {
        for (Conservative.Form form : Conservative.Form.values()) {
            Conservative governor = new Conservative(form, DEFAULTS, E5620, 250, 1995000);
            for (int i = 0; i < 30; i++) {
                governor.sample(load(100));
            }
            assertThat(governor.requestKhz()).isEqualTo(2394000);
            for (int i = 0; i < 30; i++) {
                governor.sample(load(0));
            }
            assertThat(governor.requestKhz()).isEqualTo(1596000);
        }
    }

    @Test
    void aLongSleepIsMadeUpForAtOnce() {
        Conservative governor = new Conservative(Conservative.Form.V6_12, DEFAULTS, E5620, 250, 2394000);
        PolicyLoad load = new PolicyLoad(1, false, false, true);
        load.begin(80_000);
        load.add(0, 320_000, 320_000, 0, 0, 0, 2394000);

        // four steps for the sleep and one for the sample: 2394 - 5 x 119.7 = 1795.5 MHz
        assertThat(governor.sample(load)).isEqualTo(1862000);
    }

    @Test
    void aSamplingDownFactorHoldsBackStepsDown() {
        Conservative governor = new Conservative(
                Conservative.Form.V6_12, new ConservativeParameters(80, 20, 10, 80_000, 3), E5620, 250, 2394000);

        assertThat(governor.sample(load(0))).isEqualTo(2394000);
        assertThat(governor.sample(load(0))).isEqualTo(2394000);
        assertThat(governor.sample(load(0))).isEqualTo(2261000);
    }

    @Test
    void withoutAStepNothingChanges() {
        Conservative governor = new Conservative(
                Conservative.Form.V3_4, new ConservativeParameters(80, 20, 0, 80_000, 1), E5620, 250, 1862000);

        assertThat(governor.sample(load(100))).isEqualTo(1862000);
    }

    @Test
    void samplesAsOndemandDoesWithAccountingInTicks() {
        assertThat(DEFAULTS.samplingRateUs()).isEqualTo(80_000);
        assertThat(new Conservative(Conservative.Form.V3_4, DEFAULTS, E5620, 250, 1596000).delayJiffies(123_457, 8))
                .isEqualTo(20 - 123_457 % 20);
    }

    @Test
    void thresholdsThatMakeNoSenseAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new ConservativeParameters(20, 20, 5, 1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new ConservativeParameters(80, 20, 101, 1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new ConservativeParameters(80, 20, 5, 0, 1));
    }

    private static PolicyLoad load(int percent) {
        PolicyLoad load = new PolicyLoad(1, false, false, false);
        load.begin(80_000);
        load.add(0, 80_000, 80_000 - 800L * percent, 0, 0, 0, 1596000);
        return load;
    }
}
