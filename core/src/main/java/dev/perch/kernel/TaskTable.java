package dev.perch.kernel;

import dev.perch.model.CpuMask;

/**
 * What the scheduler keeps for every task, as parallel arrays indexed by task number.
 *
 * <p>Task 0 is the idle thread (one entry stands for those of all CPUs; it is on no queue). Tasks are numbered 1 … capacity − 1. The
 * fields are the kernel's, in its units: virtual and execution times in ns, weights with nice 0 = 1024.
 */
public final class TaskTable {
    /** Number of the idle thread. */
    public static final int IDLE_TASK = 0;

    /** Scheduling policy values of {@link #policy}. */
    public static final byte POLICY_NORMAL = 0;

    public static final byte POLICY_BATCH = 1;
    public static final byte POLICY_IDLE = 2;

    /** Load weight by nice value ({@code weight}); 3 for SCHED_IDLE; 0 for the idle thread. */
    public final int[] weight;

    /** 2^32 / weight, rounded, as the kernel tabulates it ({@code inv_weight}). */
    public final long[] inverseWeight;

    public final byte[] policy;

    /** Affinity ({@code cpus_allowed}). */
    public final CpuMask[] allowed;

    /** The CPU on whose queue the task is, or last was ({@code task_cpu}); −1 before its first placement. */
    public final int[] cpu;

    /** On a runqueue, running or waiting ({@code on_rq}). */
    public final boolean[] onQueue;

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

    /** A table for tasks 0 … capacity − 1. */
    public TaskTable(int capacity) {
        weight = new int[capacity];
        inverseWeight = new long[capacity];
        policy = new byte[capacity];
        allowed = new CpuMask[capacity];
        cpu = new int[capacity];
        onQueue = new boolean[capacity];
        onCpu = new boolean[capacity];
        vruntime = new long[capacity];
        execStart = new long[capacity];
        sumExec = new long[capacity];
        prevSumExec = new long[capacity];
        timelineIndex = new int[capacity];
        timelineTicket = new long[capacity];
        listNext = new int[capacity];
        listPrevious = new int[capacity];
        lastCpu = new int[capacity];
        java.util.Arrays.fill(allowed, CpuMask.empty());
        java.util.Arrays.fill(cpu, -1);
        java.util.Arrays.fill(timelineIndex, -1);
        java.util.Arrays.fill(lastCpu, -1);
    }

    public int capacity() {
        return weight.length;
    }
}
