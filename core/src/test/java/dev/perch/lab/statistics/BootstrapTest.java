package dev.perch.lab.statistics;

import static dev.perch.lab.statistics.ExpectedValues.fromScipy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.lab.statistics.Bootstrap.Kind;
import dev.perch.lab.statistics.ExpectedValues.Pair;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.commons.statistics.descriptive.Mean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bootstrap intervals against scipy's of 200,000 draws. */
class BootstrapTest {
    private static final double CONFIDENCE = 0.95;
    private static final int DRAWS = 100_000;

    static Stream<Arguments> pairsAndKinds() {
        List<Pair> pairs = ExpectedValues.pairs();
        return pairs.stream().flatMap(pair -> Stream.of(Kind.values()).map(kind -> Arguments.of(pair, kind)));
    }

    @ParameterizedTest
    @MethodSource("pairsAndKinds")
    void boundsMeansAsScipyDoes(Pair pair, Kind kind) {
        Interval interval = new Bootstrap(kind, DRAWS, 3)
                .of(pair.first(), values -> Mean.of(values).getAsDouble(), CONFIDENCE)
                .orElseThrow();
        compare(interval, pair, kind, "mean");
    }

    @ParameterizedTest
    @MethodSource("pairsAndKinds")
    void boundsRatiosAsScipyDoes(Pair pair, Kind kind) {
        Interval interval = new Bootstrap(kind, DRAWS, 3)
                .ofRatio(pair.first(), pair.second(), CONFIDENCE)
                .orElseThrow();
        compare(interval, pair, kind, "ratio");
    }

    /** Both tools draw at random; the ranges are those between which the ends of one and the other may lie. */
    private static void compare(Interval interval, Pair pair, Kind kind, String statistic) {
        String name = kind.name().toLowerCase(Locale.ROOT) + " " + statistic;
        assertThat(interval.low()).isBetween(fromScipy(pair, name + " low from"), fromScipy(pair, name + " low to"));
        assertThat(interval.high()).isBetween(fromScipy(pair, name + " high from"), fromScipy(pair, name + " high to"));
    }

    @Test
    void repeatsWithTheSeed() {
        Sample sample = new Sample(1, 2, 4, 8, 16, 32);
        Interval interval = interval(sample, 5);
        assertThat(interval(sample, 5)).isEqualTo(interval);
        assertThat(interval(sample, 6)).isNotEqualTo(interval);
    }

    private static Interval interval(Sample sample, long seed) {
        return new Bootstrap(Kind.BCA, 999, seed)
                .of(sample, values -> Mean.of(values).getAsDouble(), CONFIDENCE)
                .orElseThrow();
    }

    @Test
    void isAPointWhereNothingVaries() {
        assertThat(interval(new Sample(5, 5, 5), 1)).isEqualTo(new Interval(5, 5));
    }

    @Test
    void hasNoIntervalOfWhatSomeSamplesDoNotHave() {
        assertThat(new Bootstrap(Kind.BCA, 999, 1).ofRatio(new Sample(0, 0, 1), new Sample(1, 2, 3), CONFIDENCE))
                .isEmpty();
    }
}
