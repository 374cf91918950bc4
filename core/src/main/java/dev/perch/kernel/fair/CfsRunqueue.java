package dev.perch.kernel.fair;

import static dev.perch.kernel.TaskTable.IDLE_TASK;

import dev.perch.kernel.TaskTable;
import dev.perch.kernel.load.IdleTime;

/**
 * The runqueue of one CPU under CFS of Linux 3.2 to 3.8, without task groups (spec: scheduler.md 1, columns E32, E34, E38; {@code
 * kernel/sched_fair.c}, later {@code kernel/sched/fair.c}).
 *
 * <p>Who calls what:
 *
 * <ul>
 *   <li>a wakeup: {@link #prepareWakeup} on the queue the task slept on, before its CPU is chosen; then on the chosen one {@link
 *       #refresh}, {@link #enqueueWakeup}, {@link #checkPreempt};
 *   <li>a new task: {@link #refresh} and {@link #placeNew} on the parent's queue; then on the chosen one {@link #refresh}, {@link
 *       #enqueueNew}, {@link #checkPreemptByNew};
 *   <li>the scheduler proper: {@link #refresh} and {@link #dequeueSleep} if the current task blocks; newly-idle balancing if {@link
 *       #nrRunning} is 0; then {@link #schedule};
 *   <li>the tick: {@link #refresh}, {@link #tick};
 *   <li>a balance move: {@link #refresh} and {@link #dequeueMoved} on one queue, {@link #refresh} and {@link #enqueueMoved} on the
 *       other.
 * </ul>
 *
 * <p>Between two {@link #refresh} everything sees the same time. Times are ns. Nothing here allocates after construction. Calls out of
 * order are programmer errors and end in {@link IllegalStateException} where they can be seen.
 *
 * <p>Limitations: no groups, bandwidth control or high-resolution tick; interrupt time is charged to the interrupted task, as in kernels
 * built without its accounting; one CPU's clock never goes back.
 */
public final class CfsRunqueue {
    /** First virtual runtime of a queue. */
    private static final long MIN_VRUNTIME_AT_BOOT = -(1L << 20);

    private final int cpu;
    private final TaskTable tasks;
    private final CfsTunables tunables;
    private final CfsFeatures features;
    private final Timeline timeline;
    private final BalanceList list;
    private final IdleTime idleTime;
    private final long[] vruntime;

    private long clock;
    private boolean skipClockUpdate;
    private boolean reschedulePending;
    private long minVruntime = MIN_VRUNTIME_AT_BOOT;
    private long weight;
    private int nrRunning;
    private int current = IDLE_TASK;
    private int nextBuddy = IDLE_TASK;
    private int lastBuddy = IDLE_TASK;
    private int skipBuddy = IDLE_TASK;

    /** An empty queue that runs the idle task at clock 0. */
    public CfsRunqueue(int cpu, TaskTable tasks, CfsTunables tunables, CfsFeatures features) {
        this.cpu = cpu;
        this.tasks = tasks;
        this.tunables = tunables;
        this.features = features;
        timeline = new Timeline(tasks);
        list = new BalanceList(tasks);
        idleTime = new IdleTime(tunables.migrationCost());
        vruntime = tasks.vruntime;
    }

    public int cpu() {
        return cpu;
    }

    /** The time that everything here sees ({@code clock}, {@code clock_task}). */
    public long clock() {
        return clock;
    }

    /**
     * The running task ({@code cfs_rq->curr}), or the idle task. Between {@link #dequeueSleep} and {@link #putPrevious} it is the task
     * that just left the queue.
     */
    public int current() {
        return current;
    }

    /** Tasks on the queue, the running one included. */
    public int nrRunning() {
        return nrRunning;
    }

    /** Summed weight of the tasks on the queue, the running one included. */
    public long weight() {
        return weight;
    }

    public long minVruntime() {
        return minVruntime;
    }

    /** The running task has been asked to give way and has not yet done so. */
    public boolean reschedulePending() {
        return reschedulePending;
    }

