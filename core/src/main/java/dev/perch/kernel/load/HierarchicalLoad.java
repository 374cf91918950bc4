package dev.perch.kernel.load;

import java.util.Arrays;

/**
 * Loads of groups and of their tasks, scaled to what they are of the CPU's own load, since only that can be compared between CPUs ({@code
 * update_cfs_rq_h_load}, {@code task_h_load} of Linux 4.3 to 6.18; spec: placement.md 8.5).
 *
 * <p>Top-down: {@link #root} gives the hierarchical load of a CPU's root queue, its load average; {@link #below} that of a group's queue
 * from its parent's; {@link #task} a task's from its queue's. A queue's is worked out at most once a tick, while the load average by which
 * a task's share of it is taken is the present one: after a burst of wakeups or migrations a task's load is out by as much as its queue's
 * has changed since then. That is not in the specification, it shows in recordings of 6.1.192, as does that a task of the root queue goes
 * the same way and loses up to one; a simulation without groups may take the task's average itself.
 */
public final class HierarchicalLoad {
    private final long[] load;
    private final long[] tick;

    /** Of that many runqueues, none yet worked out. */
    public HierarchicalLoad(int queues) {
        load = new long[queues];
        tick = new long[queues];
        Arrays.fill(tick, -1);
    }

    /**
     * Hierarchical load of a root queue.
     *
     * @param now number of the present tick, from 0 on
     * @param queueLoad its load average
     */
    public long root(int queue, long now, long queueLoad) {
        return isDue(queue, now) ? set(queue, now, queueLoad) : load[queue];
    }

    /**
     * Hierarchical load of a group's queue, after that of its parent has been asked for.
     *
     * @param parent the queue one level up
     * @param now number of the present tick
     * @param entityLoad load average of the group's entity there
     * @param parentLoad load average of that queue
     */
    public long below(int queue, int parent, long now, long entityLoad, long parentLoad) {
        return isDue(queue, now) ? set(queue, now, part(load[parent], entityLoad, parentLoad)) : load[queue];
    }

    /**
     * Load of a task, after that of its queue has been asked for.
     *
     * @param taskLoad its average
     * @param queueLoad load average of its queue
     */
    public long task(int queue, long taskLoad, long queueLoad) {
        return part(taskLoad, load[queue], queueLoad);
    }

    private boolean isDue(int queue, long now) {
        return tick[queue] != now;
    }

    private long set(int queue, long now, long value) {
        tick[queue] = now;
        load[queue] = value;
        return value;
    }

    private static long part(long whole, long share, long of) {
        return whole * share / (of + 1);
    }
}
