package dev.perch.kernel.fair;

import static dev.perch.kernel.TaskTable.IDLE_TASK;

import dev.perch.kernel.TaskTable;
import java.util.Arrays;

/**
 * The real-time tasks of one CPU: first in, first out within each of 99 priorities, the highest first; SCHED_RR goes to the end of its
 * priority after 100 ms ({@code struct rt_rq}; spec: scheduler.md 4.10). Times are ns.
 *
 * <p>Together they run 950 ms of each second at most; from 6.12 on only while fair tasks wait, which is what the fair server there comes
 * to. Limitations: here real-time tasks only displace others; they stay on the CPU that their placement chose (no push, no pull), CPUs do
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

    RtQueue(TaskTable tasks, RunqueueState state, boolean onlyWhileFairTasksWait) {
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
        if (count == 0) {
            return IDLE_TASK;
        }
        int priority = PRIORITIES - 1;
        while (head[priority] == IDLE_TASK) {
            priority--;
        }
        return head[priority];
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

    void start(int task) {
        tasks.execStart[task] = state.clock();
        tasks.prevSumExec[task] = tasks.sumExec[task];
    }

    /** Charges the running task; takes the CPU from it when the class has used its time up. */
    void update(int running) {
        long ran = state.clock() - tasks.execStart[running];
        tasks.execStart[running] = state.clock();
        tasks.sumExec[running] += ran;
        used += ran;
        if (used > RUNTIME && !throttled) {
            throttled = true;
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

    /** When {@link #expire} is to be called if the class has used its time up, else never. */
    long due() {
        return throttled ? periodEnd : Bandwidth.NEVER;
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
