package dev.perch.kernel.fair;

import static dev.perch.kernel.TaskTable.IDLE_TASK;
import static dev.perch.kernel.fair.FairQueue.INITIAL;
import static dev.perch.kernel.fair.FairQueue.SLEEP;
import static dev.perch.kernel.fair.FairQueue.SPECIAL;
import static dev.perch.kernel.fair.FairQueue.WAKEUP;

import dev.perch.kernel.TaskTable;
import dev.perch.kernel.load.IdleTime;

/**
 * The runqueue of one CPU: its fair tasks under CFS (2.6.39 to 6.5) or EEVDF (6.6 to 6.18) with their groups, and real-time tasks before
 * them ({@code struct rq}; spec: scheduler.md 1, 2, 4.10). Made by {@link Runqueues}.
 *
 * <p>Who calls what:
 *
 * <ul>
 *   <li>a wakeup: {@link #prepareWakeup} on the queue the task slept on, before its CPU is chosen; {@link #leaveForWakeup} there if it is
 *       another; then on the chosen one {@link #refresh}, {@link #enqueueWakeup}, {@link #checkPreempt};
 *   <li>a wakeup of a task that is delayed: on its queue {@link #refresh}, {@link #requeueDelayed}, {@link #checkPreempt};
 *   <li>a new task: {@link #refresh} and {@link #placeNew} on the parent's queue; then on the chosen one {@link #refresh}, {@link
 *       #enqueueNew}, {@link #checkPreemptByNew};
 *   <li>the scheduler proper: {@link #refreshForSwitch} and {@link #dequeueSleep} if the current task blocks, {@link #dequeueAtOnce} if it ends; newly-idle balancing if it
 *       {@link #runsDry}; then {@link #schedule};
 *   <li>the tick: {@link #refresh}, {@link #tick};
 *   <li>a balance move: {@link #refresh} and {@link #dequeueMoved} on one queue, {@link #refresh} and {@link #enqueueMoved} on the
 *       other.
 * </ul>
 *
 * <p>Whenever a queue was touched from another CPU, {@link #takeSignal} says whether its CPU must be told to reschedule; {@code
 * checkPreempt} and {@code tick} have taken it. Between two {@link #refresh} everything sees the same time. Times are ns. Nothing here
 * allocates after the queue has been as long as it gets. Calls out of order are programmer errors and end in {@link
 * IllegalStateException} where they can be seen.
 *
 * <p>Limitations: no high-resolution tick, no deadline class; interrupt time is charged to the interrupted task, as in kernels built
 * without its accounting; one CPU's clock never goes back.
 */
public final class Runqueue {
    private final TaskTable tasks;
    private final RunqueueState state;
    private final FairHierarchy fair;
    private final FairQueue root;
    private final RtQueue realTime;
    private final WakeupPreemption preemption;
    private final BalanceList list;
    private final IdleTime idleTime;
    private final TaskSwitch taskSwitch;
    private final boolean putsBackFirst;

    /** An empty queue that runs the idle task at clock 0. */
    Runqueue(TaskTable tasks, RunqueueState state, Parts parts) {
        this.tasks = tasks;
        this.state = state;
        fair = parts.fair();
        root = fair.root;
        realTime = parts.realTime();
        preemption = parts.preemption();
        list = parts.list();
        idleTime = new IdleTime(parts.migrationCost(), parts.idleTimeForm());
        taskSwitch = parts.taskSwitch();
        putsBackFirst = parts.putsBackFirst();
    }

    /**
     * What a runqueue is put together from.
     *
     * @param migrationCost {@code sched_migration_cost_ns}
     * @param idleTimeForm how the average idle time is kept
     * @param putsBackFirst the current task waits with the others while the next one is picked
     */
    record Parts(
            FairHierarchy fair,
            RtQueue realTime,
            TaskSwitch taskSwitch,
            WakeupPreemption preemption,
            BalanceList list,
            long migrationCost,
            IdleTime.Form idleTimeForm,
            boolean putsBackFirst) {}

    public int cpu() {
        return state.cpu;
    }

    /** The time that everything here sees ({@code clock}, {@code clock_task}). */
    public long clock() {
        return state.clock();
    }

    /**
     * The running task ({@code curr}), or the idle task. Between {@link #dequeueSleep} and {@link #putPrevious} it is the task that just
     * left the queue.
     */
    public int current() {
        return taskSwitch.current;
    }

    /** Tasks of all classes on the queue, the running one and delayed ones included, throttled ones not ({@code nr_running}). */
    public int nrRunning() {
        return root.tasksBelow + realTime.count();
    }

