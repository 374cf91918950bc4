package dev.perch.kernel.load;

/**
 * What part of its shares a task group has on a CPU: its load there out of its load everywhere ({@code calc_cfs_shares}, {@code
 * calc_group_shares}, {@code update_cfs_load}, {@code update_tg_load_avg}; spec: scheduler.md 1.19).
 *
 * <p>Each queue of a group on a CPU contributes a load to the group's total, which is refreshed only when the load has moved far enough,
 * so that CPUs do not fight over one counter. Until 3.7 that load is an average of the queue's weight over a window of 10 ms ({@link
 * #averageWindow}), later one of the averages ({@link #contribute}). Queues and groups are numbers; the root group has none. Limitation:
 * that 3.8 to 4.2 move from an eighth on is taken over from 3.2, not read.
 */
public final class GroupShares {
    /** Least shares, and least weight of a group on a CPU ({@code MIN_SHARES}). */
    public static final long MIN = 2;

    /** Greatest shares ({@code MAX_SHARES}). */
    public static final long MAX = 1 << 18;

    /** {@code sysctl_sched_shares_window}, ns. */
    private static final long WINDOW = 10_000_000;

    /** From 6.6 on, ns between two contributions of a queue. */
    private static final long RATE = 1_000_000;

    private final int moveFraction;
    private final boolean rated;
    private final long[] total;
    private final long[] contribution;
    private final long[] stamp;
    private final long[] lastBusy;
    private final long[] period;
    private final long[] accumulated;

    /** Groups without load. */
    public GroupShares(LoadTracking tracking, int groups, int queues) {
        moveFraction = switch (tracking.shares()) {
            case WINDOW, FIRST_AVERAGES -> 8;
            case AVERAGES -> 64;
        };
        rated = tracking.ratesContributions();
        total = new long[groups];
        contribution = new long[queues];
        stamp = new long[queues];
        lastBusy = new long[queues];
        period = new long[queues];
        accumulated = new long[queues];
    }

    /**
     * Accounts the weight that a queue has had since the last call, and refreshes its contribution at the end of a window; until 3.7,
     * before every change of the weight.
     *
     * @param taskClock of the CPU, ns
     * @param weight summed weight of what is queued, before the change
     * @param force refreshes whatever the difference, as balancing does
     */
    public void averageWindow(int queue, int group, long taskClock, long weight, boolean force) {
        long passed = taskClock - stamp[queue];
        if (stamp[queue] > lastBusy[queue] && taskClock - lastBusy[queue] > 4 * WINDOW) {
            period[queue] = 0;
            accumulated[queue] = 0;
            passed = WINDOW - 1;
        }
        stamp[queue] = taskClock;
        period[queue] += passed;
        if (weight > 0) {
            lastBusy[queue] = taskClock;
            accumulated[queue] += passed * weight;
        }
        if (force || period[queue] > WINDOW || period[queue] == 0) {
            long load = accumulated[queue] / (period[queue] + 1);
            if (force || Math.abs(load - contribution[queue]) > contribution[queue] / moveFraction) {
                setContribution(queue, group, load);
            }
        }
        while (period[queue] > WINDOW) {
            period[queue] /= 2;
            accumulated[queue] /= 2;
        }
    }

    /**
     * Refreshes a queue's contribution if its load has moved far enough; from 3.8 on, after each update of the averages.
     *
     * @param now of the CPU's scheduler clock, ns; looked at from 6.6 on
     * @param load average of the queue; until 4.2 runnable and blocked load
     */
    public void contribute(int queue, int group, long now, long load) {
        if (rated && now - stamp[queue] < RATE) {
            return;
        }
        if (Math.abs(load - contribution[queue]) > contribution[queue] / moveFraction) {
            setContribution(queue, group, load);
            stamp[queue] = now;
        }
    }

    private void setContribution(int queue, int group, long load) {
        total[group] += load - contribution[queue];
        contribution[queue] = load;
    }

    /**
     * Weight of the group's entity on the CPU of {@code queue}.
     *
     * @param shares of the group, nice 0 = 1024
     * @param load of the queue: its summed weight, from 4.3 on the greater of that and its load average
     * @return from {@link #MIN} to {@code shares}
     */
    public long weight(int queue, int group, long shares, long load) {
        long everywhere = total[group] - contribution[queue] + load;
        long weight = shares * load;
        if (everywhere > 0) {
            weight /= everywhere;
        }
        return Math.max(MIN, Math.min(weight, shares));
    }

    /** Load of the group everywhere, as far as it has been contributed. */
    public long total(int group) {
        return total[group];
    }

    /** What a queue has contributed to its group. */
    public long contribution(int queue) {
        return contribution[queue];
    }
}
