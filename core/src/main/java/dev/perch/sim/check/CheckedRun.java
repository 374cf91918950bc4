package dev.perch.sim.check;

import dev.perch.model.CpuMask;

/** What the checks ask a run about, beside its tasks and queues. Times are ns; task 0 is the idle thread. */
public interface CheckedRun {
    /** What a CPU's time goes to. */
    enum TimeOf {
        /** A task, with whatever interrupts it. */
        TASK,
        /** The idle thread with nothing to do. */
        IDLE,
        /** Handlers of interrupts and the scheduler while no task runs. */
        INTERRUPT
    }

    /** What a task is called. */
    String nameOf(int task);

    /** All CPUs on which a task may ever be. */
    CpuMask allowed(int task);

    /** The task that a CPU runs or switches to. */
    int current(int cpu);

    TimeOf timeOf(int cpu);

    /** Idle time of a CPU so far, as its accounting has it. */
    long idleNs(int cpu);

    /** Whether a CPU is in an idle state and nothing has told it yet to leave. */
    boolean isAsleep(int cpu);

    /** Whether an interrupt is on its way to a CPU. */
    boolean interruptIsComing(int cpu);

    /** Whether tasks wait on a CPU's wake list. */
    boolean hasWakeList(int cpu);

    /** Whether a waker has the task in its hands: it waits for it, chooses its CPU, or has put it on a wake list. */
    boolean isHandedOver(int task);

    /** Whether the task has changed its own affinity and has not left its CPU yet. */
    boolean leavesCpu(int task);
}
