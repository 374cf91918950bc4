package dev.perch.kernel.fair;

import static dev.perch.kernel.TaskTable.IDLE_TASK;

import dev.perch.kernel.TaskTable;

/**
 * The tasks of one runqueue in the order in which load balancing looks at them: newest first, unless moved to the tail ({@code
 * cfs_rq->tasks}, since 3.4 {@code rq->cfs_tasks}). A doubly linked list through the task table; the idle task ends it both ways.
 */
final class BalanceList {
    private final int[] next;
    private final int[] previous;
    private int head = IDLE_TASK;
    private int tail = IDLE_TASK;

    BalanceList(TaskTable tasks) {
        next = tasks.listNext;
        previous = tasks.listPrevious;
    }

    int first() {
        return head;
    }

    int after(int task) {
        return next[task];
    }

    void pushHead(int task) {
        next[task] = head;
        previous[task] = IDLE_TASK;
        if (head == IDLE_TASK) {
            tail = task;
        } else {
            previous[head] = task;
        }
        head = task;
    }

    void remove(int task) {
        int before = previous[task];
        int after = next[task];
        if (before == IDLE_TASK) {
            head = after;
        } else {
            next[before] = after;
        }
        if (after == IDLE_TASK) {
            tail = before;
        } else {
            previous[after] = before;
        }
    }

    void moveToTail(int task) {
        remove(task);
        previous[task] = tail;
        next[task] = IDLE_TASK;
        if (tail == IDLE_TASK) {
            head = task;
        } else {
            next[tail] = task;
        }
        tail = task;
    }
}
