package dev.perch.lab.results;

import java.util.Arrays;

/**
 * The repeats of one measurement.
 *
 * @param labels what was measured
 * @param metric what the numbers are
 * @param repeats one number a repeat, in the order measured; one or more, all finite; not to be changed
 */
public record Series(Labels labels, Metric metric, double[] repeats) {
    public Series {
        if (repeats.length == 0 || !Arrays.stream(repeats).allMatch(Double::isFinite)) {
            throw new IllegalArgumentException(labels + " " + metric + ": " + Arrays.toString(repeats));
        }
    }
}
