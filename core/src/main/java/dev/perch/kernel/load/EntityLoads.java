package dev.perch.kernel.load;

import java.util.Arrays;

/**
 * Load averages of schedulable entities: tasks, and the faces that task groups have on a CPU ({@code se->avg}, {@code
 * __update_load_avg_se}, {@code __update_load_avg_blocked_se} of Linux 4.3 to 6.18; spec: scheduler.md 3.4, 3.5).
 *
 * <p>An entity is a number; who gives it out says which are tasks and which groups. Weights are scaled down, nice 0 = 1024. An entity
 * belongs to the averages of at most one runqueue, that of its CPU, also while it sleeps; {@link QueueLoads} lets it in and out. Nothing
 * here allocates but construction and {@link #ensure}.
 */
public final class EntityLoads {
    /** An entity that no runqueue's averages hold: new, or on its way to another CPU. */
    public static final int DETACHED = -1;

    final LoadAverages averages;
    private int[] queue;

    /** Entities without load, detached. */
    public EntityLoads(int entities, Pelt pelt) {
        averages = new LoadAverages(entities, pelt);
        queue = new int[entities];
        Arrays.fill(queue, DETACHED);
    }

    /** Makes room for at least {@code entities}; allocates. */
    public void ensure(int entities) {
        averages.ensure(entities);
        int had = queue.length;
        if (entities > had) {
            queue = Arrays.copyOf(queue, entities);
            Arrays.fill(queue, had, entities, DETACHED);
        }
    }

    /** A new task: as much load as its weight, nothing else ({@code init_entity_runnable_average}); detached. */
    public void beginTask(int entity, long weight) {
        requireDetached(entity);
        averages.clear(entity);
        averages.setAverages(entity, weight, 0, 0);
    }

    /** A new group entity: no load until its tasks bring some; detached. */
    public void beginGroup(int entity) {
        requireDetached(entity);
        averages.clear(entity);
    }

    /**
     * Brings a task up to {@code now}; nothing for a detached one, whose time stands still until it is let in.
     *
     * @param weight its weight
     * @param queued it has been on its runqueue since the last update; from 6.12 on a delayed one has not
     * @param current it has been running
     * @return whether a period has ended
     */
    public boolean updateTask(int entity, long now, long weight, boolean queued, boolean current) {
        return update(entity, now, weight, queued, queued ? 1 : 0, current);
    }

    /**
     * Brings an entity up to {@code now}; nothing for a detached one.
     *
     * @param weight its weight
     * @param queued it has been on its runqueue since the last update
     * @param tasks runnable tasks below it; 1 for a task
     * @param current it, or a task below it, has been running
     * @return whether a period has ended
     */
    public boolean update(int entity, long now, long weight, boolean queued, long tasks, boolean current) {
        if (queue[entity] == DETACHED || !averages.step(entity, now, queued ? 1 : 0, tasks, current)) {
            return false;
        }
        averages.average(entity, weight);
        return true;
    }

    /** An entity that is not waiting for its average gets another weight: its load follows ({@code reweight_entity}). */
    public void reweigh(int entity, long weight) {
        averages.setAverages(
                entity,
                weight * averages.loadSum(entity) / averages.divider(entity),
                averages.runnable(entity),
                averages.util(entity));
    }

    /** The runqueue whose averages hold the entity, or {@link #DETACHED}. */
    public int queue(int entity) {
        return queue[entity];
    }

    void setQueue(int entity, int of) {
        queue[entity] = of;
    }

    /** Load average, nice 0 = 1024. */
    public long load(int entity) {
        return averages.load(entity);
    }

    /** Share of time in which the entity wanted to run, out of 1024; of a group, summed over its tasks. */
    public long runnable(int entity) {
        return averages.runnable(entity);
    }

    /** Share of time in which the entity ran, out of 1024. */
    public long util(int entity) {
        return averages.util(entity);
    }

    /** The sums behind the averages. */
    public LoadAverages averages() {
        return averages;
    }

    private void requireDetached(int entity) {
        if (queue[entity] != DETACHED) {
            throw new IllegalStateException("entity " + entity + " is in the averages of queue " + queue[entity]);
        }
    }
}