    /** Real-time tasks among {@link #nrRunning} ({@code rt.rt_nr_running}). */
    public int nrRealTime() {
        return realTime.count();
    }

    /** The highest real-time priority on the queue, the running task's included; 0 without real-time tasks ({@code rt.highest_prio.curr}). */
    public int rtPriority() {
        return realTime.priority();
    }

    /** For {@link #pushable}: whatever other CPU. */
    public static final int ANY_CPU = -1;

    /**
     * The most urgent real-time task that waits here and may run elsewhere ({@code pick_next_pushable_task}, {@code pick_highest_pushable_task}).
     *
     * @param onto the CPU on which it must be allowed, or {@link #ANY_CPU}
     * @return the idle task if there is none
     */
    public int pushable(int onto) {
        return realTime.pushable(taskSwitch.current, onto);
    }

    /** A waiting real-time task comes before all others of its priority. */
    public void moveToFront(int task) {
        realTime.moveToFront(task);
    }

    /** Fair tasks among {@link #nrRunning} ({@code cfs.h_nr_running}, later {@code h_nr_queued}). */
    public int nrFair() {
        return root.tasksBelow;
    }

    /** Fair tasks under SCHED_IDLE ({@code idle_h_nr_running}). */
    public int nrIdlePolicy() {
        return root.idleBelow;
    }

    /** Fair tasks that sleep and are still queued ({@code h_nr_delayed}); 0 before 6.12. */
    public int nrDelayed() {
        return root.delayedBelow;
    }

    /** Whether there are tasks and all of them are under SCHED_IDLE ({@code sched_idle_rq}). */
    public boolean isSchedIdle() {
        return nrRunning() > 0 && nrRunning() == root.idleBelow;
    }

    /** Summed weight of the entities of the root group on the queue, the running one included ({@code cfs.load.weight}). */
    public long weight() {
        return root.weight;
    }

    /**
     * A task's weight as a part of what its group weighs among the tasks and groups of the root group ({@code task_h_load} by weights); its own
     * weight if it is in the root group.
     */
    public long weightAtRoot(int task) {
        return fair.weightAtRoot(task);
    }

    /**
     * By how much {@link #weight} changes when a task group gains weight ({@code effective_load} of 2.6.39 to 4.12).
     *
     * @param group not the root group
     * @param onCpu what its queue here gains; negative if it loses
     * @param inGroup what the whole group gains
     */
    public long effectiveLoad(int group, long onCpu, long inGroup) {
        return fair.effectiveLoad(group, onCpu, inGroup);
    }

    /** Whether the limit of a fair task's group, or of one above it, keeps that group from running here ({@code throttled_hierarchy}). */
    public boolean isThrottled(int task) {
        return fair.isThrottled(fair.queueOf(task));
    }

    /** The least virtual runtime of the root group's queue, as far as the kernel keeps one. */
    public long minVruntime() {
        return root.minVruntime;
    }

    /** Whether tasks are ordered by EEVDF. */
    public boolean isEevdf() {
        return root instanceof EevdfQueue;
    }

    /** Weighted average of the virtual runtimes in the root group ({@code avg_vruntime}); EEVDF only. */
    public long averageVruntime() {
        if (root instanceof EevdfQueue queue) {
            return queue.average();
        }
        throw new IllegalStateException("CFS keeps no average of virtual runtimes");
    }

    /** Whether the real-time tasks have used up their part of the present period. */
    public boolean isRealTimeThrottled() {
        return realTime.isThrottled();
    }

    /** The running task has been asked to give way and has not yet done so. */
    public boolean reschedulePending() {
        return state.isPending();
    }

    /** How long this CPU's idle periods are; ended by {@link #enqueueWakeup}, begun by newly-idle balancing. */
    public IdleTime idleTime() {
        return idleTime;
    }

    public boolean isNextOrLastBuddy(int task) {
        FairQueue queue = fair.queueOf(task);
        return task == queue.nextBuddy || task == queue.lastBuddy;
    }

    /** How long {@code task} may run within a period, or its request under EEVDF, ns; it need not be queued ({@code sched_slice}). */
    public long slice(int task) {
        return fair.queueOf(task).slice(task);
    }

    /** Takes the time {@code now}, unless a preemption has just taken it for the switch that follows ({@code update_rq_clock}). */
    public void refresh(long now) {
        state.refresh(now);
    }

    /** {@link #refresh} where the scheduler proper begins. */
    public void refreshForSwitch(long now) {
        state.refreshForSwitch(now);
    }

