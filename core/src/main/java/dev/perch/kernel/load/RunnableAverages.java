package dev.perch.kernel.load;

import java.util.Arrays;

/**
 * The first averages of entities: what share of the time an entity was runnable, the part of its weight that this makes, and for each
 * runqueue the sums of such contributions of what is queued and of what sleeps ({@code struct sched_avg} with {@code runnable_avg_sum},
 * {@code load_avg_contrib}, {@code runnable_load_avg}, {@code blocked_load_avg} of Linux 3.8 to 4.2; spec: scheduler.md 3.8).
 *
 * <p>Entities and queues are numbers. Times are ns of the runqueue's task clock, sums in units of 1024 ns. An entity that sleeps stays in
 * the blocked load of its queue, which decays once per 2^20 ns, until it is enqueued again or {@link #removed}. Limitations: the kernel's
 * outline, read in 3.13; what groups contribute to their parents is {@link GroupShares}.
 */
public final class RunnableAverages {
    /** Binary logarithm of the ns between two decays of blocked load. */
    private static final int DECAY_SHIFT = 20;

    /** Periods after which a sum is at its limit. */
    private static final int FULL_AFTER = 345;

    /** Sum of so many full periods ({@code runnable_avg_yN_sum}). */
    private static final int[] FULL_PERIODS = {
        0, 1002, 1982, 2941, 3880, 4798, 5697, 6576, 7437, 8279, 9103, 9909, 10698, 11470, 12226, 12966, 13690, 14398, 15091,
        15769, 16433, 17082, 17718, 18340, 18949, 19545, 20128, 20698, 21256, 21802, 22336, 22859, 23371
    };

    private static final Pelt PELT = Pelt.UNTIL_4_11;
    private static final int NOWHERE = -1;

    private long[] last;
    private long[] runnableSum;
    private long[] periodSum;
    private long[] contribution;
    private int[] blockedOn;
    private long[] blockedSince;
    private final long[] runnableLoad;
    private final long[] blockedLoad;
    private final long[] removedLoad;
    private final long[] decays;
    private final long[] lastDecay;

    public RunnableAverages(int entities, int queues) {
        last = new long[entities];
        runnableSum = new long[entities];
        periodSum = new long[entities];
        contribution = new long[entities];
        blockedOn = new int[entities];
        blockedSince = new long[entities];
        Arrays.fill(blockedOn, NOWHERE);
        runnableLoad = new long[queues];
        blockedLoad = new long[queues];
        removedLoad = new long[queues];
        decays = new long[queues];
        lastDecay = new long[queues];
    }

    /** Makes room for at least {@code entities}; allocates. */
    public void ensure(int entities) {
        int had = last.length;
        if (entities > had) {
            last = Arrays.copyOf(last, entities);
            runnableSum = Arrays.copyOf(runnableSum, entities);
            periodSum = Arrays.copyOf(periodSum, entities);
            contribution = Arrays.copyOf(contribution, entities);
            blockedOn = Arrays.copyOf(blockedOn, entities);
            blockedSince = Arrays.copyOf(blockedSince, entities);
            Arrays.fill(blockedOn, had, entities, NOWHERE);
        }
    }

    /**
     * A new entity.
     *
     * @param now ns
     * @param units time for which it counts as having been runnable already: its slice, units of 1024 ns
     */
    public void begin(int entity, long now, long units, long weight) {
        last[entity] = now;
        runnableSum[entity] = units;
        periodSum[entity] = units;
        blockedOn[entity] = NOWHERE;
        contribute(entity, weight);
    }

    /** Brings an entity up to {@code now}, queued or blocked on {@code queue}, and that queue's load with it. */
    public void update(int entity, int queue, long now, long weight, boolean queued) {
        if (!step(entity, now, queued)) {
            return;
        }
        long before = contribution[entity];
        contribute(entity, weight);
        long change = contribution[entity] - before;
        if (queued) {
            runnableLoad[queue] += change;
        } else {
            blockedLoad[queue] = Math.max(0, blockedLoad[queue] + change);
        }
    }

    /** The sums at {@code now}; says whether a period has ended. */
    boolean step(int entity, long now, boolean runnable) {
        long units = now - last[entity];
        if (units < 0) {
            last[entity] = now;
            return false;
        }
        units >>= Pelt.UNIT_SHIFT;
        if (units == 0) {
            return false;
        }
        last[entity] = now;
        long begun = periodSum[entity] % Pelt.PERIOD;
        boolean ended = begun + units >= Pelt.PERIOD;
        if (ended) {
            long end = Pelt.PERIOD - begun;
            add(entity, end, runnable);
            long rest = units - end;
            long periods = rest / Pelt.PERIOD;
            runnableSum[entity] = PELT.decay(runnableSum[entity], periods + 1);
            periodSum[entity] = PELT.decay(periodSum[entity], periods + 1);
            add(entity, ofFullPeriods(periods), runnable);
            units = rest % Pelt.PERIOD;
        }
        add(entity, units, runnable);
        return ended;
    }

