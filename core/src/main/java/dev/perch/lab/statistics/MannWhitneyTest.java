package dev.perch.lab.statistics;

import java.util.Optional;
import org.apache.commons.statistics.inference.MannWhitneyUTest;

/**
 * Mann and Whitney's test of whether values of one sample tend to be larger than those of the other, with its effect size.
 *
 * <p>The p value is exact for fewer than 50 values on either side without ties; otherwise it comes from the normal distribution with corrections for
 * ties and continuity.
 *
 * <p>Source: Mann, Whitney, Annals of Mathematical Statistics 18 (1947), computed by Commons Statistics; Vargha, Delaney, A critique and
 * improvement of the CL common language effect size statistics, 2000 (A12).
 *
 * @param u the first sample's statistic: pairs in which its value is the larger one, ties counted half
 * @param p two-sided
 * @param a12 the chance that a value of the second sample is larger than one of the first, ties counted half: 0.5 if neither tends to be
 */
public record MannWhitneyTest(double u, double p, double a12) {
    /** @return nothing if a sample has a single value, or all values are the same */
    public static Optional<MannWhitneyTest> of(Sample first, Sample second) {
        boolean same = first.isConstant() && second.isConstant() && first.min() == second.min();
        if (first.size() < 2 || second.size() < 2 || same) {
            return Optional.empty();
        }
        MannWhitneyUTest.Result result = MannWhitneyUTest.withDefaults().test(first.values(), second.values());
        double pairs = (double) first.size() * second.size();
        double u = result.getStatistic();
        return Optional.of(new MannWhitneyTest(u, result.getPValue(), 1 - u / pairs));
    }

    /** The same effect from -1 (all values of the second are smaller) to 1: the rank-biserial correlation. */
    public double rankBiserial() {
        return 2 * a12 - 1;
    }
}