    /** How long this CPU's idle periods are; ended by {@link #enqueueWakeup}, begun by newly-idle balancing. */
    public IdleTime idleTime() {
        return idleTime;
    }

    public boolean isNextOrLastBuddy(int task) {
        return task == nextBuddy || task == lastBuddy;
    }

    /** Takes the time {@code now}, unless a preemption has just taken it for the switch that follows ({@code update_rq_clock}). */
    public void refresh(long now) {
        if (skipClockUpdate) {
            return;
        }
        if (now < clock) {
            throw new IllegalStateException("clock of CPU " + cpu + " goes back from " + clock + " to " + now);
        }
        clock = now;
    }

    // Enqueue and dequeue

    /** A task that slept on this queue is being woken: its virtual runtime becomes relative ({@code task_waking}). */
    public void prepareWakeup(int task) {
        requireQueued(task, false);
        vruntime[task] -= minVruntime;
    }

    /** Puts a woken task on the queue and ends the CPU's idle period. */
    public void enqueueWakeup(int task) {
        requireQueued(task, false);
        vruntime[task] += minVruntime;
        updateCurrent();
        account(task);
        long half = features.gentleFairSleepers() ? tunables.latency() >> 1 : tunables.latency();
        vruntime[task] = later(vruntime[task], minVruntime - half);
        insert(task);
        idleTime.end(clock);
    }

    /**
     * Gives a task its first virtual runtime, relative to this queue on which its parent runs, or any queue if it has no parent ({@code
     * task_fork_fair}).
     */
    public void placeNew(int child) {
        requireQueued(child, false);
        updateCurrent();
        boolean forked = current != IDLE_TASK;
        if (forked) {
            vruntime[child] = vruntime[current];
        }
        long start = features.startDebit()
                ? minVruntime + LoadWeights.virtualDelta(slice(child), tasks.weight[child], tasks.inverseWeight[child])
                : minVruntime;
        vruntime[child] = later(vruntime[child], start);
        if (tunables.childRunsFirst() && forked && vruntime[current] - vruntime[child] < 0) {
            long parents = vruntime[current];
            vruntime[current] = vruntime[child];
            vruntime[child] = parents;
            reschedulePending = true;
        }
        vruntime[child] -= minVruntime;
    }

    /** Puts a task on the queue that {@link #placeNew} prepared. */
    public void enqueueNew(int task) {
        enqueueMoved(task);
    }

    /** Puts a task on the queue that {@link #dequeueMoved} took off another. */
    public void enqueueMoved(int task) {
        requireQueued(task, false);
        vruntime[task] += minVruntime;
        updateCurrent();
        account(task);
        insert(task);
    }

    /** Takes off a task that blocks. It remains {@link #current} if it is. */
    public void dequeueSleep(int task) {
        dequeue(task, true);
    }

    /** Takes off a task that will be put on another queue. */
    public void dequeueMoved(int task) {
        if (task == current) {
            throw new IllegalStateException("task " + task + " runs on CPU " + cpu);
        }
        dequeue(task, false);
    }

    private void dequeue(int task, boolean sleep) {
        requireQueued(task, true);
        updateCurrent();
        clearBuddies(task);
        if (task != current) {
            timeline.remove(task);
        }
        tasks.onQueue[task] = false;
        weight -= tasks.weight[task];
        nrRunning--;
        list.remove(task);
        if (!sleep) {
            vruntime[task] -= minVruntime;
        }
        advanceMinVruntime();
    }

    private void account(int task) {
        weight += tasks.weight[task];
        nrRunning++;
        list.pushHead(task);
    }

    private void insert(int task) {
        if (task != current) {
            timeline.insert(task);
        }
        tasks.onQueue[task] = true;
    }

    private void requireQueued(int task, boolean queued) {
        if (task == IDLE_TASK || tasks.onQueue[task] != queued) {
            throw new IllegalStateException("task " + task + (queued ? " is not queued" : " cannot be queued"));
        }
    }

    // The scheduler proper

