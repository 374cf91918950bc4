package dev.perch.lab.results;

/**
 * What a number measures. Two numbers can be compared only if their metrics are equal.
 *
 * @param name such as {@code throughput} or {@code wakeup latency p99}; see {@link #ofWorkload} for the result of a benchmark
 * @param unit such as {@code transactions/s}, {@code us/op} or {@code s}; empty for a plain number
 * @param better which way it is better
 */
public record Metric(String name, String unit, Direction better) {

    /**
     * The one number that a benchmark is run for: {@code throughput} where the unit is so much a second and more is better, else
     * {@code time}, where less is better. Simulated and measured results name it alike, so that they can be laid side by side.
     */
    public static Metric ofWorkload(String unit) {
        return unit.endsWith("/s")
                ? new Metric("throughput", unit, Direction.HIGHER)
                : new Metric("time", unit, Direction.LOWER);
    }

    /** Name and unit, such as {@code throughput [MB/s]}. */
    public String text() {
        return unit.isEmpty() ? name : name + " [" + unit + "]";
    }
}
