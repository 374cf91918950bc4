package dev.perch.lab.elsewhere;

import dev.perch.lab.results.Labels;
import dev.perch.lab.results.Metric;

/** One number of one run of a benchmark; those with equal labels and metrics are its repeats. */
record Measurement(Labels labels, Metric metric, double value) {
    /** The result of a benchmark that has a workload expression. */
    static Measurement ofWorkload(String workload, String unit, double value) {
        return new Measurement(Labels.NONE.with(Labels.WORKLOAD, workload), Metric.ofWorkload(unit), value);
    }
}
