package dev.perch.kernel.fair;

import static dev.perch.kernel.TaskTable.IDLE_TASK;
import static dev.perch.kernel.fair.FairQueue.FINISH_DELAYED;
import static dev.perch.kernel.fair.FairQueue.SLEEP;
import static dev.perch.kernel.fair.FairQueue.SPECIAL;
import static dev.perch.kernel.fair.FairQueue.WAKEUP;

import dev.perch.kernel.TaskTable;
import org.jspecify.annotations.Nullable;

/**
 * The queues of all task groups on one CPU, and the walks over their levels from a task to the root and back ({@code for_each_sched_entity}
 * in {@code enqueue_task_fair}, {@code dequeue_entities}, {@code throttle_cfs_rq}; spec: scheduler.md 1.12, 1.19, 1.20, 2.6). Without
 * groups there is one level. Who runs next is {@link FairPick}'s.
 */
final class FairHierarchy {
    /** Least weight of a group on a CPU ({@code MIN_SHARES}). */
    private static final long LEAST_WEIGHT = 2;

    private final TaskTable tasks;
    private final RunqueueState state;
    /** By group number; parents come before children. */
    private final FairQueue[] queues;

    private final TaskGroups groups;
    private final GroupWeights weights;
    private final int cpus;
    private final BalanceList list;
    final FairQueue root;

    FairHierarchy(
            TaskTable tasks,
            RunqueueState state,
            FairQueue[] queues,
            TaskGroups groups,
            GroupWeights weights,
            int cpus,
            BalanceList list) {
        this.tasks = tasks;
        this.state = state;
        this.queues = queues;
        this.groups = groups;
        this.weights = weights;
        this.cpus = cpus;
        this.list = list;
        root = queues[0];
    }

    /** The queue that a task is on, or was, or will be. */
    FairQueue queueOf(int task) {
        return queues[tasks.group[task]];
    }

    @Nullable
    FairQueue queueBelow(int entity) {
        int groupEntity = entity - tasks.capacity();
        return groupEntity < 0 ? null : queues[1 + groupEntity / cpus];
    }

    // On and off the queues

    /** Puts a task on its queue, and the groups above it that are not queued on theirs. */
    void enqueue(int task, int flags) {
        int idle = tasks.policy[task] == TaskTable.POLICY_IDLE ? 1 : 0;
        list.pushHead(task);
        enqueueFrom(task, queueOf(task), flags, 1, idle, tasks.delayed[task] ? 1 : 0);
    }

    private void enqueueFrom(int first, FairQueue from, int flags, int count, int idle, int delayed) {
        int entity = first;
        int how = flags;
        boolean joining = true;
        for (FairQueue queue = from; queue != null; queue = queue.parent) {
            if (joining && tasks.onQueue[entity]) {
                joining = false;
                if (tasks.delayed[entity]) {
                    queue.requeueDelayed(entity);
                }
            }
            if (joining) {
                aboutToChange(queue);
                queue.enqueue(entity, how);
                how = WAKEUP;
                throttleAtFirst(queue);
            }
            queue.tasksBelow += count;
            queue.idleBelow += idle;
            queue.delayedBelow += delayed;
            changed(queue);
            if (queue.throttled) {
                return;
            }
            entity = queue.owner;
        }
    }

    private void throttleAtFirst(FairQueue queue) {
        Bandwidth bandwidth = queue.bandwidth;
        if (bandwidth != null && queue.nr == 1 && queue.current == IDLE_TASK && !queue.throttled) {
            bandwidth.charge(queue, 0);
            if (bandwidth.isExhausted(queue)) {
                bandwidth.throttle(queue);
            }
        }
    }

