package dev.perch.kernel.fair;

import static dev.perch.kernel.TaskTable.IDLE_TASK;

import dev.perch.kernel.TaskTable;
import java.util.Arrays;

/**
 * The real-time tasks of one CPU: first in, first out within each of 99 priorities, the highest first; SCHED_RR goes to the end of its
 * priority after 100 ms ({@code struct rt_rq}; spec: scheduler.md 4.10). Times are ns.
 *
 * <p>Together they run 950 ms of each second at most; from 6.12 on only while fair tasks wait, which is what the fair server there comes
 * to. Limitations: CPUs do
 * not borrow each other's time, there are no groups and no deadline class.
 */
final class RtQueue {
    private static final int PRIORITIES = 100;
    private static final long ROUND_ROBIN = 100_000_000;
    private static final long PERIOD = 1_000_000_000;
    private static final long RUNTIME = 950_000_000;

    private final TaskTable tasks;
    private final RunqueueState state;
    private final boolean onlyWhileFairTasksWait;
    private final int[] head = new int[PRIORITIES];
    private final int[] tail = new int[PRIORITIES];
    private int count;
    private long used;
    private long periodEnd = PERIOD;
    private boolean throttled;
    private final LimitTimers timers;
    private final int timer;

    /** @param timer the CPU's number among the timers */
    RtQueue(TaskTable tasks, RunqueueState state, boolean onlyWhileFairTasksWait, LimitTimers timers, int timer) {
        this.timers = timers;
        this.timer = timer;
        this.tasks = tasks;
        this.state = state;
        this.onlyWhileFairTasksWait = onlyWhileFairTasksWait;
        Arrays.fill(head, IDLE_TASK);
        Arrays.fill(tail, IDLE_TASK);
    }

    /** Real-time tasks on the queue, the running one included. */
    int count() {
        return count;
    }

    /** Whether the class has used its time up. */
    boolean isThrottled() {
        return throttled;
    }

    /** The task that runs next, or the idle task if there is none or the class has used its time up. */
    int pick(boolean fairTasksWait) {
        boolean mayRun = !throttled || onlyWhileFairTasksWait && !fairTasksWait;
        return mayRun ? highest() : IDLE_TASK;
    }

    private int highest() {
        return head[priority()];
    }

    /** The highest priority of a task on the queue; 0 if there is none. */
    int priority() {
        int priority = count == 0 ? 0 : PRIORITIES - 1;
        while (priority > 0 && head[priority] == IDLE_TASK) {
            priority--;
        }
        return priority;
    }

    /** The most urgent task but {@code running} that may run on CPU {@code onto}, or on whatever other one; the idle task if there is none. */
    int pushable(int running, int onto) {
        for (int priority = count > 1 ? priority() : 0; priority > 0; priority--) {
            for (int task = head[priority]; task != IDLE_TASK; task = tasks.listNext[task]) {
                boolean allowed =
                        onto == Runqueue.ANY_CPU ? tasks.allowed[task].count() > 1 : tasks.allowed[task].contains(onto);
                if (task != running && !tasks.onCpu[task] && allowed) {
                    return task;
                }
            }
        }
        return IDLE_TASK;
    }

    void moveToFront(int task) {
        unlink(task);
        int priority = tasks.rtPriority[task];
        int first = head[priority];
        tasks.listPrevious[task] = IDLE_TASK;
        tasks.listNext[task] = first;
        if (first == IDLE_TASK) {
            tail[priority] = task;
        } else {
            tasks.listPrevious[first] = task;
        }
        head[priority] = task;
    }

    void enqueue(int task) {
        append(task);
        count++;
        tasks.onQueue[task] = true;
    }

    void dequeue(int task) {
        unlink(task);
        count--;
        tasks.onQueue[task] = false;
    }

    /** A task runs; what is left of its turn under SCHED_RR is what it had before. */
    void start(int task) {
        tasks.execStart[task] = state.clock();
    }

    /** Charges the running task; takes the CPU from it when the class has used its time up. */
    void update(int running) {
        long ran = state.clock() - tasks.execStart[running];
        tasks.execStart[running] = state.clock();
        tasks.sumExec[running] += ran;
        used += ran;
        if (used > RUNTIME && !throttled) {
            throttled = true;
            timers.set(timer, periodEnd, state.cpu);
            state.requestReschedule();
        }
    }

    /** The tick of a running task, after {@link #update}. */
    void tick(int running) {
        boolean sliceIsOver = tasks.policy[running] == TaskTable.POLICY_RR
                && tasks.sumExec[running] - tasks.prevSumExec[running] >= ROUND_ROBIN;
        if (sliceIsOver) {
            tasks.prevSumExec[running] = tasks.sumExec[running];
            int priority = tasks.rtPriority[running];
            if (head[priority] != tail[priority]) {
                unlink(running);
                append(running);
                state.requestReschedule();
            }
        }
    }

    /** The running task lets others of its priority run first. */
    void yieldCurrent(int running) {
        unlink(running);
        append(running);
    }

    /** The time has come to a new period, or to several. */
    void expire(long now) {
        while (periodEnd <= now) {
            periodEnd += PERIOD;
            used -= Math.min(used, RUNTIME);
        }
        if (throttled && used < RUNTIME) {
            throttled = false;
            if (count > 0) {
                state.requestReschedule();
            }
        }
        timers.set(timer, throttled ? periodEnd : LimitTimers.NEVER, state.cpu);
    }

    private void append(int task) {
        int priority = tasks.rtPriority[task];
        int last = tail[priority];
        tasks.listPrevious[task] = last;
        tasks.listNext[task] = IDLE_TASK;
        if (last == IDLE_TASK) {
            head[priority] = task;
        } else {
            tasks.listNext[last] = task;
        }
        tail[priority] = task;
    }

    private void unlink(int task) {
        int priority = tasks.rtPriority[task];
        int before = tasks.listPrevious[task];
        int after = tasks.listNext[task];
        if (before == IDLE_TASK) {
            head[priority] = after;
        } else {
            tasks.listNext[before] = after;
        }
        if (after == IDLE_TASK) {
            tail[priority] = before;
        } else {
            tasks.listPrevious[after] = before;
        }
    }
}
