package dev.perch.kernel.fair;

import static dev.perch.kernel.TaskTable.IDLE_TASK;

import dev.perch.kernel.TaskTable;

/**
 * The fair tasks of one runqueue in the order in which load balancing looks at them ({@code cfs_rq->tasks}, since 3.4 {@code
 * rq->cfs_tasks}; spec: scheduler.md 1.21): newest first, since 4.15 oldest first, unless moved to the tail. A doubly linked list through
 * the task table; the idle task ends it both ways.
 */
final class BalanceList {
    private final int[] next;
    private final int[] previous;
    private final boolean oldestFirst;
    private int newest = IDLE_TASK;
    private int oldest = IDLE_TASK;

    BalanceList(TaskTable tasks, boolean oldestFirst) {
        next = tasks.listNext;
        previous = tasks.listPrevious;
        this.oldestFirst = oldestFirst;
    }

    int first() {
        return oldestFirst ? oldest : newest;
    }

    int after(int task) {
        return oldestFirst ? previous[task] : next[task];
    }

    /** A new task. */
    void pushHead(int task) {
        next[task] = newest;
        previous[task] = IDLE_TASK;
        if (newest == IDLE_TASK) {
            oldest = task;
        } else {
            previous[newest] = task;
        }
        newest = task;
    }

    void remove(int task) {
        int before = previous[task];
        int after = next[task];
        if (before == IDLE_TASK) {
            newest = after;
        } else {
            next[before] = after;
        }
        if (after == IDLE_TASK) {
            oldest = before;
        } else {
            previous[after] = before;
        }
    }

    /** The task counts as new. */
    void moveToNewest(int task) {
        if (task != newest) {
            remove(task);
            pushHead(task);
        }
    }

    /** The task is looked at last. */
    void moveToTail(int task) {
        if (oldestFirst) {
            moveToNewest(task);
            return;
        }
        remove(task);
        previous[task] = oldest;
        next[task] = IDLE_TASK;
        if (oldest == IDLE_TASK) {
            newest = task;
        } else {
            next[oldest] = task;
        }
        oldest = task;
    }
}
