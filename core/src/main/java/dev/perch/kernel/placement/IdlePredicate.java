package dev.perch.kernel.placement;

import dev.perch.model.InputException;

/** When a CPU counts as idle ({@code idle_cpu}). Source: placement.md 10. */
public enum IdlePredicate {
    /** 2.6.39 – 3.1: the idle thread is on it, whatever has been queued meanwhile. */
    CURRENT_ONLY,
    /** 3.2 – 4.17: also nothing runnable is queued, and no remote wakeup waits in its wake list. */
    CURRENT_QUEUE_AND_WAKE_LIST,
    /** 4.18 – 5.3: and, in a guest, the host runs the virtual CPU ({@code available_idle_cpu}). */
    AVAILABLE,
    /** 5.4+: the same; where a rule says so, a CPU that runs only SCHED_IDLE work will do too ({@code sched_idle_cpu}). */
    AVAILABLE_OR_SCHED_IDLE;

    /**
     * The predicate that a kernel file names under {@code idle-predicate}.
     *
     * @throws InputException if there is none of that name
     */
    public static IdlePredicate named(String id) {
        return switch (id) {
            case "current-only" -> CURRENT_ONLY;
            case "3.2" -> CURRENT_QUEUE_AND_WAKE_LIST;
            case "4.18" -> AVAILABLE;
            case "5.4" -> AVAILABLE_OR_SCHED_IDLE;
            default ->
                throw new InputException(
                        "there is no idle-predicate rule '" + id + "'; known are current-only, 3.2, 4.18, 5.4");
        };
    }

    /** Whether a guest asks if the host runs the virtual CPU. */
    boolean asksHost() {
        return this == AVAILABLE || this == AVAILABLE_OR_SCHED_IDLE;
    }
}
