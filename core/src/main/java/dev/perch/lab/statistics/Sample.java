package dev.perch.lab.statistics;

import java.util.Arrays;
import org.apache.commons.statistics.descriptive.GeometricMean;
import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.Median;
import org.apache.commons.statistics.descriptive.StandardDeviation;

/**
 * Descriptive statistics of a few numbers. Formulae: docs/statistics.md.
 *
 * @param values one or more, in the order measured; not to be changed
 */
public record Sample(double... values) {
    public Sample {
        if (values.length == 0) {
            throw new IllegalArgumentException("empty sample");
        }
    }

    /** How many values there are, 1 or more. */
    public int size() {
        return values.length;
    }

    /** The arithmetic mean. */
    public double mean() {
        return Mean.of(values).getAsDouble();
    }

    /** The number of values over the sum of their reciprocals; not a number unless all are above 0. */
    public double harmonicMean() {
        double reciprocals = 0;
        for (double value : values) {
            if (!(value > 0)) {
                return Double.NaN;
            }
            reciprocals += 1 / value;
        }
        return values.length / reciprocals;
    }

    /** The root of the product; not a number if a value is below 0. */
    public double geometricMean() {
        return GeometricMean.of(values).getAsDouble();
    }

    public double min() {
        return Arrays.stream(values).min().orElseThrow();
    }

    public double max() {
        return Arrays.stream(values).max().orElseThrow();
    }

    /** The middle value, or the mean of the two middle ones. */
    public double median() {
        return Median.withDefaults().withCopy(true).evaluate(values);
    }

    /** Sample standard deviation, over n - 1; not a number for a single value. */
    public double standardDeviation() {
        return values.length == 1 ? Double.NaN : StandardDeviation.of(values).getAsDouble();
    }

    /** Standard deviation of the mean. */
    public double standardError() {
        return standardDeviation() / Math.sqrt(values.length);
    }

    /** Standard deviation relative to the size of the mean; not a number for a single value or a mean of 0. */
    public double coefficientOfVariation() {
        double mean = mean();
        return mean == 0 ? Double.NaN : standardDeviation() / Math.abs(mean);
    }

    /** Whether all values are the same number. */
    public boolean isConstant() {
        return min() == max();
    }

    /** How far apart the extremes are, relative to the mean; 0 if the mean is 0. */
    public double spread() {
        double mean = mean();
        return mean == 0 ? 0 : (max() - min()) / mean;
    }
}
