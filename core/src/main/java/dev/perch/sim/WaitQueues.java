package dev.perch.sim;

import java.util.Arrays;

/**
 * Lists of tasks that wait, first come first served; and for each task the list of those that it is about to wake ({@code wake_q}).
 *
 * <p>A task is in at most one list. Queues are numbered from 0. Nothing is allocated.
 */
final class WaitQueues {
    /** End of a list, and what an empty one gives. */
    static final int NOBODY = 0;

    private final int[] head;
    private final int[] tail;
    private final int[] next;
    private final int queues;
    /** Whether the wakeups of a task's list say that the waker will sleep soon. */
    private final boolean[] sync;

    /** {@code tasks}: the highest task number and one. */
    WaitQueues(int queues, int tasks) {
        this.queues = queues;
        head = new int[queues + tasks];
        tail = new int[queues + tasks];
        next = new int[tasks];
        sync = new boolean[tasks];
        Arrays.fill(head, NOBODY);
    }

    boolean isEmpty(int queue) {
        return head[queue] == NOBODY;
    }

    /** A task begins to wait, behind all others. */
    void add(int queue, int task) {
        next[task] = NOBODY;
        if (head[queue] == NOBODY) {
            head[queue] = task;
        } else {
            next[tail[queue]] = task;
        }
        tail[queue] = task;
    }

    private int take(int queue) {
        int task = head[queue];
        if (task != NOBODY) {
            head[queue] = next[task];
        }
        return task;
    }

    /**
     * The longest waiting task of a queue will be woken by {@code waker}.
     *
     * @return that task, or {@link #NOBODY}
     */
    int wakeOne(int queue, int waker, boolean synchronously) {
        int task = take(queue);
        if (task != NOBODY) {
            add(queues + waker, task);
            sync[waker] = synchronously;
        }
        return task;
    }

    /** All tasks of a queue will be woken by {@code waker}, in their order. */
    void wakeAll(int queue, int waker, boolean synchronously) {
        int first = head[queue];
        if (first == NOBODY) {
            return;
        }
        int list = queues + waker;
        if (head[list] == NOBODY) {
            head[list] = first;
        } else {
            next[tail[list]] = first;
        }
        tail[list] = tail[queue];
        head[queue] = NOBODY;
        sync[waker] = synchronously;
    }

    /** A task that is in no queue will be woken by {@code waker}. */
    void wake(int task, int waker, boolean synchronously) {
        add(queues + waker, task);
        sync[waker] = synchronously;
    }

    /** The task that {@code waker} wakes next; taken off its list. */
    int nextToWake(int waker) {
        return take(queues + waker);
    }

    /** Whether {@code waker} wakes synchronously at present. */
    boolean isSync(int waker) {
        return sync[waker];
    }
}
