package dev.perch.kernel.load;

/**
 * Loads of groups and of their tasks, scaled to what they are of the CPU's own load, since only that can be compared between CPUs ({@code
 * update_cfs_rq_h_load}, {@code task_h_load}; spec: placement.md 8.5).
 *
 * <p>Top-down: the root queue's hierarchical load is its load average; {@link #ofQueue} gives that of a group's queue from its parent's;
 * {@link #ofTask} a task's from its queue's. At the root level a task's is its own average.
 */
public final class HierarchicalLoad {
    private HierarchicalLoad() {}

    /**
     * @param parent hierarchical load of the queue one level up
     * @param entityLoad load average of the group's entity there
     * @param parentLoad load average of that queue
     */
    public static long ofQueue(long parent, long entityLoad, long parentLoad) {
        return parent * entityLoad / (parentLoad + 1);
    }

    /**
     * Load of a task in a group.
     *
     * @param load its average
     * @param queue hierarchical load of its queue
     * @param queueLoad load average of that queue
     */
    public static long ofTask(long load, long queue, long queueLoad) {
        return load * queue / (queueLoad + 1);
    }
}