    /**
     * The scheduler from the point where a blocking task is off the queue and balancing is done: puts the current task back, chooses
     * the next one and makes it current. The time is taken only if the current task stays queued; a blocking task took it when it was
     * dequeued, and a switch from idle is charged from the enqueue of the wakee.
     *
     * @param now ns
     * @return the task to run, which may be the one that ran; the idle task if the queue is empty
     */
    public int schedule(long now) {
        if (current != IDLE_TASK && tasks.onQueue[current]) {
            refresh(now);
        }
        putPrevious();
        int next = pick();
        if (next != IDLE_TASK) {
            setNext(next);
        }
        endSchedule();
        return next;
    }

    /** The current task stops running; if it is still queued it waits from now on ({@code put_prev_entity}). */
    public void putPrevious() {
        int previous = current;
        if (previous != IDLE_TASK && tasks.onQueue[previous]) {
            updateCurrent();
            timeline.insert(previous);
        }
        current = IDLE_TASK;
    }

    /** The task that should run next among the waiting ones ({@code pick_next_entity}), or the idle task. Spends a buddy mark. */
    public int pick() {
        int left = timeline.leftmost();
        if (left == IDLE_TASK) {
            return IDLE_TASK;
        }
        int picked = left;
        if (skipBuddy == left) {
            int second = timeline.second();
            if (second != IDLE_TASK && wouldPreempt(second, left) < 1) {
                picked = second;
            }
        }
        if (lastBuddy != IDLE_TASK && wouldPreempt(lastBuddy, left) < 1) {
            picked = lastBuddy;
        }
        if (nextBuddy != IDLE_TASK && wouldPreempt(nextBuddy, left) < 1) {
            picked = nextBuddy;
        }
        clearBuddies(picked);
        return picked;
    }

    /** A waiting task becomes the running one ({@code set_next_entity}). */
    public void setNext(int task) {
        if (current != IDLE_TASK) {
            throw new IllegalStateException("task " + current + " still runs on CPU " + cpu);
        }
        timeline.remove(task);
        tasks.execStart[task] = clock;
        tasks.prevSumExec[task] = tasks.sumExec[task];
        current = task;
    }

    /** The switch is done: no reschedule is pending, and the clock runs again. */
    public void endSchedule() {
        reschedulePending = false;
        skipClockUpdate = false;
    }

    // Reasons to reschedule

    /**
     * The tick of the running task.
     *
     * @return whether this tick asks for a reschedule that was not pending
     */
    public boolean tick() {
        if (current == IDLE_TASK) {
            return false;
        }
        updateCurrent();
        return nrRunning > 1 && ranLongEnough() && requestReschedule();
    }

    private boolean ranLongEnough() {
        long ideal = slice(current);
        long ran = tasks.sumExec[current] - tasks.prevSumExec[current];
        if (ran > ideal) {
            clearBuddies(current);
            return true;
        }
        return ran >= tunables.minGranularity() && vruntime[current] - vruntime[timeline.leftmost()] > ideal;
    }

    /**
     * Whether the task just enqueued by a wakeup or a balance move takes the CPU from the running one; sets the buddies ({@code
     * check_preempt_wakeup}).
     *
     * @return whether this asks for a reschedule that was not pending
     */
    public boolean checkPreempt(int wakee) {
        return checkPreempt(wakee, false);
    }

    /** {@link #checkPreempt} for a task enqueued by {@link #enqueueNew}. */
    public boolean checkPreemptByNew(int child) {
        return checkPreempt(child, true);
    }

    private boolean checkPreempt(int wakee, boolean forked) {
        int running = current;
        if (running == IDLE_TASK) {
            return requestReschedule();
        }
        if (wakee == running || !preempts(running, wakee, forked)) {
            return false;
        }
        boolean requested = requestReschedule();
        if (tasks.onQueue[running]) {
            skipClockUpdate = true;
            if (features.lastBuddy() && isCrowded() && tasks.policy[running] != TaskTable.POLICY_IDLE) {
                lastBuddy = running;
            }
        }
        return requested;
    }

