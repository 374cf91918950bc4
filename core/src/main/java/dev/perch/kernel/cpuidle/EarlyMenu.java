package dev.perch.kernel.cpuidle;

import java.util.Arrays;

/**
 * The menu governor of Linux 3.2 and 3.4 (spec: scheduler.md 7.3; {@code menu_select} and {@code menu_update}): the time until the next
 * timer, corrected by how early the CPU used to be woken, or the length of the last eight idle periods if they are alike.
 *
 * <p>It reads the time until the next timer as the tick code has stored it. That code does so only with dynamic ticks; without them
 * the time is always 0, and the polling state is chosen wherever the next one takes some time to pay. Times are µs.
 */
public final class EarlyMenu implements IdleGovernor {
    private static final int BUCKETS = 12;
    private static final int INTERVALS = 8;
    private static final int RESOLUTION = 1024;
    private static final int DECAY = 8;
    private static final int UNITY = RESOLUTION * DECAY;
    /** Periods at least as long teach nothing. */
    private static final long LONGEST_INTERESTING_US = 50_000;

    private static final int LARGEST_VARIANCE = 400;
    /** Above that, C1 is preferred to polling whatever is predicted. */
    private static final int LONGEST_POLLED_US = 5;

    private static final int PER_IOWAITER = 10;
    private static final int PER_LOAD = 2;

    private final IdleStates states;
    private final boolean weighsLoad;
    private final int[] factors = new int[BUCKETS];
    private final long[] intervals = new long[INTERVALS];
    private int nextInterval;
    private int bucket;
    private int chosen;
    private long expectedUs;
    private long predictedUs;

    /**
     * @param weighsLoad 3.4: a loaded CPU avoids states that are slow to leave
     */
    public EarlyMenu(IdleStates states, boolean weighsLoad) {
        this.states = states;
        this.weighsLoad = weighsLoad;
        Arrays.fill(factors, UNITY);
    }

    @Override
    public int select(IdleEntry entry) {
        entry.keepTick = false;
        if (entry.latencyLimitUs == 0) {
            chosen = 0;
            return chosen;
        }
        expectedUs = !entry.dynamicTicks ? 0 : (entry.tickStopped ? entry.timerNs : entry.eventNs) / 1000;
        bucket = (entry.iowaiters > 0 ? BUCKETS / 2 : 0) + decade(expectedUs);
        long multiplier = latencyMultiplier(entry);
        predictedUs = (expectedUs * factors[bucket] + UNITY / 2) / UNITY;
        detectRepetition();
        chosen = expectedUs > LONGEST_POLLED_US ? states.shallowest() : 0;
        for (int state = states.shallowest(); state < states.count(); state++) {
            int exit = states.exitUs(state);
            if (states.residencyUs(state) <= predictedUs
                    && exit <= entry.latencyLimitUs
                    && exit * multiplier <= predictedUs) {
                chosen = state;
            }
        }
        return chosen;
    }

    /** By how much the idle period must be longer than the way out of the state. */
    private long latencyMultiplier(IdleEntry entry) {
        long multiplier = 1 + (long) PER_IOWAITER * entry.iowaiters;
        return weighsLoad ? multiplier + PER_LOAD * loadTerm(entry.cpuLoad) : multiplier;
    }

    /** Ten times the load, with a load of 2048 taken as one. */
    static long loadTerm(long load) {
        return 10 * (load >> 11) + ((load & 2047) * 100 >> 11) / 10;
    }

    private static int decade(long us) {
        int decade = 0;
        for (long limit = 10; decade < BUCKETS / 2 - 1 && us >= limit; limit *= 10) {
            decade++;
        }
        return decade;
    }

    private void detectRepetition() {
        long sum = 0;
        for (long interval : intervals) {
            sum += interval;
        }
        long average = sum / INTERVALS;
        if (average == 0 || average > expectedUs) {
            return;
        }
        long squares = 0;
        for (long interval : intervals) {
            squares += (interval - average) * (interval - average);
        }
        if (squares / INTERVALS < LARGEST_VARIANCE) {
            predictedUs = average;
        }
    }

    @Override
    public void reflect(long now, long residencyNs, boolean wokenByTick, boolean pollLimit) {
        // the polling state cannot measure how long it lasted
        long measured = states.polls(chosen) ? expectedUs : residencyNs / 1000;
        intervals[nextInterval] = measured;
        nextInterval = (nextInterval + 1) % INTERVALS;
        learn(measured > states.exitUs(chosen) ? measured - states.exitUs(chosen) : measured);
    }

    private void learn(long measuredUs) {
        long factor = (long) factors[bucket] * (DECAY - 1) / DECAY;
        factor += expectedUs > 0 && measuredUs < LONGEST_INTERESTING_US
                ? RESOLUTION * measuredUs / expectedUs
                : RESOLUTION;
        factors[bucket] = (int) Math.max(1, factor);
    }

    /** The predicted length of the idle period, µs, as of the last choice. */
    long predictedUs() {
        return predictedUs;
    }

    /** The correction of the bucket used last, {@value #UNITY} = none. */
    int factor() {
        return factors[bucket];
    }
}
