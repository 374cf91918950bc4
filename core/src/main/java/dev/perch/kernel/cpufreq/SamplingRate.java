package dev.perch.kernel.cpufreq;

/**
 * How often a {@link SamplingGovernor} looks at the load unless it is told otherwise (spec: scheduler.md 6.2 and 6.4; {@code
 * cpufreq_governor_dbs} of Linux 3.2 and 3.4, {@code cpufreq_dbs_governor_init} of 6.12).
 *
 * @param rateUs {@code sampling_rate} when the governor starts, µs
 * @param shortestUs {@code sampling_rate_min}: the shortest that it can be set to, µs
 */
public record SamplingRate(long rateUs, long shortestUs) {
    private static final long LATENCIES_IN_RATE = 1000;
    private static final long LATENCIES_IN_SHORTEST_RATE = 100;
    private static final long SHORTEST_WITH_MICRO_ACCOUNTING = 10_000;

    /**
     * ondemand until 4.6.
     *
     * @param microAccounting idle time is known in µs, as with dynamic ticks; else ({@code nohz=off}) in whole ticks
     * @param hz ticks a second
     * @param transitionLatencyUs of the clock, as the firmware gives it, µs
     */
    public static SamplingRate ondemand(boolean microAccounting, int hz, int transitionLatencyUs) {
        return byLatency(microAccounting ? SHORTEST_WITH_MICRO_ACCOUNTING : twentyTicks(hz), transitionLatencyUs);
    }

    /** conservative until 4.6, which allows for accounting in ticks whatever there is; parameters as in {@link #ondemand}. */
    public static SamplingRate conservative(int hz, int transitionLatencyUs) {
        return byLatency(twentyTicks(hz), transitionLatencyUs);
    }

    /**
     * Either governor of 4.7 and later: two ticks, or the time that the driver wants between changes if that is more.
     *
     * @param transitionDelayUs {@link Schedutil.Form#transitionDelayUs}
     */
    public static SamplingRate drivenByScheduler(int hz, long transitionDelayUs) {
        return new SamplingRate(Math.max(2 * 1_000_000L / hz, transitionDelayUs), 1);
    }

    private static long twentyTicks(int hz) {
        return 2 * (10 * 1_000_000L / hz);
    }

    private static SamplingRate byLatency(long shortest, int transitionLatencyUs) {
        long latency = Math.max(1, transitionLatencyUs);
        long least = Math.max(shortest, LATENCIES_IN_SHORTEST_RATE * latency);
        return new SamplingRate(Math.max(least, LATENCIES_IN_RATE * latency), least);
    }
}
