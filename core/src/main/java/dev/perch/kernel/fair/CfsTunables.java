package dev.perch.kernel.fair;

import java.util.Map;

/**
 * The tunables of CFS as they are in effect on a machine (spec: scheduler.md 1.5; {@code sched_init_granularity} and the sysctls of
 * Linux 3.2, since 5.13 files of debugfs with the same names but for the prefix).
 *
 * @param latency {@code sched_latency_ns}: period in which every task should run once, ns
 * @param minGranularity {@code sched_min_granularity_ns}, ns
 * @param wakeupGranularity {@code sched_wakeup_granularity_ns}, ns
 * @param idleMinGranularity {@code sched_idle_min_granularity_ns}: the same for entities under SCHED_IDLE, ns; since 5.16
 * @param nrLatency up to how many tasks the period is {@code latency}
 * @param migrationCost {@code sched_migration_cost_ns}: how long a task stays cache-hot, ns; −1 for ever, 0 never
 * @param childRunsFirst {@code sched_child_runs_first}: whether a forked child is put before its parent
 */
public record CfsTunables(
        long latency,
        long minGranularity,
        long wakeupGranularity,
        long idleMinGranularity,
        long nrLatency,
        long migrationCost,
        boolean childRunsFirst) {
    private static final int MOST_CPUS_COUNTED = 8;

    /**
     * The values a kernel computes at boot, with those that were written afterwards in their place.
     *
     * @param onlineCpus online CPUs of the whole machine, whatever its cpusets; at least 1
     * @param written sysctls by name, {@code sched_latency_ns} or {@code latency_ns} and the like, in effective (not per-CPU) units;
     *     other names are ignored
     */
    public static CfsTunables scaled(int onlineCpus, Map<String, Long> written) {
        long factor = factor(onlineCpus);
        long latency = read(written, "latency_ns", 6_000_000 * factor);
        long minGranularity = read(written, "min_granularity_ns", 750_000 * factor);
        return new CfsTunables(
                latency,
                minGranularity,
                read(written, "wakeup_granularity_ns", 1_000_000 * factor),
                read(written, "idle_min_granularity_ns", 750_000),
                Math.ceilDiv(latency, minGranularity),
                read(written, "migration_cost_ns", 500_000L),
                read(written, "child_runs_first", 0L) != 0);
    }

    /** By how much a tunable is greater than on one CPU ({@code get_update_sysctl_factor}, logarithmic scaling). */
    static long factor(int onlineCpus) {
        if (onlineCpus < 1) {
            throw new IllegalArgumentException("online CPUs: " + onlineCpus);
        }
        return 1L + floorLog2(Math.min(onlineCpus, MOST_CPUS_COUNTED));
    }

    /** What was written to a tunable under its name with or without the prefix, or {@code computed}. */
    static long read(Map<String, Long> written, String name, long computed) {
        Long prefixed = written.get("sched_" + name);
        return prefixed != null ? prefixed : written.getOrDefault(name, computed);
    }

    private static int floorLog2(int value) {
        return 31 - Integer.numberOfLeadingZeros(value);
    }
}
