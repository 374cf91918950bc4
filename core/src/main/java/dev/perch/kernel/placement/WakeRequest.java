package dev.perch.kernel.placement;

import dev.perch.model.CpuMask;

/**
 * One question to the placement rules: who wakes whom, from where. Mutable, so that its owner can reuse it for every wakeup; what a
 * kernel's rules do not read need not be filled.
 */
public final class WakeRequest {
    public WakeKind kind = WakeKind.WAKE;

    /** The CPU that the waker, or the interrupt, runs on. */
    public int thisCpu;

    /** The CPU that the wakee last ran on; FORK: the parent's; EXEC: its own. */
    public int prevCpu;

    /** The wake call says that the waker is about to sleep. */
    public boolean sync;

    /** The wake call asks for the waker's CPU ({@code WF_CURRENT_CPU}, 6.6+). */
    public boolean currentCpu;

    /** The wakeup comes from an interrupt, not from the task on {@link #thisCpu} ({@code !in_task()}). */
    public boolean fromInterrupt;

    /** The task on {@link #thisCpu} is a kernel thread bound to one CPU. */
    public boolean wakerIsPerCpuKthread;

    /** The wakee's affinity; holds at least one CPU of the machine. */
    public CpuMask allowed = CpuMask.empty();

    /** Number of CPUs in {@link #allowed}. */
    public int allowedCount;

    /** Load weight of the wakee, nice 0 = 1024. */
    public int wakeeWeight;

    /** Load weight of the thread that runs on {@link #thisCpu}; 0 for the idle thread, which an interrupt may find there. */
    public int wakerWeight;

    /** PELT load of the wakee as its part of the root load ({@code task_h_load}); 4.3 – 4.12 its own, whatever its group. */
    public long wakeeLoad;

    /** PELT load of the thread on {@link #thisCpu}, as {@link #wakeeLoad}. */
    public long wakerLoad;

    /** Task groups of the wakee and of the thread on {@link #thisCpu}; kernels to 4.12 hand them to {@link CpuView#groups}. */
    public int wakeeGroup = EffectiveLoads.ROOT;

    public int wakerGroup = EffectiveLoads.ROOT;

    /** Utilisation of the wakee, the greater of PELT and estimate, 0–1024 ({@code task_util_est}). */
    public int wakeeUtil;

    /** PELT utilisation of the wakee alone, 0–1024 ({@code task_util}); 4.9+. */
    public int wakeeUtilAvg;

    /** PELT runnable average of the wakee ({@code se.avg.runnable_avg}); 5.7+. */
    public long wakeeRunnable;

    /** Utilisation clamps of the wakee, 0–1024 ({@code uclamp}); 5.3+. */
    public int uclampMin;

    public int uclampMax = 1024;

    /** {@code wakee_flips} of the wakee, and of the waker once this wakeup has been recorded in it; 3.12+. */
    public int wakeeFlips;

    public int wakerFlips;

    /** {@code recent_used_cpu} of the wakee; the rules of 4.16+ write it. */
    public int recentCpu;

    /** {@code recent_used_cpu} of the waker; the rules of 4.16 – 5.14 write it. */
    public int wakerRecentCpu;

    /** EXEC: the task is queued on {@link #prevCpu} and counts there. */
    public boolean queuedOnPrev;

    /** Node that NUMA balancing prefers for the wakee; −1 for none. */
    public int preferredNode = -1;

    /** Sets the affinity and its size. */
    public void allow(CpuMask cpus) {
        allowed = cpus;
        allowedCount = cpus.count();
    }
}