    // Enqueue and dequeue

    /** A task that slept on this queue is being woken, and its CPU will be chosen ({@code task_waking}). */
    public void prepareWakeup(int task) {
        requireQueued(task, false);
        if (tasks.isFair(task)) {
            fair.queueOf(task).prepareWakeup(task);
        }
    }

    /** The task of {@link #prepareWakeup} will be enqueued on another CPU ({@code migrate_task_rq}). */
    public void leaveForWakeup(int task) {
        requireQueued(task, false);
        if (tasks.isFair(task)) {
            tasks.migrated[task] = true;
            fair.queueOf(task).leaveForWakeup(task);
        }
    }

    /** Puts a woken task on the queue and ends the CPU's idle period. */
    public void enqueueWakeup(int task) {
        enqueue(task, WAKEUP);
        idleTime.end(state.clock(), 0); // what searches use up of it by the tick is in the placement rules' view
    }

    /** A delayed task is woken: it has never left this queue and may run again. */
    public void requeueDelayed(int task) {
        if (!tasks.delayed[task]) {
            throw new IllegalStateException("task " + task + " is not delayed");
        }
        fair.requeueDelayed(task);
    }

    /**
     * Gives a task its first place in virtual time, on this queue on which its parent runs, or any queue if it has no parent ({@code
     * task_fork_fair}).
     */
    public void placeNew(int child) {
        requireQueued(child, false);
        if (tasks.isFair(child)) {
            fair.queueOf(child).placeNew(child);
        }
    }

    /** Puts a task on the queue that {@link #placeNew} prepared. */
    public void enqueueNew(int task) {
        enqueue(task, INITIAL);
    }

    /** Puts a task on the queue that {@link #dequeueMoved} took off another. */
    public void enqueueMoved(int task) {
        enqueue(task, 0);
    }

    private void enqueue(int task, int flags) {
        requireQueued(task, false);
        if (tasks.isFair(task)) {
            fair.enqueue(task, flags);
        } else {
            realTime.enqueue(task);
        }
    }

    /**
     * Takes off a task that blocks; if it owes time it may stay queued for now, {@link TaskTable#delayed}. It remains {@link #current}
     * if it is.
     */
    public void dequeueSleep(int task) {
        dequeue(task, SLEEP);
    }

    /** Takes off a task that leaves at once whatever it owes: it has ended, or may no longer be on this CPU. */
    public void dequeueAtOnce(int task) {
        dequeue(task, SLEEP | SPECIAL);
    }

    /** Takes off a task that will be put on another queue. */
    public void dequeueMoved(int task) {
        if (task == taskSwitch.current) {
            throw new IllegalStateException("task " + task + " runs on CPU " + state.cpu);
        }
        dequeue(task, 0);
        tasks.migrated[task] = true;
    }

    private void dequeue(int task, int flags) {
        requireQueued(task, true);
        if (tasks.isFair(task)) {
            fair.dequeue(task, flags);
        } else {
            if (task == taskSwitch.current) {
                realTime.update(task);
            }
            realTime.dequeue(task);
        }
    }

    private void requireQueued(int task, boolean queued) {
        if (task == IDLE_TASK || tasks.onQueue[task] != queued) {
            throw new IllegalStateException("task " + task + (queued ? " is not queued" : " cannot be queued"));
        }
    }

    /** Changes the nice value of a fair task, queued, running or asleep, if it is another ({@code set_user_nice}); {@link #refresh} before. */
    public void renice(int task, int nice) {
        if (!tasks.isFair(task) || tasks.policy[task] == TaskTable.POLICY_IDLE) {
            throw new IllegalStateException("task " + task + " has no weight by nice value");
        }
        tasks.prio[task] = TaskTable.prioOfNice(nice);
        if (tasks.weight[task] != LoadWeights.ofNice(nice)) {
            fair.reweight(task, LoadWeights.ofNice(nice), LoadWeights.inverseOfNice(nice));
        }
    }

    /**
     * The running task goes to another task group ({@code sched_move_task}); {@link #refresh} before. A fair one is asked to give way, which the
     * caller need not be told.
     */
    public void changeGroup(int group) {
        int task = taskSwitch.current;
        requireQueued(task, true);
        if (!tasks.isFair(task)) {
            tasks.group[task] = group;
            return;
        }
        fair.dequeue(task, 0);
        taskSwitch.regroup(group);
        requestReschedule();
    }

    /** The weights of the groups on this CPU follow what it and others have had to do; when it balances. {@link #refresh} before. */
    public void updateShares() {
        fair.updateShares();
    }

