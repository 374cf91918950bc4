package dev.perch.sim;

import java.util.List;

/**
 * A kind of workload that can be named in an expression.
 *
 * @param name as written, such as {@code tcp-rr}
 * @param title one line for people
 * @param source the benchmark it models
 * @param metric what it measures, with the unit, such as {@code transactions/s}
 * @param higherIsBetter how the metric is read
 * @param options its keys, each with a few words: {@code size=BYTES payload (1)}
 */
public record WorkloadKind(
        String name, String title, String source, String metric, boolean higherIsBetter, List<String> options) {
    public WorkloadKind {
        options = List.copyOf(options);
    }
}