    private boolean preempts(int running, int wakee, boolean forked) {
        boolean marked = features.nextBuddy() && isCrowded() && !forked;
        if (marked) {
            markNext(wakee);
        }
        if (reschedulePending) {
            return false;
        }
        byte policy = tasks.policy[wakee];
        if (tasks.policy[running] == TaskTable.POLICY_IDLE && policy != TaskTable.POLICY_IDLE) {
            return true;
        }
        if (policy != TaskTable.POLICY_NORMAL || !features.wakeupPreemption()) {
            return false;
        }
        updateCurrent();
        if (wouldPreempt(running, wakee) < 1) {
            return false;
        }
        if (!marked) {
            markNext(wakee);
        }
        return true;
    }

    private boolean isCrowded() {
        return nrRunning >= tunables.nrLatency();
    }

    private void markNext(int task) {
        if (tasks.policy[task] != TaskTable.POLICY_IDLE) {
            nextBuddy = task;
        }
    }

    /**
     * The running task gives up its turn ({@code yield_task_fair}); {@link #refresh} before, {@link #schedule} after. Nothing if it is
     * alone.
     */
    public void yieldCurrent() {
        if (nrRunning == 1) {
            return;
        }
        clearBuddies(current);
        if (tasks.policy[current] != TaskTable.POLICY_BATCH) {
            updateCurrent();
        }
        skipBuddy = current;
    }

    /**
     * Asks the running task to give way.
     *
     * @return whether that was not yet pending
     */
    public boolean requestReschedule() {
        boolean fresh = !reschedulePending;
        reschedulePending = true;
        return fresh;
    }

    // The balance list

    /** First task of the balance list, or the idle task if the queue is empty. Newest first, except for {@link #moveToTail}. */
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

    // Time and virtual time

    /** How long {@code task} may run within a period, ns; it is counted even if it is not queued ({@code sched_slice}). */
    public long slice(int task) {
        boolean queued = tasks.onQueue[task];
        int running = nrRunning + (queued ? 0 : 1);
        long period = running > tunables.nrLatency() ? running * tunables.minGranularity() : tunables.latency();
        long total = weight + (queued ? 0 : tasks.weight[task]);
        return LoadWeights.weightedDelta(period, tasks.weight[task], LoadWeights.inverseOfTotal(total));
    }

    private void updateCurrent() {
        if (current == IDLE_TASK) {
            return;
        }
        long ran = clock - tasks.execStart[current];
        if (ran == 0) {
            return;
        }
        tasks.execStart[current] = clock;
        tasks.sumExec[current] += ran;
        vruntime[current] += LoadWeights.virtualDelta(ran, tasks.weight[current], tasks.inverseWeight[current]);
        advanceMinVruntime();
    }

    private void advanceMinVruntime() {
        int left = timeline.leftmost();
        long floor = minVruntime;
        if (current != IDLE_TASK) {
            floor = left == IDLE_TASK ? vruntime[current] : earlier(vruntime[current], vruntime[left]);
        } else if (left != IDLE_TASK) {
            floor = vruntime[left];
        }
        minVruntime = later(minVruntime, floor);
    }

    /** 1 if {@code wakee} is far enough behind {@code running} to preempt it, 0 if it is only behind, −1 if not behind. */
    private int wouldPreempt(int running, int wakee) {
        long behind = vruntime[running] - vruntime[wakee];
        if (behind <= 0) {
            return -1;
        }
        long granularity =
                LoadWeights.virtualDelta(tunables.wakeupGranularity(), tasks.weight[wakee], tasks.inverseWeight[wakee]);
        return behind > granularity ? 1 : 0;
    }

    private void clearBuddies(int task) {
        if (nextBuddy == task) {
            nextBuddy = IDLE_TASK;
        }
        if (lastBuddy == task) {
            lastBuddy = IDLE_TASK;
        }
        if (skipBuddy == task) {
            skipBuddy = IDLE_TASK;
        }
    }

    private static long later(long a, long b) {
        return b - a > 0 ? b : a;
    }

    private static long earlier(long a, long b) {
        return b - a < 0 ? b : a;
    }
}