    // The scheduler proper

    /**
     * Whether nothing is left to run, so that the CPU should look for work elsewhere; delayed tasks whose turn has come leave first. Between
     * {@link #dequeueSleep} and {@link #schedule}.
     */
    public boolean runsDry() {
        taskSwitch.letDelayedLeave();
        return nrRunning() == 0;
    }

    /**
     * The scheduler from the point where a blocking task is off the queue and balancing is done: chooses the next task and makes it taskSwitch.current
     * in place of the present one. Until 4.7 the time is taken only if the taskSwitch.current task stays queued; a blocking task took it when it was
     * dequeued, and a switch from idle is charged from the enqueue of the wakee.
     *
     * @param now ns
     * @return the task to run, which may be the one that ran; the idle task if there is none
     */
    public int schedule(long now) {
        return taskSwitch.schedule(now);
    }

    /** The taskSwitch.current task stops running; if it is still queued it waits from now on ({@code put_prev_task}). */
    public void putPrevious() {
        taskSwitch.putPrevious();
    }

    // Reasons to reschedule

    /**
     * The tick of the running task.
     *
     * @return whether a reschedule was asked for that nobody was told of
     */
    public boolean tick() {
        if (taskSwitch.current == IDLE_TASK) {
            return false;
        }
        if (tasks.isFair(taskSwitch.current)) {
            fair.tick(taskSwitch.current);
        } else {
            realTime.update(taskSwitch.current);
            realTime.tick(taskSwitch.current);
        }
        return state.takeSignal();
    }

    /**
     * Whether the task just enqueued by a wakeup or a balance move takes the CPU from the running one; sets the buddies ({@code
     * check_preempt_curr}).
     *
     * @return whether a reschedule was asked for that nobody was told of
     */
    public boolean checkPreempt(int wakee) {
        return checkPreempt(wakee, false);
    }

    /** {@link #checkPreempt} for a task enqueued by {@link #enqueueNew}. */
    public boolean checkPreemptByNew(int child) {
        return checkPreempt(child, true);
    }

    private boolean checkPreempt(int wakee, boolean forked) {
        int running = taskSwitch.current;
        boolean preempts;
        if (running == IDLE_TASK) {
            preempts = state.requestReschedule() && !putsBackFirst;
        } else if (wakee == running) {
            preempts = false;
        } else if (tasks.isFair(wakee)) {
            preempts = tasks.isFair(running) && preemption.preempts(running, wakee, forked);
        } else {
            preempts = tasks.rtPriority[wakee] > tasks.rtPriority[running];
            if (preempts) {
                state.requestReschedule();
            }
        }
        if (preempts && (running == IDLE_TASK || tasks.onQueue[running])) {
            state.skipClockUpdate();
        }
        return state.takeSignal();
    }

    /**
     * The running task gives up its turn ({@code yield_task}); {@link #refresh} before, {@link #schedule} after. Nothing if it is alone.
     */
    public void yieldCurrent() {
        if (nrRunning() > 1) {
            if (tasks.isFair(taskSwitch.current)) {
                fair.yieldCurrent(taskSwitch.current);
            } else {
                realTime.yieldCurrent(taskSwitch.current);
            }
        }
    }

    /**
     * Asks the running task to give way; whoever asks tells the CPU.
     *
     * @return whether that was not yet pending
     */
    public boolean requestReschedule() {
        boolean fresh = state.requestReschedule();
        state.takeSignal();
        return fresh;
    }

    /** Whether a reschedule was asked for that nobody was told of; afterwards the caller is who tells. */
    public boolean takeSignal() {
        return state.takeSignal();
    }

    // Limits on time

    void expireRealTime(long now) {
        state.refresh(now);
        realTime.expire(now);
    }

    void unthrottle(FairQueue queue, long now) {
        state.refresh(now);
        fair.unthrottle(queue);
        if (taskSwitch.current == IDLE_TASK && nrRunning() > 0) {
            state.requestReschedule();
        }
    }

    // The balance list

    /** First task of the balance list, or the idle task if the queue is empty. Until 4.14 newest first, later oldest first. */
    public int firstInList() {
        return list.first();
    }

    /** The task after {@code task} in the balance list, or the idle task at its end. */
    public int nextInList(int task) {
        return list.after(task);
    }

    /** Puts a task at the end of the balance list, as balancing of 3.4 and later does with those it passes over. */
    public void moveToTail(int task) {
        list.moveToTail(task);
    }
}
