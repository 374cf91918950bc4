package dev.perch.lab.statistics;

import java.util.Arrays;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * The numbers of a comparison as mmtests makes them, its special cases included.
 *
 * <p>Source: what mmtests computed on 18 November 2021; spec scheduler.md 10.2 to 10.4.
 */
public final class Mmtests {
    /** What mmtests shows where there is no number. */
    public static final double NOTHING = -1;

    private static final double SIGNIFICANCE = 0.10;

    private Mmtests() {}

    /** Which values a benchmark prefers, and with them the kind of mean. */
    public enum Preferred {
        /** Rates: harmonic means. */
        HIGHER,
        /** Times: arithmetic means. */
        LOWER;

        /** The letter before Mean: A or H. */
        public char letter() {
            return this == HIGHER ? 'H' : 'A';
        }
    }

    /** The mean that is shown: arithmetic for Lower; harmonic for Higher, {@link #NOTHING} if a value is not above 0. */
    public static double mean(Sample sample, Preferred preferred) {
        return switch (preferred) {
            case LOWER -> sample.mean();
            case HIGHER -> {
                double mean = sample.harmonicMean();
                yield Double.isNaN(mean) ? NOTHING : mean;
            }
        };
    }

    /** The mean of the best values: of {@code percent} of them, rounded down, but at least one. */
    public static double bestMean(Sample sample, Preferred preferred, int percent) {
        double[] sorted = sample.values().clone();
        Arrays.sort(sorted);
        int count = Math.max(1, (int) ((long) sorted.length * percent / 100));
        double[] best = switch (preferred) {
            case LOWER -> Arrays.copyOf(sorted, count);
            case HIGHER -> Arrays.copyOfRange(sorted, sorted.length - count, sorted.length);
        };
        return mean(new Sample(best), preferred);
    }

    /** 100 · deviation / arithmetic mean; 0 if the mean is 0; not a number for a single value. */
    public static double coefficientOfVariation(Sample sample) {
        double mean = sample.mean();
        return mean == 0 ? 0 : 100 * sample.standardDeviation() / mean;
    }

    /** How much better a value is than the baseline, in percent: positive is an improvement. */
    public static double percentDifference(double baseline, double value, Preferred preferred) {
        if (missing(baseline) || missing(value)) {
            return 0;
        }
        return switch (preferred) {
            case HIGHER -> {
                if (value == baseline || value == 0) {
                    yield 0;
                }
                yield baseline == 0 ? 100 : 100 * value / baseline - 100;
            }
            case LOWER -> {
                if (value == 0) {
                    yield 100;
                }
                if (value == baseline) {
                    yield 0;
                }
                yield baseline == 0 ? -99 : 100 - 100 * value / baseline;
            }
        };
    }

    /** Whether there is no number to show. */
    public static boolean missing(double value) {
        return Double.isNaN(value) || value == NOTHING;
    }

    /** Two-sided p of the t test behind the mark: the displayed means, the ordinary deviations, n1 + n2 - 2 degrees of freedom. */
    public static double p(Sample first, Sample second, Preferred preferred) {
        double difference = Math.abs(mean(first, preferred) - mean(second, preferred));
        double error = Math.sqrt(variance(first) / first.size() + variance(second) / second.size());
        int freedom = first.size() + second.size() - 2;
        if (error == 0 || freedom == 0) {
            return difference == 0 ? 1 : 0;
        }
        return 2 * TDistribution.of(freedom).survivalProbability(difference / error);
    }

    /** Whether the difference is marked. */
    public static boolean significant(Sample first, Sample second, Preferred preferred) {
        return p(first, second, preferred) < SIGNIFICANCE;
    }

    /** A single value has no deviation; mmtests shows 0. */
    private static double variance(Sample sample) {
        double deviation = sample.size() == 1 ? 0 : sample.standardDeviation();
        return deviation * deviation;
    }
}
