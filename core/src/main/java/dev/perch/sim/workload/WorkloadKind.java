package dev.perch.sim.workload;

import java.util.List;

/**
 * A kind of workload that can be named in an expression.
 *
 * @param name as written, such as {@code tcp-rr}
 * @param title one line for people
 * @param source the benchmark it models
 * @param measure what its value is made of
 * @param metric what it measures, with the unit, such as {@code transactions/s}
 * @param options its keys, each with a few words: {@code size=BYTES payload (1)}
 */
public record WorkloadKind(
        String name, String title, String source, Measure measure, String metric, List<String> options) {
    /** How a value comes from what was counted and timed. */
    public enum Measure {
        /** Operations a second. */
        RATE,
        /** Millions of the counted amount a second: MB/s. */
        AMOUNT_RATE,
        /** Microseconds of measured time for one operation. */
        TIME_PER_OPERATION,
        /** Seconds from the beginning to the end of the workload's timed part; a run with such a workload ends with it. */
        ELAPSED,
        /** The 99th percentile of the instance's first series, microseconds. */
        PERCENTILE
    }

    public WorkloadKind {
        options = List.copyOf(options);
    }

    /** How the metric is read. */
    public boolean higherIsBetter() {
        return switch (measure) {
            case RATE, AMOUNT_RATE -> true;
            case TIME_PER_OPERATION, ELAPSED, PERCENTILE -> false;
        };
    }

    /** Whether the workload comes to an end by itself. */
    public boolean ends() {
        return measure == Measure.ELAPSED;
    }
}
