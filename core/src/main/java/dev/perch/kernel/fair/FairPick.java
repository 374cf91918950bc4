package dev.perch.kernel.fair;

import static dev.perch.kernel.TaskTable.IDLE_TASK;

import dev.perch.kernel.TaskTable;

/**
 * Which fair task of a CPU runs next, and the change from one running task to the next on all levels of its groups ({@code
 * pick_next_task_fair}, {@code put_prev_task_fair}, {@code set_next_task_fair}; spec: scheduler.md 1.12, 1.13, 2.8, 2.13).
 */
final class FairPick {
    private final TaskTable tasks;
    private final FairHierarchy hierarchy;

    FairPick(TaskTable tasks, FairHierarchy hierarchy) {
        this.tasks = tasks;
        this.hierarchy = hierarchy;
    }

    /** Every level that a running task is in puts its entity back among the waiting ones. */
    void putPrevious(int task) {
        int entity = task;
        for (FairQueue queue = hierarchy.queueOf(task); queue != null; queue = queue.parent) {
            putPrevious(entity, queue);
            entity = queue.owner;
        }
    }

    private void putPrevious(int entity, FairQueue queue) {
        queue.putPrevious(entity);
        if (hierarchy.isExhausted(queue)) {
            hierarchy.throttle(queue);
        }
    }

    /** A task that was taken off a queue is put on that of its group. */
    void enqueue(int task) {
        hierarchy.enqueue(task, 0);
    }

    /** A waiting task runs, and on every level above it its group. */
    void setNext(int task) {
        int entity = task;
        for (FairQueue queue = hierarchy.queueOf(task); queue != null; queue = queue.parent) {
            queue.setNext(entity);
            entity = queue.owner;
        }
    }

    /** From one running task to the next; levels above both keep running ({@code pick_next_task_fair}). */
    void switchBetween(int previous, int next) {
        FairQueue from = hierarchy.queueOf(previous);
        FairQueue to = hierarchy.queueOf(next);
        int leaving = previous;
        int coming = next;
        while (from != to) {
            int fromDepth = from.depth;
            int toDepth = to.depth;
            if (fromDepth >= toDepth && from.parent != null) {
                putPrevious(leaving, from);
                leaving = from.owner;
                from = from.parent;
            }
            if (toDepth >= fromDepth && to.parent != null) {
                to.setNext(coming);
                coming = to.owner;
                to = to.parent;
            }
        }
        putPrevious(leaving, from);
        to.setNext(coming);
    }

    /** Whether a task is the running one on its queue. */
    boolean isRunning(int task) {
        return hierarchy.queueOf(task).current == task;
    }

    /**
     * The task that should run next, the running one being one of the candidates; delayed entities whose turn has come leave.
     *
     * @param previous the task that runs or has just left its queue; the idle task if it is none of this class
     * @return the idle task if there is none
     */
    int pick(int previous) {
        FairQueue queue = hierarchy.root;
        while (queue.nr > 0) {
            if (queue.current != IDLE_TASK) {
                if (tasks.onQueue[queue.current]) {
                    queue.updateCurrent();
                }
                if (hierarchy.isExhausted(queue)) {
                    putPrevious(previous);
                    queue = hierarchy.root;
                    continue;
                }
            }
            int entity = queue.pick();
            if (tasks.delayed[entity]) {
                hierarchy.finishDelayed(entity, queue);
                queue = hierarchy.root;
                continue;
            }
            FairQueue below = hierarchy.queueBelow(entity);
            if (below == null) {
                return entity;
            }
            queue = below;
        }
        return IDLE_TASK;
    }

    /** {@link #pick} of kernels that put the running task back first: every level's choice runs at once. */
    int pickAndSetNext() {
        FairQueue queue = hierarchy.root;
        while (queue.nr > 0) {
            int entity = queue.pick();
            queue.setNext(entity);
            FairQueue below = hierarchy.queueBelow(entity);
            if (below == null) {
                return entity;
            }
            queue = below;
        }
        return IDLE_TASK;
    }
}
