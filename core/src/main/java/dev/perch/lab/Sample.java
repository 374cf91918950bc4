package dev.perch.lab;

import java.util.Arrays;

/**
 * Descriptive statistics of a few numbers.
 *
 * @param values one or more, in the order measured; not to be changed
 */
public record Sample(double... values) {
    public Sample {
        if (values.length == 0) {
            throw new IllegalArgumentException("empty sample");
        }
    }

    public double mean() {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum / values.length;
    }

    public double min() {
        return Arrays.stream(values).min().orElseThrow();
    }

    public double max() {
        return Arrays.stream(values).max().orElseThrow();
    }

    /** The middle value, or the mean of the two middle ones. */
    public double median() {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** How far apart the extremes are, relative to the mean; 0 if the mean is 0. */
    public double spread() {
        double mean = mean();
        return mean == 0 ? 0 : (max() - min()) / mean;
    }
}
