package dev.perch.lab.statistics;

import static dev.perch.lab.statistics.Mmtests.Preferred.HIGHER;
import static dev.perch.lab.statistics.Mmtests.Preferred.LOWER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.perch.lab.statistics.Mmtests.Preferred;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of spec scheduler.md 11 J and the special cases of 10.2 to 10.4. */
class MmtestsTest {
    /** J1: all that the mail of seed 002 prints. */
    @ParameterizedTest
    @CsvSource({
        "LOWER,0.5178,0.5207,-0.56", "LOWER,1.0108,0.9274,8.25", "LOWER,1.9349,1.8508,4.35", "LOWER,3.4179,3.3170,2.95",
        "LOWER,5.9209,5.8878,0.56", "LOWER,6.8677,6.6241,3.55", "LOWER,10.3759,9.5785,7.69",
                "LOWER,13.4606,12.3713,8.09",
        "HIGHER,324.56,324.01,-0.17", "HIGHER,650.91,646.89,-0.62", "HIGHER,1291.16,1298.56,0.57",
                "HIGHER,2625.06,2615.81,-0.35",
        "HIGHER,5293.86,5267.24,-0.50", "HIGHER,8464.34,9578.40,13.16", "HIGHER,7417.02,7218.91,-2.67",
                "HIGHER,6313.71,6180.67,-2.11"
    })
    void printsTheSeedsPercentages(Preferred preferred, double baseline, double value, double percent) {
        assertThat(Mmtests.percentDifference(baseline, value, preferred)).isCloseTo(percent, within(0.005));
    }

    @Test
    void marksAsInJ2() {
        Sample first = new Sample(351, 350, 351);
        Sample second = new Sample(428, 432, 425);
        double baseline = Mmtests.mean(first, HIGHER);
        double value = Mmtests.mean(second, HIGHER);
        assertThat(baseline).isCloseTo(350.6660, within(5e-5));
        assertThat(value).isCloseTo(428.3142, within(5e-5));
        assertThat(first.standardDeviation()).isCloseTo(0.57735, within(5e-6));
        assertThat(second.standardDeviation()).isCloseTo(3.51188, within(5e-6));
        assertThat(Mmtests.percentDifference(baseline, value, HIGHER)).isCloseTo(22.14, within(0.005));
        // p of t = 37.80 with df 4; the displayed means give a t that differs in the fourth digit
        assertThat(Mmtests.p(first, second, HIGHER)).isCloseTo(2.9e-6, within(0.05e-6));
        assertThat(Mmtests.significant(first, second, HIGHER)).isTrue();
    }

    @Test
    void doesNotMarkAsInJ3() {
        Sample first = new Sample(1.00, 1.05, 0.95, 1.02, 0.98);
        Sample second = new Sample(0.97, 1.01, 0.93, 0.99, 0.96);
        assertThat(Mmtests.percentDifference(Mmtests.mean(first, LOWER), Mmtests.mean(second, LOWER), LOWER))
                .isCloseTo(2.80, within(0.005));
        assertThat(Mmtests.p(first, second, LOWER)).isCloseTo(0.234, within(0.0005));
        assertThat(Mmtests.significant(first, second, LOWER)).isFalse();
        assertThat(Mmtests.bestMean(first, LOWER, 50)).isCloseTo(0.9650, within(5e-5));
        assertThat(Mmtests.bestMean(first, LOWER, 95)).isCloseTo(0.9875, within(5e-5));
        assertThat(Mmtests.bestMean(first, LOWER, 99)).isCloseTo(0.9875, within(5e-5));
    }

    @Test
    void takesTheBestRatesFromAbove() {
        assertThat(Mmtests.bestMean(new Sample(1, 2, 4, 4), HIGHER, 50)).isEqualTo(4);
        assertThat(Mmtests.bestMean(new Sample(1), HIGHER, 50)).isEqualTo(1);
    }

    @Test
    void followsTheSpecialCases() {
        assertThat(Mmtests.mean(new Sample(1, 0), HIGHER)).isEqualTo(-1);
        assertThat(Mmtests.percentDifference(5, 5, HIGHER)).isZero();
        assertThat(Mmtests.percentDifference(5, 0, HIGHER)).isZero();
        assertThat(Mmtests.percentDifference(0, 5, HIGHER)).isEqualTo(100);
        assertThat(Mmtests.percentDifference(5, 0, LOWER)).isEqualTo(100);
        assertThat(Mmtests.percentDifference(0, 5, LOWER)).isEqualTo(-99);
        assertThat(Mmtests.percentDifference(-1, 5, HIGHER)).isZero();
        assertThat(Mmtests.percentDifference(5, Double.NaN, LOWER)).isZero();
        assertThat(Mmtests.coefficientOfVariation(new Sample(-1, 1))).isZero();
        assertThat(Mmtests.coefficientOfVariation(new Sample(90, 110))).isCloseTo(14.142, within(0.001));
    }

    @Test
    void marksMeansWithoutSpreadThatDiffer() {
        assertThat(Mmtests.significant(new Sample(5, 5), new Sample(6, 6), LOWER))
                .isTrue();
        assertThat(Mmtests.significant(new Sample(5, 5), new Sample(5, 5), LOWER))
                .isFalse();
    }
}
