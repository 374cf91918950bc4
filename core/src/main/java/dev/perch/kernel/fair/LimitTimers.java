package dev.perch.kernel.fair;

import java.util.Arrays;

/**
 * The timers that end a throttling: one for each limited task group, its refills and its slack timer ({@code period_timer}, {@code
 * slack_timer} of {@code struct cfs_bandwidth}), and one for each CPU, the next period of its real-time tasks ({@code rt_period_timer}).
 * Whoever keeps time asks {@link Runqueues} when they are due. Times are ns.
 */
final class LimitTimers {
    static final long NEVER = Long.MAX_VALUE;

    private final long[] due;
    private final int[] cpu;
    private boolean changed;

    LimitTimers(int count) {
        due = new long[count];
        cpu = new int[count];
        Arrays.fill(due, NEVER);
    }

    int count() {
        return due.length;
    }

    /** A timer runs on a CPU until {@code at}, or not any more: {@link #NEVER}. */
    void set(int timer, long at, int onCpu) {
        if (due[timer] != at || cpu[timer] != onCpu) {
            due[timer] = at;
            cpu[timer] = onCpu;
            changed = true;
        }
    }

    long due(int timer) {
        return due[timer];
    }

    int cpu(int timer) {
        return cpu[timer];
    }

    /** Whether a timer was set since the last question. */
    boolean takeChanged() {
        boolean was = changed;
        changed = false;
        return was;
    }
}
