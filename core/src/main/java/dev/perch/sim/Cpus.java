package dev.perch.sim;

import dev.perch.kernel.TaskTable;
import java.util.Arrays;

/**
 * What each CPU is doing, as parallel arrays indexed by CPU number.
 *
 * <pre>
 *            ┌────────────── flag or interrupt ──────────────┐
 *   SWITCHING ─▶ IDLE_ENTRY ─▶ IDLE ─▶ LEAVING ─▶ IDLE_INTERRUPT ─▶ IDLE
 *       ▲ │                               └──▶ IDLE_EXIT ◀┘  (if the flag is set)
 *       │ └▶ RUNNING ─▶ WAKING, SPINNING, FORKING ─▶ RUNNING   └──▶ SWITCHING
 *       └── BLOCKING ◀┘
 * </pre>
 *
 * <p>In every phase but {@code RUNNING}, {@code SPINNING} and {@code IDLE} interrupts are held back until the phase is over.
 */
final class Cpus {
    /** In its idle state, nothing to do. */
    static final int IDLE = 0;
    /** Hardware exit from an idle state. */
    static final int LEAVING = 1;
    /** Interrupt handlers on top of the idle thread. */
    static final int IDLE_INTERRUPT = 2;
    /** The idle thread on its way to the scheduler. */
    static final int IDLE_EXIT = 3;
    /** Choosing the next task and switching to it. */
    static final int SWITCHING = 4;
    /** A task runs an operation of its program. */
    static final int RUNNING = 5;
    /** A task wakes another: the choice is made, its cost and the enqueueing are under way. */
    static final int WAKING = 6;
    /** A waker waits until the wakee has been switched away from. */
    static final int SPINNING = 7;
    /** A task is about to sleep. */
    static final int BLOCKING = 8;
    /** From the idle thread to its idle state. */
    static final int IDLE_ENTRY = 9;
    /** A task starts a new one: its CPU is chosen, the cost of that and the enqueueing are under way. */
    static final int FORKING = 10;

    /** Interrupts that are pending, as bits of {@link #pending}. */
    static final int TICK_INTERRUPT = 1;

    static final int TIMER_INTERRUPT = 2;
    static final int IPI_INTERRUPT = 4;
    static final int CALL_INTERRUPT = 8;
    static final int LIMIT_INTERRUPT = 16;

    final int[] phase;
    /** The task that the runqueue calls current; {@link TaskTable#IDLE_TASK} is the idle thread. */
    final int[] current;
    /** In {@code SWITCHING}: the task that is switched away from. */
    final int[] switchedFrom;
    /** In {@code WAKING}, {@code SPINNING} and {@code FORKING}: the task being woken. */
    final int[] wakee;
    /** In {@code WAKING} and {@code FORKING}: the CPU chosen for it. */
    final int[] chosen;
    /** In {@code WAKING} and {@code SPINNING}: the waker says that it will sleep soon. */
    final boolean[] sync;

    final int[] pending;
    final boolean[] tickStopped;
    /** Idle state that the CPU is in or on its way to, as its driver counts them. */
    final int[] idleState;
    /** Work that is added to the next piece the CPU begins. */
    final long[] debtCoreNs;

    final long[] debtWallNs;

    Cpus(int count) {
        phase = new int[count];
        current = new int[count];
        switchedFrom = new int[count];
        wakee = new int[count];
        chosen = new int[count];
        sync = new boolean[count];
        pending = new int[count];
        tickStopped = new boolean[count];
        idleState = new int[count];
        debtCoreNs = new long[count];
        debtWallNs = new long[count];
        Arrays.fill(phase, IDLE);
        Arrays.fill(current, TaskTable.IDLE_TASK);
    }

    boolean isIdle(int cpu) {
        return current[cpu] == TaskTable.IDLE_TASK;
    }

    boolean isInDebt(int cpu) {
        return debtCoreNs[cpu] + debtWallNs[cpu] > 0;
    }

    void owe(int cpu, long coreNs, long wallNs) {
        debtCoreNs[cpu] += coreNs;
        debtWallNs[cpu] += wallNs;
    }
}
