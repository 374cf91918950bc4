package dev.perch.model;

/**
 * The stream of scheduler events that everything downstream reads: a simulated run and a recording of a real machine are the same thing.
 *
 * <p>A push interface with primitive arguments, one method an event kind, so that nothing is allocated per event. Times are nanoseconds
 * in the clock of the source, never decreasing. Tasks are numbers; {@code 0} is the idle thread of whatever CPU the event is on. An
 * implementation overrides what it needs.
 */
public interface SchedEvents {
    /** The state in which a task left its CPU: still runnable (preempted). */
    int RUNNABLE = 0;

    /** The state in which a task left its CPU: waiting. */
    int SLEEPING = 1;

    /** A CPU changes from one task to another (sched_switch). {@code prevState} is {@link #RUNNABLE} or {@link #SLEEPING}. */
    default void switched(long ns, int cpu, int prevTask, int prevState, int nextTask) {}

    /** {@code waker}, running on {@code cpu}, is about to wake {@code wakee}, which last ran on {@code prevCpu} (sched_waking). */
    default void waking(long ns, int cpu, int waker, int wakee, int prevCpu) {}

    /** {@code wakee} was put on the queue of {@code targetCpu}, by {@code cpu} (sched_wakeup). */
    default void wakeup(long ns, int cpu, int wakee, int targetCpu) {}

    /** A task changes its CPU while it is not running (sched_migrate_task); {@code cpu} did it. */
    default void migrated(long ns, int cpu, int task, int fromCpu, int toCpu) {}

    /** A CPU enters idle state {@code state} (0 polling, 1 C1, …), or leaves it: −1 (cpu_idle). */
    default void idle(long ns, int cpu, int state) {}

    /** The clock of a CPU as a governor requested it, kHz (cpu_frequency). */
    default void frequency(long ns, int cpu, int khz) {}

    /** A reschedule interrupt was sent from one CPU to another. */
    default void ipiSent(long ns, int cpu, int targetCpu) {}

    /** A reschedule interrupt arrived. */
    default void ipiReceived(long ns, int cpu) {}
}
