package dev.perch.lab.statistics;

import static dev.perch.lab.statistics.ExpectedValues.fromR;
import static dev.perch.lab.statistics.ExpectedValues.fromScipy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.perch.lab.statistics.ExpectedValues.Pair;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Descriptions, intervals, tests and effect sizes against scipy and R. */
class SampleStatisticsTest {
    private static final double CONFIDENCE = 0.95;

    static List<Pair> pairs() {
        return ExpectedValues.pairs();
    }

    private static void same(double actual, double expected) {
        assertThat(actual).isCloseTo(expected, withinPercentage(1e-9));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void describesAsScipyAndRDo(Pair pair) {
        Sample sample = pair.first();
        same(sample.mean(), fromScipy(pair, "mean"));
        same(sample.mean(), fromR(pair, "mean"));
        same(sample.median(), fromScipy(pair, "median"));
        same(sample.median(), fromR(pair, "median"));
        same(sample.standardDeviation(), fromScipy(pair, "stddev"));
        same(sample.standardDeviation(), fromR(pair, "stddev"));
        same(sample.harmonicMean(), fromScipy(pair, "hmean"));
        same(sample.geometricMean(), fromScipy(pair, "gmean"));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void boundsMeansAsScipyAndRDo(Pair pair) {
        Interval interval = MeanInterval.of(pair.first(), CONFIDENCE).orElseThrow();
        same(interval.low(), fromScipy(pair, "mean low"));
        same(interval.low(), fromR(pair, "mean low"));
        same(interval.high(), fromScipy(pair, "mean high"));
        same(interval.high(), fromR(pair, "mean high"));
        same(
                MeanInterval.relativeHalfWidth(pair.first(), CONFIDENCE),
                (fromScipy(pair, "mean high") - fromScipy(pair, "mean low")) / 2 / fromScipy(pair, "mean"));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void boundsRatiosAsTheFormulaInScipy(Pair pair) {
        Interval interval =
                RatioInterval.of(pair.first(), pair.second(), CONFIDENCE).orElseThrow();
        same(interval.low(), fromScipy(pair, "ratio low"));
        same(interval.high(), fromScipy(pair, "ratio high"));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void testsMeansAsScipyAndRDo(Pair pair) {
        WelchTest test = WelchTest.of(pair.first(), pair.second()).orElseThrow();
        same(test.t(), fromScipy(pair, "welch t"));
        same(test.t(), fromR(pair, "welch t"));
        same(test.degreesOfFreedom(), fromScipy(pair, "welch df"));
        same(test.degreesOfFreedom(), fromR(pair, "welch df"));
        same(test.p(), fromScipy(pair, "welch p"));
        same(test.p(), fromR(pair, "welch p"));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void testsRanksAsScipyAndRDo(Pair pair) {
        MannWhitneyTest test = MannWhitneyTest.of(pair.first(), pair.second()).orElseThrow();
        same(test.u(), fromScipy(pair, "u"));
        same(test.u(), fromR(pair, "u"));
        same(test.p(), fromScipy(pair, "u p"));
        same(test.p(), fromR(pair, "u p"));
        same(test.a12(), fromScipy(pair, "a12"));
        same(test.rankBiserial(), 2 * fromScipy(pair, "a12") - 1);
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void measuresEffectsAsScipyDoes(Pair pair) {
        HedgesG effect = HedgesG.of(pair.first(), pair.second()).orElseThrow();
        same(effect.d(), fromScipy(pair, "cohen d"));
        same(effect.g(), fromScipy(pair, "hedges g"));
    }

    @Test
    void saysNothingOfSingleValues() {
        Sample single = new Sample(5);
        Sample several = new Sample(5, 6, 7);
        assertThat(single.standardDeviation()).isNaN();
        assertThat(single.coefficientOfVariation()).isNaN();
        assertThat(MeanInterval.of(single, CONFIDENCE)).isEmpty();
        assertThat(MeanInterval.relativeHalfWidth(single, CONFIDENCE)).isInfinite();
        assertThat(RatioInterval.of(single, several, CONFIDENCE)).isEmpty();
        assertThat(RatioInterval.of(several, single, CONFIDENCE)).isEmpty();
        assertThat(WelchTest.of(single, several)).isEmpty();
        assertThat(MannWhitneyTest.of(several, single)).isEmpty();
        assertThat(HedgesG.of(single, several)).isEmpty();
    }

    @Test
    void testsNothingWhereNothingVaries() {
        Sample fives = new Sample(5, 5, 5);
        Sample sixes = new Sample(6, 6, 6);
        assertThat(WelchTest.of(fives, sixes)).isEmpty();
        assertThat(HedgesG.of(fives, sixes)).isEmpty();
        assertThat(MannWhitneyTest.of(fives, fives)).isEmpty();
        assertThat(RatioInterval.of(fives, sixes, CONFIDENCE)).contains(new Interval(1.2, 1.2));
        assertThat(MeanInterval.relativeHalfWidth(fives, CONFIDENCE)).isZero();
    }

    @Test
    void testsOneSampleThatVariesAgainstOneThatDoesNot() {
        assertThat(WelchTest.of(new Sample(5, 5, 5), new Sample(5, 6, 7))).isPresent();
        assertThat(RatioInterval.of(new Sample(5, 5, 5), new Sample(5, 6, 7), CONFIDENCE))
                .isPresent();
    }

    @Test
    void boundsNoRatioOfMeansThatAreNotPositive() {
        assertThat(RatioInterval.of(new Sample(-1, 1), new Sample(1, 2), CONFIDENCE))
                .isEmpty();
        assertThat(RatioInterval.of(new Sample(1, 2), new Sample(-2, 1), CONFIDENCE))
                .isEmpty();
    }

    @Test
    void swapsTheRatioWithTheSamples() {
        Sample first = new Sample(1, 1.5, 1.2);
        Sample second = new Sample(3, 2, 4, 2.5);
        Interval there = RatioInterval.of(first, second, CONFIDENCE).orElseThrow();
        Interval back = RatioInterval.of(second, first, CONFIDENCE).orElseThrow();
        same(back.low(), 1 / there.high());
        same(back.high(), 1 / there.low());
    }

    @Test
    void leavesTheValuesInTheirOrder() {
        Sample sample = new Sample(9, 1, 8, 2, 7, 3);
        sample.median();
        assertThat(sample.values()).containsExactly(9, 1, 8, 2, 7, 3);
    }

    @Test
    void hasNoHarmonicMeanOfZero() {
        assertThat(new Sample(1, 0).harmonicMean()).isNaN();
    }
}
