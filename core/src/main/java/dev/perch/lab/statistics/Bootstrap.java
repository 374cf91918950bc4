package dev.perch.lab.statistics;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.Quantile;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * Bootstrap confidence intervals: what a statistic would have been for samples drawn, with replacement, from the sample at hand.
 *
 * <p>Two kinds. The percentile interval runs between two quantiles of the drawn statistics. The bias-corrected and accelerated one (BCa)
 * moves these quantiles by how the statistic's median lies to its value, and by how its spread changes along the sample, found by leaving
 * one value out at a time.
 *
 * <p>Source: Efron, Tibshirani, An Introduction to the Bootstrap (1993), chapters 13 and 14; for several samples each is drawn from and
 * left out of by itself. Quantiles are interpolated linearly (Hyndman and Fan's type 7). Numbers come from Commons RNG's Xoshiro256++,
 * so that a seed gives the same interval everywhere.
 *
 * <p>Limitations: with few values the interval is too short: docs/statistics.md says how much.
 */
public final class Bootstrap {
    public static final int DEFAULT_DRAWS = 9999;

    /** Relative to its value, more than a statistic of a few thousand values is off by the order in which they are added. */
    private static final double ROUNDING = 1e-12;

    private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);
    private static final Quantile QUANTILE = Quantile.withDefaults().with(Quantile.EstimationMethod.HF7);

    /** How the interval comes from the drawn statistics. */
    public enum Kind {
        PERCENTILE,
        /** Bias-corrected and accelerated. */
        BCA
    }

    private final Kind kind;
    private final int draws;
    private final long randomSeed;

    /**
     * @param draws how many samples are drawn, 2 or more
     * @param randomSeed equal seeds draw equal samples
     */
    public Bootstrap(Kind kind, int draws, long randomSeed) {
        if (draws < 2) {
            throw new IllegalArgumentException("draws " + draws);
        }
        this.kind = kind;
        this.draws = draws;
        this.randomSeed = randomSeed;
    }

    /** The kind and number of draws that comparisons use. */
    public static Bootstrap withDefaults(long randomSeed) {
        return new Bootstrap(Kind.BCA, DEFAULT_DRAWS, randomSeed);
    }

    /** A number that several samples give together. */
    @FunctionalInterface
    public interface Statistic {
        /** @param samples not to be kept: their arrays are used again */
        double of(double[][] samples);
    }

    /** The interval of a statistic of one sample, such as {@code values -> Mean.of(values).getAsDouble()}. */
    public Optional<Interval> of(Sample sample, ToDoubleFunction<double[]> statistic, double confidence) {
        return of(new double[][] {sample.values()}, samples -> statistic.applyAsDouble(samples[0]), confidence);
    }

    /** The interval of the mean of {@code second} over that of {@code first}, which are independent. */
    public Optional<Interval> ofRatio(Sample first, Sample second, double confidence) {
        return of(
                new double[][] {first.values(), second.values()},
                samples ->
                        Mean.of(samples[1]).getAsDouble() / Mean.of(samples[0]).getAsDouble(),
                confidence);
    }

    /**
     * The interval of a statistic of several independent samples.
     *
     * @return nothing if the statistic is no finite number for some of the samples drawn
     */
    public Optional<Interval> of(double[][] samples, Statistic statistic, double confidence) {
        double value = statistic.of(samples);
        double[] drawn = draw(samples, statistic);
        double tail = (1 - confidence) / 2;
        // not a number comes last in ascending order
        if (!Double.isFinite(value) || !Double.isFinite(drawn[0]) || !Double.isFinite(drawn[draws - 1])) {
            return Optional.empty();
        }
        if (drawn[0] == drawn[draws - 1]) {
            return Optional.of(new Interval(drawn[0], drawn[0]));
        }
        return switch (kind) {
            case PERCENTILE -> Optional.of(between(drawn, tail, 1 - tail));
            case BCA -> {
                double acceleration = acceleration(samples, statistic);
                if (!Double.isFinite(acceleration)) {
                    yield Optional.empty();
                }
                double bias = NORMAL.inverseCumulativeProbability(Math.clamp(rank(drawn, value), 1e-9, 1 - 1e-9));
                yield Optional.of(between(drawn, moved(tail, bias, acceleration), moved(1 - tail, bias, acceleration)));
            }
        };
    }

    private static Interval between(double[] ascending, double low, double high) {
        double[] ends = QUANTILE.evaluate(ascending.length, i -> ascending[i], low, high);
        return new Interval(ends[0], ends[1]);
    }

    /** The statistics of samples drawn, in ascending order. */
    private double[] draw(double[][] samples, Statistic statistic) {
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(randomSeed);
        double[][] drawn = new double[samples.length][];
        for (int sample = 0; sample < samples.length; sample++) {
            drawn[sample] = new double[samples[sample].length];
        }
        double[] statistics = new double[draws];
        for (int draw = 0; draw < draws; draw++) {
            for (int sample = 0; sample < samples.length; sample++) {
                double[] from = samples[sample];
                double[] to = drawn[sample];
                for (int i = 0; i < to.length; i++) {
                    to[i] = from[random.nextInt(from.length)];
                }
            }
            statistics[draw] = statistic.of(drawn);
        }
        Arrays.sort(statistics);
        return statistics;
    }

    /** Share of the drawn statistics below a value, equal ones counted half. The same values added up in another order are equal. */
    private static double rank(double[] ascending, double value) {
        double rounding = ROUNDING * Math.abs(value);
        int below = 0;
        int equal = 0;
        for (double each : ascending) {
            if (each < value - rounding) {
                below++;
            } else if (each <= value + rounding) {
                equal++;
            }
        }
        return (below + equal / 2.0) / ascending.length;
    }

    /** Where BCa reads the quantile instead of at {@code probability}. */
    private static double moved(double probability, double bias, double acceleration) {
        double z = bias + NORMAL.inverseCumulativeProbability(probability);
        return NORMAL.cumulativeProbability(bias + z / (1 - acceleration * z));
    }

    /** A sixth of the skewness of the statistic's influence values, which leaving out each value in turn gives; 0 where nothing changes it. */
    private static double acceleration(double[][] samples, Statistic statistic) {
        double cubes = 0;
        double squares = 0;
        for (int sample = 0; sample < samples.length; sample++) {
            int size = samples[sample].length;
            if (size < 2) {
                continue;
            }
            double[] without = leavingOneOut(samples, sample, statistic);
            double mean = Mean.of(without).getAsDouble();
            for (double each : without) {
                double influence = (size - 1) * (mean - each) / size;
                cubes += influence * influence * influence;
                squares += influence * influence;
            }
        }
        return squares == 0 ? 0 : cubes / (6 * Math.pow(squares, 1.5));
    }

    private static double[] leavingOneOut(double[][] samples, int sample, Statistic statistic) {
        double[] whole = samples[sample];
        double[][] reduced = samples.clone();
        reduced[sample] = Arrays.copyOf(whole, whole.length - 1);
        double[] statistics = new double[whole.length];
        for (int left = whole.length - 1; left >= 0; left--) {
            // the place that is left out moves down; what lies above it is the tail of the whole
            if (left < whole.length - 1) {
                reduced[sample][left] = whole[left + 1];
            }
            statistics[left] = statistic.of(reduced);
        }
        return statistics;
    }
}
