package dev.perch.kernel.placement;

/**
 * An era's whole choice of a CPU for a task that wakes, is new, or executes another program ({@code select_task_rq} with the fair
 * class's part): who is asked, and around which CPU.
 */
@FunctionalInterface
public interface Caller {
    /** The CPU chosen; it may be one that the task may not use, which {@link PlacementRules} repairs. */
    int select(WakeRequest request, CpuView view);
}