    private void add(int entity, long units, boolean runnable) {
        periodSum[entity] += units;
        if (runnable) {
            runnableSum[entity] += units;
        }
    }

    /** What so many full periods, the last just ended, add to a sum ({@code __compute_runnable_contrib}). */
    static long ofFullPeriods(long periods) {
        if (periods < FULL_PERIODS.length) {
            return FULL_PERIODS[(int) periods];
        }
        if (periods >= FULL_AFTER) {
            return Pelt.MAX;
        }
        long sum = 0;
        long left = periods;
        while (left > Pelt.HALF_LIFE) {
            sum = sum / 2 + FULL_PERIODS[Pelt.HALF_LIFE];
            left -= Pelt.HALF_LIFE;
        }
        return PELT.decay(sum, left) + FULL_PERIODS[(int) left];
    }

    private void contribute(int entity, long weight) {
        contribution[entity] = runnableSum[entity] * weight / (periodSum[entity] + 1);
    }

    /** The entity is enqueued: new, moved, or after a sleep. */
    public void enqueue(int entity, int queue, long now, long weight) {
        int slept = blockedOn[entity];
        if (slept == NOWHERE) {
            ageBlocked(queue, now, true);
        } else {
            if (slept != queue) {
                throw new IllegalStateException("entity " + entity + " sleeps in the load of queue " + slept
                        + ", not of " + queue + "; it has not been removed there");
            }
            synchronize(entity, queue);
            blockedLoad[queue] = Math.max(0, blockedLoad[queue] - contribution[entity]);
            blockedOn[entity] = NOWHERE;
            if (step(entity, now, false)) {
                contribute(entity, weight);
            }
            ageBlocked(queue, now, false);
        }
        runnableLoad[queue] += contribution[entity];
    }

    /**
     * The entity is dequeued.
     *
     * @param sleeps it stays in the queue's blocked load; otherwise it is moved
     */
    public void dequeue(int entity, int queue, long now, long weight, boolean sleeps) {
        update(entity, queue, now, weight, true);
        ageBlocked(queue, now, !sleeps);
        runnableLoad[queue] -= contribution[entity];
        if (sleeps) {
            blockedLoad[queue] += contribution[entity];
            blockedOn[entity] = queue;
            blockedSince[entity] = decays[queue];
        }
    }

    /**
     * A sleeping entity is woken on another CPU: its old queue forgets it at that queue's next decay.
     *
     * @param now time of the new CPU, from which its sleep is counted back in whole periods
     */
    public void removed(int entity, long now, long weight) {
        int queue = blockedOn[entity];
        if (queue == NOWHERE) {
            throw new IllegalStateException("entity " + entity + " does not sleep in the load of any queue");
        }
        long periods = synchronize(entity, queue);
        removedLoad[queue] += contribution[entity];
        blockedOn[entity] = NOWHERE;
        last[entity] = now - (periods << DECAY_SHIFT);
        if (step(entity, now, false)) {
            contribute(entity, weight);
        }
    }

    /** Decays the entity's contribution as often as the blocked load that it is part of; says how often. */
    private long synchronize(int entity, int queue) {
        long periods = decays[queue] - blockedSince[entity];
        contribution[entity] = PELT.decay(contribution[entity], periods);
        blockedSince[entity] = decays[queue];
        return periods;
    }

    /**
     * Decays the blocked load of a queue, if a period of 2^20 ns has begun since the last time.
     *
     * @param force takes off what has been removed even if none has
     */
    public void ageBlocked(int queue, long now, boolean force) {
        long period = now >> DECAY_SHIFT;
        long passed = period - lastDecay[queue];
        if (passed <= 0 && !force) {
            return;
        }
        blockedLoad[queue] = Math.max(0, blockedLoad[queue] - removedLoad[queue]);
        removedLoad[queue] = 0;
        if (passed > 0) {
            blockedLoad[queue] = PELT.decay(blockedLoad[queue], passed);
            decays[queue] += passed;
            lastDecay[queue] = period;
        }
    }

    /** The part of its weight for which the entity counts ({@code load_avg_contrib}). */
    public long contribution(int entity) {
        return contribution[entity];
    }

    /** Contributions of what is queued ({@code runnable_load_avg}): the load of a CPU from 3.11 to 4.2. */
    public long runnableLoad(int queue) {
        return runnableLoad[queue];
    }

    /** Contributions of what sleeps ({@code blocked_load_avg}). */
    public long blockedLoad(int queue) {
        return blockedLoad[queue];
    }

    /** Units in which the entity was runnable, decayed. */
    long runnableSum(int entity) {
        return runnableSum[entity];
    }

    /** All units, decayed. */
    long periodSum(int entity) {
        return periodSum[entity];
    }
}
