package dev.perch.kernel.placement;

/**
 * What moving load does to a CPU's root queue when the task is in a task group ({@code effective_load} of 2.6.39 – 4.12). Source:
 * placement.md 8.1. Whoever keeps groups sets {@link CpuView#groups}; tasks of the root group never ask.
 */
public interface EffectiveLoads {
    /** The group of tasks that are in none. */
    int ROOT = 0;

    /** All tasks are in the root group. */
    EffectiveLoads NONE = (group, cpu, onCpu, inGroup) -> onCpu;

    /**
     * By how much the load of the root queue of {@code cpu} changes.
     *
     * @param group the task's group, not {@link #ROOT}
     * @param onCpu load that is put on {@code cpu}, negative if taken away; in the unit of the era's tasks, weight or PELT load
     * @param inGroup load by which the whole group changes
     */
    long effectiveLoad(int group, int cpu, long onCpu, long inGroup);
}
