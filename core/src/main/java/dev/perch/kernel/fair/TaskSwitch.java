package dev.perch.kernel.fair;

import static dev.perch.kernel.TaskTable.IDLE_TASK;

import dev.perch.kernel.TaskTable;

/**
 * The scheduler proper of one CPU: from the running task to the next one, classes in their order ({@code __schedule}, {@code
 * pick_next_task}; spec: scheduler.md 0.4, 1.13, 2.13). Until 4.7 the running task is put back among the waiting ones before the next is
 * picked, later it is one of the candidates while it runs.
 */
final class TaskSwitch {
    private final TaskTable tasks;
    private final RunqueueState state;
    private final FairPick pick;
    private final FairQueue root;
    private final RtQueue realTime;
    private final BalanceList list;
    private final boolean putsBackFirst;
    private final boolean runningIsNewest;
    /** The running task, or the one that has just left its queue; the idle task if there is none. */
    int current = IDLE_TASK;

    /**
     * @param putsBackFirst the running task waits with the others while the next one is picked
     * @param runningIsNewest the balance list puts a task that is picked to its newest end
     */
    TaskSwitch(
            TaskTable tasks,
            RunqueueState state,
            FairHierarchy fair,
            RtQueue realTime,
            BalanceList list,
            boolean putsBackFirst,
            boolean runningIsNewest) {
        this.tasks = tasks;
        this.state = state;
        pick = new FairPick(tasks, fair);
        root = fair.root;
        this.realTime = realTime;
        this.list = list;
        this.putsBackFirst = putsBackFirst;
        this.runningIsNewest = runningIsNewest;
    }

    /** Delayed tasks whose turn would come next leave for good. */
    void letDelayedLeave() {
        if (root.delayedBelow > 0 && realTime.count() == 0) {
            pick.pick(fairCurrent());
        }
    }

    private int fairCurrent() {
        return tasks.isFair(current) ? current : IDLE_TASK;
    }

    /** Chooses the next task and makes it current in place of the present one. */
    int schedule(long now) {
        int next = putsBackFirst ? putBackThenPick(now) : pickThenPutBack(now);
        if (runningIsNewest && next != IDLE_TASK && tasks.isFair(next)) {
            list.moveToNewest(next);
        }
        state.switched();
        return next;
    }

    private int putBackThenPick(long now) {
        if (current != IDLE_TASK && tasks.onQueue[current]) {
            state.refreshForSwitch(now);
        }
        putPrevious();
        int next = realTime.pick(root.tasksBelow > 0);
        if (next == IDLE_TASK) {
            next = pick.pickAndSetNext();
        } else {
            realTime.start(next);
        }
        current = next;
        return next;
    }

    private int pickThenPutBack(long now) {
        state.refreshForSwitch(now);
        int next = realTime.pick(root.tasksBelow > 0);
        if (next == IDLE_TASK) {
            next = pick.pick(fairCurrent());
            if (next != IDLE_TASK && current != IDLE_TASK && tasks.isFair(current)) {
                switchFair(next);
                return next;
            }
        }
        if (next != current || next == IDLE_TASK) {
            putPrevious();
            setNext(next);
        }
        return next;
    }

    private void switchFair(int next) {
        if (!pick.isRunning(current)) {
            pick.setNext(next); // a limit made the current task give way while the next one was picked
        } else if (next != current) {
            pick.switchBetween(current, next);
        }
        current = next;
    }

    private void setNext(int task) {
        if (task != IDLE_TASK) {
            if (tasks.isFair(task)) {
                pick.setNext(task);
            } else {
                realTime.start(task);
            }
        }
        current = task;
    }

    /** The running task, which was taken off its queue, goes on in another group. */
    void regroup(int group) {
        pick.putPrevious(current);
        tasks.group[current] = group;
        pick.enqueue(current);
        pick.setNext(current);
    }

    /** The current task stops running; if it is still queued it waits from now on ({@code put_prev_task}). */
    void putPrevious() {
        int previous = current;
        if (previous != IDLE_TASK) {
            if (!tasks.isFair(previous)) {
                if (tasks.onQueue[previous]) {
                    realTime.update(previous);
                }
            } else if (pick.isRunning(previous)) {
                pick.putPrevious(previous);
            }
        }
        current = IDLE_TASK;
    }
}
