package dev.perch.kernel.fair;

import static dev.perch.kernel.TaskTable.IDLE_TASK;

import dev.perch.kernel.TaskTable;
import org.jspecify.annotations.Nullable;

/**
 * One level of a CPU's fair class: the entities of one task group on one CPU, in the order in which they run ({@code struct cfs_rq}; spec:
 * scheduler.md 1.2, 1.12). An entity is a task or the face of a child group. {@link FairHierarchy} walks the levels; orders are {@link
 * CfsQueue} and {@link EevdfQueue}.
 *
 * <p>Times are ns of the CPU's clock, weights those of nice 0 = 1024 also where the kernel keeps them 1024 times finer. {@link
 * TaskTable#IDLE_TASK} stands for no entity.
 */
abstract sealed class FairQueue permits CfsQueue, EevdfQueue {
    /** The entity was woken. */
    static final int WAKEUP = 1;
    /** The entity is new. */
    static final int INITIAL = 2;
    /** The entity goes to sleep, or its queue is empty. */
    static final int SLEEP = 4;
    /** An entity that was delayed leaves for good. */
    static final int FINISH_DELAYED = 8;
    /** The entity leaves at once, whatever it owes. */
    static final int SPECIAL = 16;

    /** First virtual runtime of a queue. */
    private static final long MIN_VRUNTIME_AT_BOOT = -(1L << 20);

    final TaskTable tasks;
    final RunqueueState state;
    final VirtualTime time;
    /** The face of this queue's group in {@link #parent}; none at the root. */
    final int owner;

    final @Nullable FairQueue parent;
    final FairQueue root;
    final int depth;
    final int group;

    /** Entities on this level, the running one included ({@code nr_running}, later {@code nr_queued}). */
    int nr;
    /** Their summed weight. */
    long weight;
    /** Tasks on this level and below ({@code h_nr_running}, later {@code h_nr_queued}). */
    int tasksBelow;
    /** Those under SCHED_IDLE or in an idle group ({@code idle_h_nr_running}). */
    int idleBelow;
    /** Those that sleep already ({@code h_nr_delayed}). */
    int delayedBelow;
    /** The running entity ({@code curr}); it is in no tree. */
    int current = IDLE_TASK;

    int nextBuddy = IDLE_TASK;
    int lastBuddy = IDLE_TASK;
    int skipBuddy = IDLE_TASK;
    long minVruntime = MIN_VRUNTIME_AT_BOOT;

    /** Limit on the group's execution time, if it has one, and what of it is left here, ns ({@code runtime_remaining}). */
    final @Nullable Bandwidth bandwidth;

    long remaining;
    /** Which refill {@link #remaining} is from; older runtime is void before 5.x. */
    long remainingFrom;

    boolean throttled;

    FairQueue(TaskTable tasks, RunqueueState state, VirtualTime time, @Nullable FairQueue parent, GroupFace face) {
        this.tasks = tasks;
        this.state = state;
        this.time = time;
        this.parent = parent;
        root = parent == null ? this : parent.root;
        depth = parent == null ? 0 : parent.depth + 1;
        owner = face.owner();
        group = face.group();
        bandwidth = face.bandwidth();
    }

    /**
     * Which group a queue belongs to.
     *
     * @param group its number, 0 for the root
     * @param owner its entity on this CPU; none for the root
     */
    record GroupFace(int group, int owner, @Nullable Bandwidth bandwidth) {
        static final GroupFace ROOT = new GroupFace(0, IDLE_TASK, null);
    }

    /** Gives a new task, which will be enqueued somewhere, its first place in virtual time. */
    abstract void placeNew(int task);

    /** A task that slept on this queue is about to be woken; its CPU is not chosen yet ({@code task_waking}). */
    abstract void prepareWakeup(int task);

    /** The task of {@link #prepareWakeup} goes to the same queue of another CPU ({@code migrate_task_rq}). */
    abstract void leaveForWakeup(int task);

    /** Puts an entity on the queue; it is not on it, but may be {@link #current}. */
    abstract void enqueue(int entity, int flags);

    /**
     * Takes an entity off the queue.
     *
     * @return false if it stays for now, delayed
     */
    abstract boolean dequeue(int entity, int flags);

    /** A delayed entity is woken and competes again. */
    abstract void requeueDelayed(int entity);

    /** The entity that should run next; of those waiting and the running one, as far as it is still queued. */
    abstract int pick();

    /** A waiting entity becomes the running one. */
    abstract void setNext(int entity);

    /** The running entity stops running; if it is still queued it waits from now on. */
    abstract void putPrevious(int entity);

    /** Charges the running entity for the time since it was last charged ({@code update_curr}). */
    abstract void updateCurrent();

    /** The part of the tick after the charge. */
    abstract void tick();

    /** The running entity gives up its turn. */
    abstract void yieldCurrent(int entity);

    /** Changes the weight of an entity, queued or not. */
    abstract void reweight(int entity, int weight, long inverse);

    /** The length of the requests of {@link #owner} follows from what is on this queue. */
    abstract void updateOwnersSlice();

    /** How long an entity may run within a period, or the length of its requests; ns. It need not be queued. */
    abstract long slice(int entity);

    final boolean isQueuedHere(int entity) {
        return entity != IDLE_TASK && tasks.onQueue[entity];
    }

    final boolean isIdleEntity(int entity) {
        return tasks.policy[entity] == TaskTable.POLICY_IDLE;
    }

    /** Every task here and below is under SCHED_IDLE ({@code sched_idle_cfs_rq}). */
    final boolean isAllIdle() {
        return nr > 0 && tasksBelow == idleBelow;
    }

    final void account(int entity) {
        weight += tasks.weight[entity];
        nr++;
    }

    final void unaccount(int entity) {
        weight -= tasks.weight[entity];
        nr--;
    }

    /** Execution time since the running entity was last charged, which is charged to its sums and its group; 0 if there is none. */
    final long chargeTime() {
        int entity = current;
        long ran = state.clock() - tasks.execStart[entity];
        if (ran <= 0) {
            return 0;
        }
        tasks.execStart[entity] += ran;
        tasks.sumExec[entity] += ran;
        return ran;
    }

    final void chargeBandwidth(long ran) {
        if (bandwidth != null && bandwidth.charge(this, ran)) {
            state.requestReschedule();
        }
    }

    /** Virtual time that {@code delta} ns are for an entity. */
    final long virtual(long delta, int entity) {
        return time.virtual(delta, tasks.weight[entity], tasks.inverseWeight[entity]);
    }

    final void start(int entity) {
        if (current != IDLE_TASK) {
            throw new IllegalStateException("entity " + current + " still runs on CPU " + state.cpu);
        }
        tasks.execStart[entity] = state.clock();
        tasks.prevSumExec[entity] = tasks.sumExec[entity];
        current = entity;
    }

    final void clearBuddies(int entity) {
        if (nextBuddy == entity) {
            nextBuddy = IDLE_TASK;
        }
        if (lastBuddy == entity) {
            lastBuddy = IDLE_TASK;
        }
        if (skipBuddy == entity) {
            skipBuddy = IDLE_TASK;
        }
    }
}
