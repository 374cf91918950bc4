package dev.perch.sim;

import java.util.List;

/**
 * What one run measured, over its measured time only. Counts are of the workload's tasks; housekeeping is left out.
 *
 * @param instances one for each instance of the workload, in the order of the expression
 * @param wakeups placed wakeups: those for which the kernel had to choose a CPU
 * @param bounced placed wakeups whose chosen CPU is not the previous one
 * @param placedOnBusy placed wakeups for which no idle CPU was found: the chosen one was running a task or about to
 * @param scans searches of a last-level cache
 * @param wakeupsByDistance placed wakeups by distance from the waker's CPU to the chosen one, by {@code Distance} ordinal
 * @param migrationsByDistance changes of CPU, by wakeups and by the load balancer, by distance from old to new CPU
 * @param balancerMigrations how many of the migrations the load balancer made
 * @param events entries taken from the event queue, warm-up included
 * @param digest hash over all events of the run, warm-up included: equal for equal specs
 */
public record SimulationResult(
        List<Instance> instances,
        long wakeups,
        long bounced,
        long placedOnBusy,
        Scans scans,
        long[] wakeupsByDistance,
        long[] migrationsByDistance,
        long balancerMigrations,
        long events,
        long digest) {

    /**
     * One instance of a workload item.
     *
     * @param workload name of the item
     * @param operations transactions, round trips, or whatever the workload counts, completed in the measured time
     * @param value in {@code unit}: the instance's metric
     * @param metric such as {@code transactions/s} or {@code us/op}; the unit in which {@code value} is given
     * @param state where the instance stood at the end: {@code smt, stays}: distance at which most of its last wakeups were placed, and
     *     whether they moved; empty if it makes no wakeups
     * @param figures what else it measures
     * @param latencies the whole distributions that percentiles among the figures come from
     */
    public record Instance(
            String workload,
            long operations,
            double value,
            String metric,
            String state,
            List<Figure> figures,
            List<Latencies> latencies) {
        public Instance {
            figures = List.copyOf(figures);
            latencies = List.copyOf(latencies);
        }

        /** An instance that times nothing. */
        public Instance(
                String workload, long operations, double value, String metric, String state, List<Figure> figures) {
            this(workload, operations, value, metric, state, figures, List.of());
        }
    }

    /**
     * Scans of a last-level cache for an idle CPU: placed wakeups for which neither the target nor another single guess was idle. Kernels
     * before 4.9 have none.
     *
     * @param made scans made, or wanted and not made for their cost
     * @param nothingIdle those that looked at all CPUs they may and found none idle
     * @param overBudget those that ended early, or were not made, since they may look at so many CPUs only
     * @param probes CPUs that the decisions with a scan have looked at
     */
    public record Scans(long made, long nothingIdle, long overBudget, long probes) {
        /** Scans that did not find an idle CPU. */
        public long failed() {
            return nothingIdle + overBudget;
        }
    }

    /** A number beside the metric: {@code wakeup latency p99}, 12.5, {@code us}. */
    public record Figure(String name, double value, String unit) {}
}
