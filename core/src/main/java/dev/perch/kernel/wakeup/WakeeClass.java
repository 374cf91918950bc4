package dev.perch.kernel.wakeup;

/** What of a wakee's scheduling class decides whether wake lists may take it (placement.md 9.4). */
public enum WakeeClass {
    /** Fair, realtime and deadline tasks. */
    ORDINARY,
    /** The stopper thread of a CPU. */
    STOP,
    /** A task of a sched_ext scheduler that does not say that wake lists are all right. */
    SCHED_EXT,
    /** A task of a sched_ext scheduler that says so ({@code SCX_OPS_ALLOW_QUEUED_WAKEUP}). */
    SCHED_EXT_QUEUED
}
