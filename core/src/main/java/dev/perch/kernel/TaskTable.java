package dev.perch.kernel;

import dev.perch.model.CpuMask;

/**
 * What the scheduler keeps for every task, as parallel arrays indexed by task number.
 *
 * <p>Task 0 is the idle thread (one entry stands for those of all CPUs; it is on no queue). Tasks are numbered 1 … capacity − 1. The
 * fields are the kernel's, in its units: virtual and execution times in ns, weights with nice 0 = 1024.
 *
 * <p>The fields of {@code struct sched_entity} also exist for group entities, the faces of task groups on a CPU's queues; their numbers
 * follow those of the tasks.
 */
public final class TaskTable {
    /** Number of the idle thread. */
    public static final int IDLE_TASK = 0;

    /** Scheduling policy values of {@link #policy}. */
    public static final byte POLICY_NORMAL = 0;

    public static final byte POLICY_BATCH = 1;
    public static final byte POLICY_IDLE = 2;
    public static final byte POLICY_FIFO = 3;
    public static final byte POLICY_RR = 4;

    /** {@link #prio} of nice 0. */
    public static final int NICE_0_PRIO = 120;

    /** {@link #prio} of real-time priority 0, which no task has. */
    private static final int RT_PRIORITY_0_PRIO = 99;

    /** Load weight by nice value ({@code weight}); 3 for SCHED_IDLE; 0 for the idle thread and for real-time tasks. */
    public final int[] weight;

    /** 2^32 / weight, rounded, as the kernel tabulates it ({@code inv_weight}). */
    public final long[] inverseWeight;

    /** Of a task; a group entity is under SCHED_IDLE if its group is ({@code cpu.idle}), else SCHED_NORMAL. */
    public final byte[] policy;

    /** Real-time priority of SCHED_FIFO and SCHED_RR, 1 to 99, higher first; 0 under other policies. */
    public final int[] rtPriority;

    /** The kernel's priority: 0 to 98 for real-time priorities from 99 down to 1, 120 + nice for fair tasks and the idle thread ({@code prio}). */
    public final int[] prio;

    /** Task group, 0 for the root group. */
    public final int[] group;

    /** Affinity ({@code cpus_allowed}). */
    public final CpuMask[] allowed;

    /** The CPU on whose queue the task is, or last was ({@code task_cpu}); −1 before its first placement. */
    public final int[] cpu;

    /** On a runqueue, running or waiting ({@code on_rq}). */
    public final boolean[] onQueue;

    /**
     * The CPU was changed since the task was last queued, by a wakeup or by balancing ({@code ENQUEUE_MIGRATED}); kept by the
     * runqueues.
     */
    public final boolean[] migrated;

    /** Executing, or its CPU has not finished switching away from it ({@code on_cpu}). */
    public final boolean[] onCpu;

    /** Virtual runtime ({@code vruntime}). */
    public final long[] vruntime;

    /** Start of the current stretch of execution ({@code exec_start}), in the clock of its runqueue. */
    public final long[] execStart;

    /** Total execution time ({@code sum_exec_runtime}). */
    public final long[] sumExec;

    /** {@link #sumExec} when the task was last picked ({@code prev_sum_exec_runtime}). */
    public final long[] prevSumExec;

    /** Request size of EEVDF, ns ({@code slice}); 0 before the first enqueue. */
    public final long[] slice;

    /** {@link #slice} was chosen, by {@code sched_setattr} or for a group, and is not the base slice ({@code custom_slice}). */
    public final boolean[] customSlice;

    /** Virtual deadline of EEVDF ({@code deadline}). */
    public final long[] deadline;

    /** {@link #deadline} is relative to the virtual runtime until the next placement ({@code rel_deadline}). */
    public final boolean[] relativeDeadline;

    /** How far the task was behind the queue's average when it left, virtual ns ({@code vlag}). */
    public final long[] lag;

    /** The task sleeps but stays queued until its lag is made up ({@code sched_delayed}). */
    public final boolean[] delayed;

    /** Up to where a running task is protected from others: by its deadline until 6.17, a virtual time since ({@code vprot}). */
    public final long[] protection;

    /** Place of a waiting task in the timeline of its runqueue ({@code run_node}), or −1; kept by the timeline. */
    public final int[] timelineIndex;

    /** Order of insertion in the timeline, first come first served among equal virtual runtimes; kept by the timeline. */
    public final long[] timelineTicket;

    /** Next older task in the balance list of the runqueue ({@code group_node}), or 0 at its end; kept by the runqueue. */
    public final int[] listNext;

    /** Next newer task in the balance list of the runqueue, or 0 at its head; kept by the runqueue. */
    public final int[] listPrevious;

    /** CPU on which the task last executed, or −1; for the refill of its private caches. */
    public final int[] lastCpu;

    private final int capacity;

    /** A table for tasks 0 … capacity − 1, without task groups. */
    public TaskTable(int capacity) {
        this(capacity, 0);
    }

    /** A table for tasks 0 … capacity − 1 and group entities capacity … capacity + groupEntities − 1. */
    public TaskTable(int capacity, int groupEntities) {
        this.capacity = capacity;
        int entities = capacity + groupEntities;
        weight = new int[entities];
        inverseWeight = new long[entities];
        policy = new byte[entities];
        rtPriority = new int[capacity];
        prio = new int[capacity];
        group = new int[capacity];
        allowed = new CpuMask[capacity];
        cpu = new int[capacity];
        onQueue = new boolean[entities];
        migrated = new boolean[entities];
        onCpu = new boolean[capacity];
        vruntime = new long[entities];
        execStart = new long[entities];
        sumExec = new long[entities];
        prevSumExec = new long[entities];
        slice = new long[entities];
        customSlice = new boolean[entities];
        deadline = new long[entities];
        relativeDeadline = new boolean[entities];
        lag = new long[entities];
        delayed = new boolean[entities];
        protection = new long[entities];
        timelineIndex = new int[entities];
        timelineTicket = new long[entities];
        listNext = new int[capacity];
        listPrevious = new int[capacity];
        lastCpu = new int[capacity];
        java.util.Arrays.fill(prio, NICE_0_PRIO);
        java.util.Arrays.fill(allowed, CpuMask.empty());
        java.util.Arrays.fill(cpu, -1);
        java.util.Arrays.fill(timelineIndex, -1);
        java.util.Arrays.fill(lastCpu, -1);
    }

    /** How many tasks there are, the idle thread included; also the number of the first group entity. */
    public int capacity() {
        return capacity;
    }

    /** How many entities there are: the tasks and the group entities. */
    public int entityCount() {
        return weight.length;
    }

    /** {@link #prio} of a nice value, −20 to 19. */
    public static int prioOfNice(int nice) {
        return NICE_0_PRIO + nice;
    }

    /** {@link #prio} of a real-time priority, 1 to 99. */
    public static int prioOfRealTime(int rtPriority) {
        return RT_PRIORITY_0_PRIO - rtPriority;
    }

    /** Whether a task is of a fair policy; the idle thread counts as one. */
    public boolean isFair(int task) {
        return policy[task] < POLICY_FIFO;
    }
}
