package dev.perch.model;

import java.util.Locale;

/**
 * The steps of the kernel that a machine file gives a {@link Cost} for (spec: scheduler.md 5.9). The name in a file is the constant's
 * in lower case with hyphens ({@code switch-process}).
 */
public enum CostItem {
    /** Looking at one CPU's runqueue during placement: is it idle, how loaded is it. */
    PROBE,
    /** One operation on a CPU mask during placement. */
    MASK_OP,
    /** Taking and releasing a runqueue lock. */
    RUNQUEUE_LOCK,
    /** Putting a task on a runqueue. */
    ENQUEUE,
    /** Deciding whether a woken task preempts. */
    PREEMPTION_CHECK,
    /** From the decision to block until the task is off its runqueue. */
    DEQUEUE,
    /** Choosing the next task and making it current. */
    PICK,
    /** Context switch between two processes. */
    SWITCH_PROCESS,
    /** Context switch between two threads of one process. */
    SWITCH_THREAD,
    /** Context switch between a task and the idle thread, either way. */
    SWITCH_IDLE,
    /** Sending an interrupt to another CPU, on the sender. */
    IPI_SEND,
    /** From sending an interrupt until the target's handler starts. */
    IPI_DELIVERY,
    /** The interrupt handler and its exit. */
    IPI_HANDLER,
    /** From the idle thread becoming current until the CPU is in its idle state. */
    IDLE_ENTRY,
    /** From leaving the idle state until the scheduler is entered. */
    IDLE_EXIT,
    /** Stopping the tick at idle entry. */
    TICK_STOP,
    /** Restarting a stopped tick at idle exit. */
    TICK_RESTART,
    /** The timer tick itself. */
    TICK,
    /** Load balancing: looking at one CPU of the domain. */
    BALANCE_PROBE,
    /** Load balancing: moving one task. */
    BALANCE_MOVE,
    /** What a task pays for its cold private caches when it runs on another core than before; lines: what it fetches from farther away. */
    MIGRATION_REFILL,
    /** One sample of the frequency governor. */
    GOVERNOR_SAMPLE,
    /** Standstill of a core whose clock changes. */
    CLOCK_CHANGE;

    private static final CostItem[] ALL = values();

    /** All items in declaration order; shared, not to be changed. */
    public static CostItem[] all() {
        return ALL;
    }

    /** The name in machine files, such as {@code switch-process}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