    /**
     * Takes a task off its queue, and the groups above it that become empty off theirs.
     *
     * @return false if the task sleeps but stays queued, delayed
     */
    boolean dequeue(int task, int flags) {
        int idle = tasks.policy[task] == TaskTable.POLICY_IDLE ? 1 : 0;
        boolean wasDelayed = tasks.delayed[task];
        if (!dequeueFrom(task, queueOf(task), flags, 1, idle, wasDelayed ? 1 : 0)) {
            countDelayed(task, 1);
            return false;
        }
        list.remove(task);
        return true;
    }

    private boolean dequeueFrom(int first, FairQueue from, int flags, int count, int idle, int delayed) {
        int entity = first;
        int how = flags;
        boolean leaving = true;
        for (FairQueue queue = from; queue != null; queue = queue.parent) {
            if (leaving) {
                aboutToChange(queue);
                leaving = queue.dequeue(entity, how);
                if (!leaving && entity == first && first < tasks.capacity()) {
                    return false;
                }
                if (leaving && queue.nr > 0) {
                    leaving = false;
                    keepCpuInGroup(queue, flags);
                }
                how = SLEEP | how & SPECIAL;
                if (queue.bandwidth != null && queue.nr == 0 && !queue.throttled) {
                    queue.bandwidth.giveBack(queue);
                }
            }
            queue.tasksBelow -= count;
            queue.idleBelow -= idle;
            queue.delayedBelow -= delayed;
            changed(queue);
            if (queue.throttled) {
                return true;
            }
            entity = queue.owner;
        }
        return true;
    }

    /** The group of a task that goes to sleep should run on, if it has other tasks. */
    private void keepCpuInGroup(FairQueue queue, int flags) {
        if ((flags & SLEEP) != 0 && queue.parent != null && !isThrottled(queue)) {
            markNext(queue.owner, queue.parent);
        }
    }

    /** An entity becomes the next buddy of its queue, and the groups above it of theirs ({@code set_next_buddy}). */
    void markNext(int first, FairQueue from) {
        int entity = first;
        for (FairQueue queue = from; queue != null; queue = queue.parent) {
            if (!tasks.onQueue[entity] || queue.isIdleEntity(entity)) {
                return;
            }
            queue.nextBuddy = entity;
            entity = queue.owner;
        }
    }

    /** A delayed task is woken. */
    void requeueDelayed(int task) {
        queueOf(task).requeueDelayed(task);
        countDelayed(task, -1);
    }

    private void countDelayed(int task, int count) {
        for (FairQueue queue = queueOf(task); queue != null; queue = queue.parent) {
            queue.delayedBelow += count;
        }
    }

    /** A delayed entity's turn has come, so it owes nothing: it leaves for good. */
    void finishDelayed(int entity, FairQueue queue) {
        boolean task = entity < tasks.capacity();
        int one = task ? 1 : 0;
        int idle = task && tasks.policy[entity] == TaskTable.POLICY_IDLE ? 1 : 0;
        dequeueFrom(entity, queue, SLEEP | FINISH_DELAYED, one, idle, one);
        if (task) {
            list.remove(entity);
        }
    }

    // Weights

    /** Changes the weight of a task. */
    void reweight(int task, int weight, long inverse) {
        FairQueue queue = queueOf(task);
        aboutToChange(queue);
        queue.reweight(task, weight, inverse);
        changed(queue);
    }

    /** A task's weight as a part of what its group weighs on the root queue here; its own in the root group, or if it is alone in its group. */
    long weightAtRoot(int task) {
        long weight = tasks.weight[task];
        for (FairQueue queue = queueOf(task); queue.parent != null; queue = queue.parent) {
            weight = weight * tasks.weight[queue.owner] / Math.max(queue.weight, weight);
        }
        return weight;
    }

