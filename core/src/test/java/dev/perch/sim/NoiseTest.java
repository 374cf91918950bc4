package dev.perch.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class NoiseTest {
    private static final int DRAWS = 200_000;

    @Test
    void aStreamDoesNotDependOnWhatOthersDraw() {
        Noise alone = new Noise(5, 3);
        Noise beside = new Noise(5, 3);
        beside.bits(0);
        beside.bits(2);

        assertThat(beside.bits(1)).isEqualTo(alone.bits(1));
    }

    @Test
    void jitterKeepsTheMeanAndHasTheStandardDeviationAsked() {
        Noise noise = new Noise(1, 1);
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < DRAWS; i++) {
            double deviation = noise.jitter(0, 1_000_000, 20) / 1e6 - 1;
            sum += deviation;
            squares += deviation * deviation;
        }
        // the mean of n draws of deviation 0.02 lies within 4 * 0.02 / sqrt(n) of 0
        assertThat(sum / DRAWS).isCloseTo(0, within(0.0002));
        assertThat(Math.sqrt(squares / DRAWS)).isCloseTo(0.02, within(0.0002));
    }

    @Test
    void noJitterIsNoChange() {
        assertThat(new Noise(1, 1).jitter(0, 1234, 0)).isEqualTo(1234);
    }

    @Test
    void exponentialTimesHaveTheMeanAskedAndAboutAThirdExceedIt() {
        Noise noise = new Noise(2, 1);
        double sum = 0;
        int longer = 0;
        for (int i = 0; i < DRAWS; i++) {
            long time = noise.exponential(0, 1_000_000);
            sum += time;
            longer += time > 1_000_000 ? 1 : 0;
        }
        assertThat(sum / DRAWS).isCloseTo(1_000_000, within(10_000.0));
        assertThat(longer / (double) DRAWS).isCloseTo(Math.exp(-1), within(0.005));
    }

    @Test
    void belowIsUniform() {
        Noise noise = new Noise(3, 1);
        int[] counts = new int[6];
        for (int i = 0; i < DRAWS; i++) {
            counts[noise.below(0, 6)]++;
        }
        for (int count : counts) {
            assertThat(count / (double) DRAWS).isCloseTo(1 / 6.0, within(0.005));
        }
    }
}
