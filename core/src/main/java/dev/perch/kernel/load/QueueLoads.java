package dev.perch.kernel.load;

/**
 * Load averages of fair runqueues: each CPU's, and each task group's on each CPU ({@code cfs_rq->avg}, {@code update_cfs_rq_load_avg},
 * {@code attach_entity_load_avg}, {@code detach_entity_load_avg}, {@code remove_entity_load_avg} of Linux 4.3 to 6.18; spec: scheduler.md
 * 3.4 to 3.6).
 *
 * <p>A queue is a number; who gives it out says which belongs to which CPU and group. The averages hold what is queued and what has gone
 * to sleep there, which decays with them. Who calls what, each time after charging the running time:
 *
 * <ul>
 *   <li>enqueue, dequeue, tick, a switch to or from an entity: {@link EntityLoads#update} of the entity, {@link #update} of its queue, and
 *       the same one level up;
 *   <li>enqueue of an entity that is not in these averages: besides {@link #attach}, or {@link #attachNew} for a new task;
 *   <li>a queued entity is moved: {@link #detach} after the updates of its dequeueing;
 *   <li>a sleeping one is woken on another CPU: {@link #remove}, when its CPU has been chosen;
 *   <li>a queue that stays idle: {@link #update} by whoever balances on its behalf, at most every {@link Pelt#HALF_LIFE} ms, until {@link
 *       #decayed}.
 * </ul>
 *
 * <p>Until 5.4 the load of what is queued is kept beside, {@link #runnableLoad}; tell it with {@link #enqueued} and {@link #dequeued}.
 * Times are ns of the CPU's PELT clock, weights scaled down. Nothing here allocates after construction. Limitations: what a group's
 * averages gain or lose is not passed up at once to the averages of its parents; the arithmetic of 5.16 stands for that of 4.3 to 5.15.
 */
public final class QueueLoads {
    private final LoadTracking tracking;
    private final EntityLoads entities;
    private final LoadAverages averages;
    private final LoadAverages runnableLoads;
    private final long[] removedLoad;
    private final long[] removedRunnable;
    private final long[] removedUtil;
    private final boolean[] removed;

    /**
     * @param tracking of an era that has these averages, 4.3 or later
     * @param entities what may be on the queues
     */
    public QueueLoads(LoadTracking tracking, int queues, EntityLoads entities) {
        if (!tracking.hasAverages()) {
            throw new IllegalArgumentException("load tracking of " + tracking.id() + " has no averages of queues");
        }
        this.tracking = tracking;
        this.entities = entities;
        averages = new LoadAverages(queues, tracking.pelt());
        runnableLoads = new LoadAverages(keepsRunnableLoad() ? queues : 0, tracking.pelt());
        removedLoad = new long[queues];
        removedRunnable = new long[queues];
        removedUtil = new long[queues];
        removed = new boolean[queues];
    }

    private boolean keepsRunnableLoad() {
        return tracking.cpuLoads() == LoadTracking.CpuLoads.RUNNABLE;
    }

    /**
     * Brings a queue up to {@code now}.
     *
     * @param weight summed weight of what has been queued since the last update
     * @param tasks tasks that have been runnable on it or below; from 6.12 on without delayed ones
     * @param running whether one of them has been running
     * @return whether the averages have changed
     */
    public boolean update(int queue, long now, long weight, long tasks, boolean running) {
        boolean changed = removed[queue];
        if (changed) {
            takeRemoved(queue);
        }
        if (averages.step(queue, now, weight, tasks, running)) {
            averages.average(queue, 1);
            changed = true;
        }
        if (keepsRunnableLoad() && runnableLoads.step(queue, now, weight, 0, false)) {
            runnableLoads.average(queue, 1);
        }
        return changed;
    }

    private void takeRemoved(int queue) {
        long divider = averages.divider(queue);
        long load = removedLoad[queue];
        long runnable = removedRunnable[queue];
        long util = removedUtil[queue];
        removed[queue] = false;
        removedLoad[queue] = 0;
        removedRunnable[queue] = 0;
        removedUtil[queue] = 0;
        subtract(queue, load, runnable, util, load * divider, runnable * divider, util * divider);
    }

    /** Takes averages and sums off a queue's, neither below nothing. */
    private void subtract(
            int queue, long load, long runnable, long util, long loadSum, long runnableSum, long utilSum) {
        long loads = less(averages.load(queue), load);
        long runnables = less(averages.runnable(queue), runnable);
        long utils = less(averages.util(queue), util);
        averages.setAverages(queue, loads, runnables, utils);
        if (tracking.keepsSums()) {
            averages.setSums(
                    queue,
                    Math.max(less(averages.loadSum(queue), loadSum), loads * Pelt.LEAST_DIVIDER),
                    Math.max(less(averages.runnableSum(queue), runnableSum), runnables * Pelt.LEAST_DIVIDER),
                    Math.max(less(averages.utilSum(queue), utilSum), utils * Pelt.LEAST_DIVIDER));
        } else {
            long divider = averages.divider(queue);
            averages.setSums(queue, loads * divider, runnables * divider, utils * divider);
        }
    }

    private static long less(long from, long amount) {
        return Math.max(0, from - amount);
    }

