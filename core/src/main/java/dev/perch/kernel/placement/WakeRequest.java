package dev.perch.kernel.placement;

import dev.perch.model.CpuMask;

/** One question to the placement rules: who wakes whom, from where. Mutable, so that its owner can reuse it for every wakeup. */
public final class WakeRequest {
    public WakeKind kind = WakeKind.WAKE;

    /** The CPU that the waker, or the interrupt, runs on. */
    public int thisCpu;

    /** The CPU that the wakee last ran on; FORK: the parent's; EXEC: its own. */
    public int prevCpu;

    /** The wake call says that the waker is about to sleep. */
    public boolean sync;

    /** The wakee's affinity; holds at least one CPU of the machine. */
    public CpuMask allowed = CpuMask.empty();

    /** Number of CPUs in {@link #allowed}. */
    public int allowedCount;

    /** Load weight of the wakee, nice 0 = 1024. */
    public int wakeeWeight;

    /** Load weight of the thread that runs on {@link #thisCpu}; 0 for the idle thread, which an interrupt may find there. */
    public int wakerWeight;

    /** Sets the affinity and its size. */
    public void allow(CpuMask cpus) {
        allowed = cpus;
        allowedCount = cpus.count();
    }
}
