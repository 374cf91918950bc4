package dev.perch.lab.statistics;

import java.util.Optional;
import org.apache.commons.statistics.inference.DataDispersion;
import org.apache.commons.statistics.inference.TTest;

/**
 * Welch's test of whether two means are equal, without assuming equal spread.
 *
 * <p>Source: B. L. Welch, Biometrika 34 (1947); computed by Commons Statistics.
 *
 * @param t the statistic, above 0 if the first mean is the larger
 * @param degreesOfFreedom by Welch and Satterthwaite
 * @param p two-sided
 */
public record WelchTest(double t, double degreesOfFreedom, double p) {
    /** @return nothing if a sample has a single value, or neither has any spread */
    public static Optional<WelchTest> of(Sample first, Sample second) {
        if (first.size() < 2 || second.size() < 2 || first.isConstant() && second.isConstant()) {
            return Optional.empty();
        }
        TTest.Result result =
                TTest.withDefaults().with(DataDispersion.HETEROSCEDASTIC).test(first.values(), second.values());
        return Optional.of(new WelchTest(result.getStatistic(), result.getDegreesOfFreedom(), result.getPValue()));
    }
}
