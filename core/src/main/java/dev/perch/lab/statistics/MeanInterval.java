package dev.perch.lab.statistics;

import java.util.Optional;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Student's confidence interval of a mean: mean ± t(n - 1) · standard error.
 *
 * <p>Source: Student, The probable error of a mean, Biometrika 6 (1908).
 *
 * <p>Limitations: exact for independent values of a normal distribution, close for any that are not very skewed.
 */
public final class MeanInterval {
    private MeanInterval() {}

    /**
     * The interval.
     *
     * @param confidence such as 0.95, between 0 and 1
     * @return nothing for a single value, which says nothing about its spread
     */
    public static Optional<Interval> of(Sample sample, double confidence) {
        if (sample.size() < 2) {
            return Optional.empty();
        }
        double mean = sample.mean();
        double half = sample.standardError() * quantile(confidence, sample.size() - 1);
        return Optional.of(new Interval(mean - half, mean + half));
    }

    /** Half the width of the interval relative to the size of the mean; infinite for a single value, and for a mean of 0 with spread. */
    public static double relativeHalfWidth(Sample sample, double confidence) {
        if (sample.size() < 2) {
            return Double.POSITIVE_INFINITY;
        }
        if (sample.isConstant()) {
            return 0;
        }
        double mean = Math.abs(sample.mean());
        double half = sample.standardError() * quantile(confidence, sample.size() - 1);
        return mean == 0 ? Double.POSITIVE_INFINITY : half / mean;
    }

    /** The number that a variable of Student's t distribution exceeds in size with the probability 1 - confidence. */
    static double quantile(double confidence, double degreesOfFreedom) {
        return TDistribution.of(degreesOfFreedom).inverseSurvivalProbability((1 - confidence) / 2);
    }
}
