package dev.perch.lab.statistics;

import java.util.Optional;
import org.apache.commons.numbers.gamma.LogGamma;

/**
 * Difference of two means in units of their pooled standard deviation: Cohen's d, and Hedges' g, which takes off what d is too large by in small
 * samples.
 *
 * <p>Source: L. V. Hedges, Distribution theory for Glass's estimator of effect size, Journal of Educational Statistics 6 (1981), with the exact
 * factor J(m) = Γ(m/2) / (sqrt(m/2) · Γ((m - 1)/2)), m = n1 + n2 - 2.
 *
 * @param d Cohen's; above 0 if the second mean is the larger
 * @param g Hedges'
 */
public record HedgesG(double d, double g) {
    /** @return nothing if a sample has a single value, or neither has any spread */
    public static Optional<HedgesG> of(Sample first, Sample second) {
        if (first.size() < 2 || second.size() < 2 || first.isConstant() && second.isConstant()) {
            return Optional.empty();
        }
        int freedom = first.size() + second.size() - 2;
        double squares = (first.size() - 1) * square(first.standardDeviation())
                + (second.size() - 1) * square(second.standardDeviation());
        double d = (second.mean() - first.mean()) / Math.sqrt(squares / freedom);
        double half = freedom / 2.0;
        double factor = Math.exp(LogGamma.value(half) - LogGamma.value(half - 0.5)) / Math.sqrt(half);
        return Optional.of(new HedgesG(d, d * factor));
    }

    private static double square(double value) {
        return value * value;
    }
}
