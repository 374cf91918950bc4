package dev.perch.lab.statistics;

import java.util.Optional;

/**
 * Confidence interval of the ratio of two means of independent samples, on the scale of logarithms:
 *
 * <pre>
 * log(mean2 / mean1) ± t(df) · sqrt(v1 + v2),   v = (standard error / mean)²,   df = (v1 + v2)² / (v1²/(n1-1) + v2²/(n2-1))
 * </pre>
 *
 * <p>Source: the delta method for the logarithm of a mean, with Welch's degrees of freedom (B. L. Welch, The generalization of
 * "Student's" problem when several different population variances are involved, Biometrika 34, 1947). Swapping the samples gives the
 * reciprocal interval.
 *
 * <p>Limitations: both means must be positive. docs/statistics.md says how often the interval holds the true ratio, also for few and for
 * skewed values.
 */
public final class RatioInterval {
    private RatioInterval() {}

    /**
     * The interval of the mean of {@code second} over that of {@code first}.
     *
     * @param confidence such as 0.95, between 0 and 1
     * @return nothing if a sample has a single value, or a mean is not above 0
     */
    public static Optional<Interval> of(Sample first, Sample second, double confidence) {
        if (first.size() < 2 || second.size() < 2 || !(first.mean() > 0) || !(second.mean() > 0)) {
            return Optional.empty();
        }
        double ratio = second.mean() / first.mean();
        if (first.isConstant() && second.isConstant()) {
            return Optional.of(new Interval(ratio, ratio));
        }
        double v1 = square(first.standardError() / first.mean());
        double v2 = square(second.standardError() / second.mean());
        double freedom = square(v1 + v2) / (square(v1) / (first.size() - 1) + square(v2) / (second.size() - 1));
        double half = Math.sqrt(v1 + v2) * MeanInterval.quantile(confidence, freedom);
        return Optional.of(new Interval(ratio * Math.exp(-half), ratio * Math.exp(half)));
    }

    private static double square(double value) {
        return value * value;
    }
}