    /**
     * By how much the weight of the root queue changes ({@code effective_load} of 2.6.39 to 4.12; spec: placement.md 8.1).
     *
     * @param group where load comes or goes, not the root
     * @param onCpu weight that this CPU's queue of the group gains
     * @param inGroup weight that the whole group gains
     */
    long effectiveLoad(int group, long onCpu, long inGroup) {
        long here = onCpu;
        long everywhere = inGroup;
        for (FairQueue queue = queues[group]; queue.parent != null; queue = queue.parent) {
            long shares = groups.groups().get(queue.group - 1).shares();
            long total = everywhere + weights.elsewhere(queue.group, state.cpu) + queue.weight;
            long weight = queue.weight + here;
            long part = total > 0 && weight < total ? shares * weight / total : shares;
            here = Math.max(part, LEAST_WEIGHT) - tasks.weight[queue.owner];
            everywhere = 0;
        }
        return here;
    }

    private void aboutToChange(FairQueue queue) {
        if (queue.parent != null) {
            weights.beforeChange(queue.group, state.cpu, state.clock(), queue.weight, false);
        }
    }

    private void changed(FairQueue queue) {
        FairQueue parent = queue.parent;
        if (parent == null) {
            return;
        }
        TaskGroups.Group group = groups.groups().get(queue.group - 1);
        long weight = group.idle()
                ? LoadWeights.IDLE_POLICY
                : weights.weight(queue.group, state.cpu, group.shares(), queue.weight);
        if (weight != tasks.weight[queue.owner]) {
            parent.reweight(queue.owner, (int) weight, queue.time.inverse(weight));
        }
        queue.updateOwnersSlice();
    }

    // The running task

    /** The tick of a running task. */
    void tick(int task) {
        for (FairQueue queue = queueOf(task); queue != null; queue = queue.parent) {
            queue.updateCurrent();
            aboutToChange(queue);
            changed(queue);
            queue.tick();
        }
    }

    /** The CPU balances: the loads of all groups on it are brought up to now, and their weights with them ({@code update_shares}). */
    void updateShares() {
        for (int group = queues.length - 1; group > 0; group--) {
            FairQueue queue = queues[group];
            weights.beforeChange(group, state.cpu, state.clock(), queue.weight, true);
            if (tasks.onQueue[queue.owner]) {
                changed(queue);
            }
        }
    }

    /** The running task gives up its turn, and so does its group on every level. */
    void yieldCurrent(int task) {
        int entity = task;
        for (FairQueue queue = queueOf(task); queue != null; queue = queue.parent) {
            queue.yieldCurrent(entity);
            entity = queue.owner;
        }
    }

    // Bandwidth

    /** A limit asks the queue to stop, and it has not stopped yet. */
    boolean isExhausted(FairQueue queue) {
        return queue.bandwidth != null && !queue.throttled && queue.nr > 0 && queue.bandwidth.isExhausted(queue);
    }

    /** Whether a queue or one above it is throttled. */
    boolean isThrottled(FairQueue from) {
        for (FairQueue queue = from; queue != null; queue = queue.parent) {
            if (queue.throttled) {
                return true;
            }
        }
        return false;
    }

    /** A queue has no runtime left: its group leaves the queue above. */
    void throttle(FairQueue queue) {
        Bandwidth bandwidth = queue.bandwidth;
        FairQueue parent = queue.parent;
        if (bandwidth == null || parent == null) {
            throw new IllegalStateException("the root group has no limit");
        }
        bandwidth.throttle(queue);
        if (tasks.onQueue[queue.owner]) {
            int finish = tasks.delayed[queue.owner] ? FINISH_DELAYED : 0;
            dequeueFrom(
                    queue.owner,
                    parent,
                    SLEEP | SPECIAL | finish,
                    queue.tasksBelow,
                    queue.idleBelow,
                    queue.delayedBelow);
        }
    }

    /** A queue has runtime again. */
    void unthrottle(FairQueue queue) {
        FairQueue parent = queue.parent;
        if (parent != null && queue.nr > 0) {
            enqueueFrom(queue.owner, parent, WAKEUP, queue.tasksBelow, queue.idleBelow, queue.delayedBelow);
        }
    }
}