    /**
     * Lets an entity into the averages of a queue that has just been updated; the entity takes over the queue's time.
     *
     * @param weight of the entity
     */
    public void attach(int queue, int entity, long weight) {
        if (entities.queue(entity) != EntityLoads.DETACHED) {
            throw new IllegalStateException(
                    "entity " + entity + " is still in the averages of queue " + entities.queue(entity));
        }
        LoadAverages entityAverages = entities.averages;
        entityAverages.alignWith(entity, averages, queue);
        long divider = averages.divider(queue);
        long load = entityAverages.load(entity);
        long runnableSum = entityAverages.runnable(entity) * divider;
        long utilSum = entityAverages.util(entity) * divider;
        long loadSum = weight == 0 ? divider : divider * load / weight;
        if (tracking.keepsSums()) {
            loadSum = Math.max(1, loadSum);
        }
        entityAverages.setSums(entity, loadSum, runnableSum, utilSum);
        averages.setAverages(
                queue,
                averages.load(queue) + load,
                averages.runnable(queue) + entityAverages.runnable(entity),
                averages.util(queue) + entityAverages.util(entity));
        averages.setSums(
                queue,
                averages.loadSum(queue) + weight * loadSum,
                averages.runnableSum(queue) + runnableSum,
                averages.utilSum(queue) + utilSum);
        entities.setQueue(entity, queue);
    }

    /**
     * Lets a new task in, whose utilisation is guessed from its weight and what the CPU has left.
     *
     * @param weight of the task
     * @param cpuCapacity of the queue's CPU at its highest clock, out of 1024
     */
    public void attachNew(int queue, int entity, long weight, long cpuCapacity) {
        long util = guessUtil(averages.util(queue), averages.load(queue), weight, cpuCapacity);
        entities.averages.setAverages(entity, entities.load(entity), util, util);
        attach(queue, entity, weight);
    }

    /** Utilisation of a new task on a queue of that utilisation and load ({@code post_init_entity_util_avg}). */
    long guessUtil(long queueUtil, long queueLoad, long weight, long cpuCapacity) {
        long cap = (cpuCapacity - queueUtil) / 2;
        if (cap <= 0) {
            return 0;
        }
        if (queueUtil == 0) {
            return cap;
        }
        long kept = tracking.newTaskByScaledUpWeight() ? weight << 10 : weight;
        return Math.min(queueUtil * kept / (queueLoad + 1), cap);
    }

    /**
     * Takes an entity that has just been updated, with its queue, out of the queue's averages.
     *
     * @param weight of the entity
     */
    public void detach(int entity, long weight) {
        int queue = queueOf(entity);
        LoadAverages entityAverages = entities.averages;
        subtract(
                queue,
                entityAverages.load(entity),
                entityAverages.runnable(entity),
                entityAverages.util(entity),
                weight * entityAverages.loadSum(entity),
                entityAverages.runnableSum(entity),
                entityAverages.utilSum(entity));
        entities.setQueue(entity, EntityLoads.DETACHED);
    }

    /**
     * Takes a sleeping entity out of the averages of its queue without a look at that queue's clock: its own are aged to the queue's last
     * update, and taken off at the next.
     *
     * @param weight of the entity
     */
    public void remove(int entity, long weight) {
        int queue = queueOf(entity);
        entities.update(entity, averages.last(queue), weight, false, 0, false);
        removedLoad[queue] += entities.load(entity);
        removedRunnable[queue] += entities.runnable(entity);
        removedUtil[queue] += entities.util(entity);
        removed[queue] = true;
        entities.setQueue(entity, EntityLoads.DETACHED);
    }

    private int queueOf(int entity) {
        int queue = entities.queue(entity);
        if (queue == EntityLoads.DETACHED) {
            throw new IllegalStateException("entity " + entity + " is in no queue's averages");
        }
        return queue;
    }

    /** An entity of that queue's averages, just updated, has been enqueued: its load is runnable ({@code enqueue_entity_load_avg}). */
    public void enqueued(int entity, long weight) {
        if (keepsRunnableLoad()) {
            int queue = queueOf(entity);
            runnableLoads.setAverages(queue, runnableLoads.load(queue) + entities.load(entity), 0, 0);
            runnableLoads.setSums(
                    queue, runnableLoads.loadSum(queue) + weight * entities.averages.loadSum(entity), 0, 0);
        }
    }

    /** An entity of that queue's averages, just updated, has been dequeued: its load is blocked, or about to leave. */
    public void dequeued(int entity, long weight) {
        if (keepsRunnableLoad()) {
            int queue = queueOf(entity);
            runnableLoads.setAverages(queue, less(runnableLoads.load(queue), entities.load(entity)), 0, 0);
            runnableLoads.setSums(
                    queue, less(runnableLoads.loadSum(queue), weight * entities.averages.loadSum(entity)), 0, 0);
        }
    }

    /** Load average of what is queued or has slept here, nice 0 = 1024 ({@code load_avg}). */
    public long load(int queue) {
        return averages.load(queue);
    }

    /** Load average of what is queued ({@code runnable_load_avg}; until 5.4). */
    public long runnableLoad(int queue) {
        return runnableLoads.load(queue);
    }

    /** 1024 times the mean number of runnable tasks. */
    public long runnable(int queue) {
        return averages.runnable(queue);
    }

    /** Share of time in which one of the queue's entities ran, out of 1024. */
    public long util(int queue) {
        return averages.util(queue);
    }

    /** Nothing is left that would have to be aged. */
    public boolean decayed(int queue) {
        return averages.load(queue) == 0 && averages.runnable(queue) == 0 && averages.util(queue) == 0;
    }

    /** The sums behind the averages. */
    public LoadAverages averages() {
        return averages;
    }
}
