package dev.perch.kernel.fair;

import java.util.ArrayDeque;

/**
 * The limit on a task group's execution time: a pool that is refilled every period, from which the group's queues on all CPUs take slices,
 * and the queues that found it empty ({@code struct cfs_bandwidth}; spec: scheduler.md 1.20). Times are ns.
 *
 * <p>Limitations: a timer is never late, so that the doubling of periods of overrun timers does not occur; Linux 6.18 throttles a task on
 * its return to user mode, here it is throttled as before.
 */
final class Bandwidth {
    /** {@code sched_cfs_bandwidth_slice}. */
    private static final long SLICE = 5_000_000;
    /** What an emptied queue keeps. */
    private static final long KEPT = 1_000_000;

    private static final long SLACK = 5_000_000;
    private static final long SLACK_BEFORE_REFILL = 7_000_000;
    private static final long REFILL_SOON = 2_000_000;
    private static final long NEVER = LimitTimers.NEVER;

    private final TaskGroups.Limit limit;
    private final boolean voidsOld;
    private final boolean retries;
    private final ArrayDeque<FairQueue> throttled = new ArrayDeque<>();
    private long pool;
    private long refills;
    private long refillDue = NEVER;
    private long slackDue = NEVER;
    private int refillCpu;
    private int slackCpu;
    private boolean unused;
    private final LimitTimers timers;
    private final int timer;
    /** When each queue was throttled, by CPU. */
    private final long[] throttledAt;

    private long throttledNs;

    /**
     * @param voidsOld what a queue took in an earlier period is void, and a refill does not add to what is left
     * @param retries a queue that has used its runtime up asks once more before it is throttled
     * @param timer the group's number among the timers
     */
    Bandwidth(TaskGroups.Limit limit, boolean voidsOld, boolean retries, LimitTimers timers, int timer, int cpus) {
        this.limit = limit;
        this.voidsOld = voidsOld;
        this.retries = retries;
        this.timers = timers;
        this.timer = timer;
        throttledAt = new long[cpus];
        pool = limit.quotaNs();
    }

    long pool() {
        return pool;
    }

    /**
     * Charges a queue.
     *
     * @return whether nothing is left although something of it runs
     */
    boolean charge(FairQueue queue, long ran) {
        queue.remaining -= ran;
        if (voidsOld && queue.remainingFrom < refills) {
            queue.remaining = Math.min(queue.remaining, 0);
        }
        if (queue.remaining > 0) {
            return false;
        }
        take(queue, SLICE - queue.remaining);
        return queue.remaining <= 0 && queue.isQueuedHere(queue.current);
    }

    private void take(FairQueue queue, long wanted) {
        startRefills(queue.state);
        unused = false;
        long taken = Math.min(pool, wanted);
        pool -= taken;
        queue.remaining += taken;
        queue.remainingFrom = refills;
    }

    /** Whether a queue must stop; it may have asked once more. */
    boolean isExhausted(FairQueue queue) {
        if (queue.remaining > 0) {
            return false;
        }
        if (retries) {
            take(queue, 1 - queue.remaining);
        }
        return queue.remaining <= 0;
    }

    void throttle(FairQueue queue) {
        queue.throttled = true;
        throttled.addLast(queue);
        throttledAt[queue.state.cpu] = queue.state.clock();
        startRefills(queue.state);
    }

    private void startRefills(RunqueueState state) {
        if (refillDue == NEVER) {
            refillDue = state.clock() + limit.periodNs();
            refillCpu = state.cpu;
            timersChanged();
        }
    }

    private void timersChanged() {
        timers.set(timer, Math.min(refillDue, slackDue), slackDue < refillDue ? slackCpu : refillCpu);
    }

    /** How long queues of the group have been throttled, summed over CPUs ({@code throttled_time}), up to {@code now}. */
    long throttledNs(long now) {
        long sum = throttledNs;
        for (FairQueue queue : throttled) {
            sum += now - throttledAt[queue.state.cpu];
        }
        return sum;
    }

    /** The last entity has left a queue: what it does not keep goes back. */
    void giveBack(FairQueue queue) {
        long surplus = queue.remaining - KEPT;
        if (surplus <= 0 || voidsOld && queue.remainingFrom < refills) {
            return;
        }
        pool += surplus;
        queue.remaining -= surplus;
        long clock = queue.state.clock();
        if (pool > SLICE && !throttled.isEmpty() && slackDue == NEVER && refillDue - clock > SLACK_BEFORE_REFILL) {
            slackDue = clock + SLACK;
            slackCpu = queue.state.cpu;
            timersChanged();
        }
    }

    /** A timer is due: refills the pool at the end of a period, and gives what there is to throttled queues. */
    void expire(long now, Runqueue[] runqueues) {
        if (slackDue <= now) {
            slackDue = NEVER;
            if (refillDue - now >= REFILL_SOON) {
                distribute(now, runqueues);
            }
        }
        if (refillDue <= now) {
            refill(now, runqueues);
        }
        timersChanged();
    }

    private void refill(long now, Runqueue[] runqueues) {
        refills++;
        pool = voidsOld ? limit.quotaNs() : Math.min(pool + limit.quotaNs(), limit.quotaNs() + limit.burstNs());
        if (throttled.isEmpty() && unused) {
            refillDue = NEVER;
            return;
        }
        refillDue += limit.periodNs();
        if (throttled.isEmpty()) {
            unused = true;
        } else {
            distribute(now, runqueues);
            unused = false;
        }
    }

    private void distribute(long now, Runqueue[] runqueues) {
        for (int left = throttled.size(); left > 0 && pool > 0; left--) {
            FairQueue queue = throttled.removeFirst();
            long given = Math.min(1 - queue.remaining, pool);
            pool -= given;
            queue.remaining += given;
            queue.remainingFrom = refills;
            if (queue.remaining > 0) {
                queue.throttled = false;
                throttledNs += now - throttledAt[queue.state.cpu];
                runqueues[queue.state.cpu].unthrottle(queue, now);
            } else {
                throttled.addLast(queue);
            }
        }
    }
}
