package dev.perch.kernel.wakeup;

/** How a CPU is told that there is something for it to do ({@code resched_curr}, {@code ttwu_queue_wakelist}; placement.md 9.4, 9.6). */
public enum Signal {
    /** Not at all: it has been told already. */
    NONE,
    /** By its reschedule flag, at which it looks by itself. */
    SET_FLAG,
    /** By the reschedule flag of its idle thread, which watches it: the write ends its idleness. */
    SET_POLLING_FLAG,
    /** By its reschedule flag and a reschedule interrupt. */
    RESCHEDULE_IPI,
    /** By a function-call interrupt, whose handler empties the wake list. */
    CALL_FUNCTION_IPI;

    /** Whether an interrupt goes out. */
    public boolean isInterrupt() {
        return this == RESCHEDULE_IPI || this == CALL_FUNCTION_IPI;
    }
}
