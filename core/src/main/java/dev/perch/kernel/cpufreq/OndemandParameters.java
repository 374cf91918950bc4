package dev.perch.kernel.cpufreq;

/**
 * The settings of {@link Ondemand} (spec: scheduler.md 6.2; {@code cpufreq_gov_dbs_init} and {@code cpufreq_governor_dbs} of Linux 3.2
 * and 3.4).
 *
 * @param upThreshold {@code up_threshold}: load in per cent above which the highest frequency is requested
 * @param downDifferential how far below {@link #upThreshold} a load, at the frequency aimed at, should lie, in per cent
 * @param samplingRateUs {@code sampling_rate}: time between samples, µs
 * @param samplingDownFactor {@code sampling_down_factor}: by how much that is stretched while the highest frequency is requested
 */
public record OndemandParameters(int upThreshold, int downDifferential, long samplingRateUs, int samplingDownFactor) {
    private static final long LATENCIES_IN_RATE = 1000;
    private static final long LATENCIES_IN_SHORTEST_RATE = 100;

    public OndemandParameters {
        if (downDifferential < 0 || upThreshold <= downDifferential || upThreshold > 100) {
            throw new IllegalArgumentException("thresholds: " + upThreshold + " and " + downDifferential);
        }
        if (samplingRateUs < 1 || samplingDownFactor < 1) {
            throw new IllegalArgumentException("sampling: " + samplingRateUs + " us times " + samplingDownFactor);
        }
    }

    /**
     * As the governor starts.
     *
     * @param microAccounting idle time is known in µs, as with dynamic ticks; else ({@code nohz=off}) in whole ticks
     * @param hz ticks a second
     * @param transitionLatencyUs of the clock, as the firmware gives it, µs
     */
    public static OndemandParameters atStart(boolean microAccounting, int hz, int transitionLatencyUs) {
        long latency = Math.max(1, transitionLatencyUs);
        long shortest = microAccounting ? 10_000 : 2 * (10 * 1_000_000L / hz);
        shortest = Math.max(shortest, LATENCIES_IN_SHORTEST_RATE * latency);
        long rate = Math.max(shortest, LATENCIES_IN_RATE * latency);
        return new OndemandParameters(microAccounting ? 95 : 80, microAccounting ? 3 : 10, rate, 1);
    }

    /** The same with other thresholds. */
    public OndemandParameters withThresholds(int up, int differential) {
        return new OndemandParameters(up, differential, samplingRateUs, samplingDownFactor);
    }
}
