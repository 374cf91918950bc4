package dev.perch.model;

/**
 * The stream of scheduler events that everything downstream reads: a simulated run and a recording of a real machine are the same thing.
 *
 * <p>A push interface with primitive arguments, one method an event kind, named as the kernel's tracepoint; nothing is allocated per
 * event. An implementation overrides what it needs.
 *
 * <ul>
 *   <li>{@code ns}: nanoseconds in the clock of the source; never decreasing over the whole stream.
 *   <li>{@code cpu}: where it happened; −1 if the source does not tell. {@code current}: pid of the task in whose context it happened
 *       (0: the idle thread; −1: not known).
 *   <li>tasks are pids; 0 is the idle thread of the CPU that the event is about. What a pid is called: {@link TaskNames}.
 *   <li>{@code prio}: the kernel's 0 … 139 (100 + 20 + nice for fair tasks), or −1 if the source does not tell.
 *   <li>{@code context}: {@link #IN_HARDIRQ}, {@link #IN_SOFTIRQ}, or {@link #CONTEXT_UNKNOWN}.
 * </ul>
 */
public interface SchedEvents {
    /** {@code context}: task context. */
    int IN_TASK = 0;

    /** {@code context}: inside a hardware interrupt. */
    int IN_HARDIRQ = 1;

    /** {@code context}: inside a software interrupt. */
    int IN_SOFTIRQ = 2;

    /** {@code context}: the source does not tell. */
    int CONTEXT_UNKNOWN = 4;

    /** A CPU changes from one task to another (sched_switch). */
    default void switched(long ns, int cpu, int prev, int prevPrio, TaskState prevState, int next, int nextPrio) {}

    /** {@code wakee}, whose CPU is {@code prevCpu}, is about to be woken; no CPU has been chosen yet (sched_waking). */
    default void waking(long ns, int cpu, int current, int context, int wakee, int prio, int prevCpu) {}

    /** {@code wakee} was put on the queue of {@code targetCpu}, or found there still (sched_wakeup). */
    default void wakeup(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {}

    /** A new task was put on a queue for the first time (sched_wakeup_new). */
    default void wakeupNew(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {}

    /** A task that does not run changes its CPU (sched_migrate_task). */
    default void migrated(long ns, int cpu, int current, int task, int prio, int fromCpu, int toCpu) {}

    /** {@code parent} has created {@code child} (sched_process_fork). */
    default void forked(long ns, int cpu, int parent, int child) {}

    /** A task runs another program from now on; {@code oldPid} is its pid before, mostly the same (sched_process_exec). */
    default void exec(long ns, int cpu, int pid, int oldPid) {}

    /** A task ends (sched_process_exit). */
    default void exited(long ns, int cpu, int pid, int prio) {}

    /** The last trace of a task is gone, its pid may be given to another (sched_process_free). */
    default void freed(long ns, int cpu, int pid) {}

    /** {@code cpu} saved an interrupt: the idle {@code targetCpu} watches its flags (sched_wake_idle_without_ipi). */
    default void wakeIdleWithoutIpi(long ns, int cpu, int targetCpu) {}

    /** A CPU enters idle state {@code state}, 0 … (cpu_idle), or leaves it: {@code state} is −1. */
    default void idle(long ns, int cpu, int state) {}

    /** The clock of a CPU as a governor requested it, kHz (cpu_frequency). */
    default void frequency(long ns, int cpu, int khz) {}

    /** A reschedule or function-call interrupt was sent to another CPU (ipi_send_cpu and its kin). */
    default void ipiSent(long ns, int cpu, int targetCpu) {}

    /** A reschedule interrupt is being handled (reschedule_entry). */
    default void rescheduleIpi(long ns, int cpu) {}

    /** A function-call interrupt is being handled (call_function_entry, call_function_single_entry). */
    default void callFunctionIpi(long ns, int cpu) {}

    /** {@code pid} has executed for {@code runtimeNs} more (sched_stat_runtime). */
    default void runtime(long ns, int cpu, int pid, long runtimeNs) {}

    /** {@code count} events of a CPU were lost between its last one and {@code ns}; −1 if their number is not known. */
    default void lost(long ns, int cpu, long count) {}
}
