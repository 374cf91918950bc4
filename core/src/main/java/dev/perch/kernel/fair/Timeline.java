package dev.perch.kernel.fair;

import dev.perch.kernel.TaskTable;
import java.util.Arrays;

/**
 * The waiting tasks of one runqueue in the order of their virtual runtimes; equals in the order of their insertion ({@code
 * tasks_timeline}; spec: scheduler.md 1.9).
 *
 * <p>The kernel keeps a red-black tree; as only its first two members are ever asked for, this is a binary heap, which has the same
 * first two. Insertion and removal cost O(log n) and allocate nothing but a longer heap when the queue is longer than ever. Virtual runtimes wrap; they are compared by signed difference,
 * and those of one queue must lie within 2^63 of each other. That of a waiting task must not change.
 */
final class Timeline {
    private final long[] vruntime;
    private final long[] ticket;
    private final int[] index;
    private int[] heap = new int[16];
    private int size;
    private long nextTicket;

    Timeline(TaskTable tasks) {
        vruntime = tasks.vruntime;
        ticket = tasks.timelineTicket;
        index = tasks.timelineIndex;
    }

    int size() {
        return size;
    }

    boolean contains(int task) {
        int at = index[task];
        return at >= 0 && at < size && heap[at] == task;
    }

    /** The task with the smallest virtual runtime, or the idle task if none waits ({@code rb_leftmost}). */
    int leftmost() {
        return size == 0 ? TaskTable.IDLE_TASK : heap[0];
    }

    /** The task after {@link #leftmost}, or the idle task if there is none. */
    int second() {
        if (size < 3) {
            return size < 2 ? TaskTable.IDLE_TASK : heap[1];
        }
        return before(heap[1], heap[2]) ? heap[1] : heap[2];
    }

    void insert(int task) {
        if (index[task] >= 0) {
            throw new IllegalStateException("task " + task + " already waits");
        }
        ticket[task] = nextTicket++;
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, 2 * size);
        }
        siftUp(size++, task);
    }

    void remove(int task) {
        if (!contains(task)) {
            throw new IllegalStateException("task " + task + " does not wait here");
        }
        int hole = index[task];
        index[task] = -1;
        int moved = heap[--size];
        if (moved == task) {
            return;
        }
        if (hole > 0 && before(moved, heap[hole - 1 >> 1])) {
            siftUp(hole, moved);
        } else {
            siftDown(hole, moved);
        }
    }

    private void siftUp(int from, int task) {
        int at = from;
        while (at > 0) {
            int parent = at - 1 >> 1;
            int other = heap[parent];
            if (!before(task, other)) {
                break;
            }
            put(at, other);
            at = parent;
        }
        put(at, task);
    }

    private void siftDown(int from, int task) {
        int at = from;
        int child = 2 * at + 1;
        while (child < size) {
            if (child + 1 < size && before(heap[child + 1], heap[child])) {
                child++;
            }
            int other = heap[child];
            if (!before(other, task)) {
                break;
            }
            put(at, other);
            at = child;
            child = 2 * at + 1;
        }
        put(at, task);
    }

    private void put(int at, int task) {
        heap[at] = task;
        index[task] = at;
    }

    private boolean before(int a, int b) {
        long difference = vruntime[a] - vruntime[b];
        return difference < 0 || difference == 0 && ticket[a] < ticket[b];
    }
}
