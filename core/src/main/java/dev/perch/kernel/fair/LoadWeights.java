package dev.perch.kernel.fair;

import dev.perch.kernel.TaskTable;

/**
 * Load weights of tasks and the fixed-point arithmetic on them (spec: scheduler.md 1.3 and 1.4; {@code prio_to_weight},
 * {@code prio_to_wmult}, {@code calc_delta_mine}, {@code calc_delta_fair} of Linux 3.2 to 3.8, 64-bit).
 *
 * <p>Results are rounded as those kernels round them; {@link VirtualTime} chooses between this and the truncating form of 3.13 and later.
 */
public final class LoadWeights {
    /** Weight of a nice-0 task. */
    public static final int NICE_0 = 1024;

    /** Weight of a task under SCHED_IDLE. */
    public static final int IDLE_POLICY = 3;

    /** 2^32, the inverse of weight 1. */
    private static final long ONE = 1L << 32;

    private static final long IDLE_POLICY_INVERSE = 1431655765L;

    private static final int[] WEIGHT = {
        88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916,
        9548, 7620, 6100, 4904, 3906, 3121, 2501, 1991, 1586, 1277,
        1024, 820, 655, 526, 423, 335, 272, 215, 172, 137,
        110, 87, 70, 56, 45, 36, 29, 23, 18, 15
    };

    private static final long[] INVERSE = {
        48388, 59856, 76040, 92818, 118348, 147320, 184698, 229616, 287308, 360437,
        449829, 563644, 704093, 875809, 1099582, 1376151, 1717300, 2157191, 2708050, 3363326,
        4194304, 5237765, 6557202, 8165337, 10153587, 12820798, 15790321, 19976592, 24970740, 31350126,
        39045157, 49367440, 61356676, 76695844, 95443717, 119304647, 148102320, 186737708, 238609294, 286331153
    };

    private LoadWeights() {}

    /** Weight of a nice value from −20 to 19. */
    public static int ofNice(int nice) {
        return WEIGHT[nice + 20];
    }

    /** 2^32 / weight, rounded, of a nice value from −20 to 19. */
    public static long inverseOfNice(int nice) {
        return INVERSE[nice + 20];
    }

    /**
     * Gives a task its policy, weight and inverse weight. The task must not be on a runqueue.
     *
     * @param policy one of the policies of {@link TaskTable}
     * @param nice −20 to 19; without meaning under SCHED_IDLE
     */
    public static void assign(TaskTable tasks, int task, byte policy, int nice) {
        if (tasks.onQueue[task]) {
            throw new IllegalStateException("task " + task + " is queued");
        }
        boolean idle = policy == TaskTable.POLICY_IDLE;
        tasks.policy[task] = policy;
        tasks.rtPriority[task] = 0;
        tasks.prio[task] = TaskTable.prioOfNice(nice);
        tasks.weight[task] = idle ? IDLE_POLICY : ofNice(nice);
        tasks.inverseWeight[task] = idle ? IDLE_POLICY_INVERSE : inverseOfNice(nice);
    }

    /**
     * Gives a task a real-time policy and its priority. The task must not be on a runqueue.
     *
     * @param policy {@link TaskTable#POLICY_FIFO} or {@link TaskTable#POLICY_RR}
     * @param priority 1 to 99, higher first
     */
    public static void assignRealTime(TaskTable tasks, int task, byte policy, int priority) {
        if (tasks.onQueue[task]) {
            throw new IllegalStateException("task " + task + " is queued");
        }
        if (policy < TaskTable.POLICY_FIFO || priority < 1 || priority > 99) {
            throw new IllegalArgumentException("policy " + policy + ", priority " + priority);
        }
        tasks.policy[task] = policy;
        tasks.rtPriority[task] = priority;
        tasks.prio[task] = TaskTable.prioOfRealTime(priority);
        tasks.weight[task] = 0;
        tasks.inverseWeight[task] = 0;
    }

    /** 2^32 / total, truncated: the inverse that a kernel computes for the summed weight of a queue; 2^32 for an empty one. */
    public static long inverseOfTotal(long total) {
        return total == 0 ? ONE : ONE / total;
    }

    /**
     * {@code delta} · {@code weight} / L, with L given by its inverse.
     *
     * @param delta ns, not negative; {@code delta} · {@code weight} must fit in 63 bits
     * @param inverse of L, from a task or from {@link #inverseOfTotal}
     */
    public static long weightedDelta(long delta, long weight, long inverse) {
        long product = weight > 1 ? delta * weight : delta;
        return product > ONE
                ? shiftRounded(shiftRounded(product, 16) * inverse, 16)
                : shiftRounded(product * inverse, 32);
    }

    private static long shiftRounded(long value, int bits) {
        return value + (1L << bits - 1) >>> bits;
    }

    /** Virtual time that {@code delta} ns of execution are for a task; exactly {@code delta} at nice 0. */
    public static long virtualDelta(long delta, int weight, long inverse) {
        return weight == NICE_0 ? delta : weightedDelta(delta, NICE_0, inverse);
    }
}
