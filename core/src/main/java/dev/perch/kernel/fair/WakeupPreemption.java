package dev.perch.kernel.fair;

import dev.perch.kernel.TaskTable;

/**
 * Whether a fair task that has just been enqueued takes the CPU from the fair one that runs ({@code check_preempt_wakeup}; spec:
 * scheduler.md 1.15 and 2.10). The sync flag plays no part.
 */
abstract sealed class WakeupPreemption permits WakeupPreemption.Cfs, WakeupPreemption.Eevdf {
    final TaskTable tasks;
    final RunqueueState state;
    final FairHierarchy hierarchy;
    /** Results of {@link #commonQueue}. */
    int runningEntity;

    int wakeeEntity;

    WakeupPreemption(TaskTable tasks, RunqueueState state, FairHierarchy hierarchy) {
        this.tasks = tasks;
        this.state = state;
        this.hierarchy = hierarchy;
    }

    /**
     * Decides, nominates buddies and asks for the reschedule.
     *
     * @param forked the wakee is new
     * @return whether this decided that the wakee preempts
     */
    abstract boolean preempts(int running, int wakee, boolean forked);

    /** The queue on which both have an entity; {@link #runningEntity} and {@link #wakeeEntity} are theirs. */
    final FairQueue commonQueue(int running, int wakee) {
        FairQueue one = hierarchy.queueOf(running);
        FairQueue other = hierarchy.queueOf(wakee);
        runningEntity = running;
        wakeeEntity = wakee;
        while (one != other) {
            int depth = one.depth;
            int otherDepth = other.depth;
            if (depth >= otherDepth && one.parent != null) {
                runningEntity = one.owner;
                one = one.parent;
            }
            if (otherDepth >= depth && other.parent != null) {
                wakeeEntity = other.owner;
                other = other.parent;
            }
        }
        return one;
    }

    final boolean isIdlePolicy(int task) {
        return tasks.policy[task] == TaskTable.POLICY_IDLE;
    }

    /** By distance in virtual runtime, 2.6.39 to 6.5. */
    static final class Cfs extends WakeupPreemption {
        private final CfsFeatures features;
        private final boolean idleEntities;

        Cfs(TaskTable tasks, RunqueueState state, FairHierarchy hierarchy, CfsFeatures features, CfsVersion version) {
            super(tasks, state, hierarchy);
            this.features = features;
            idleEntities = version.since(CfsVersion.V5_16);
        }

        @Override
        boolean preempts(int running, int wakee, boolean forked) {
            FairQueue wakees = hierarchy.queueOf(wakee);
            if (hierarchy.isThrottled(wakees)) {
                return false;
            }
            boolean crowded = ((CfsQueue) hierarchy.queueOf(running)).isCrowded();
            boolean marked = features.nextBuddy() && crowded && !forked;
            if (marked) {
                hierarchy.markNext(wakee, wakees);
            }
            runningEntity = running;
            if (state.isPending() || !wins(running, wakee, marked)) {
                return false;
            }
            state.requestReschedule();
            if (features.lastBuddy() && crowded && runningEntity == running) {
                markLast(running);
            }
            return true;
        }

        private boolean wins(int running, int wakee, boolean marked) {
            if (isIdlePolicy(running) && !isIdlePolicy(wakee)) {
                return true;
            }
            if (tasks.policy[wakee] != TaskTable.POLICY_NORMAL || !features.wakeupPreemption()) {
                return false;
            }
            CfsQueue common = (CfsQueue) commonQueue(running, wakee);
            int rival = wakeeEntity;
            boolean runningIsIdle = idleEntities && common.isIdleEntity(runningEntity);
            boolean wakeeIsIdle = idleEntities && common.isIdleEntity(rival);
            if (runningIsIdle != wakeeIsIdle) {
                return runningIsIdle;
            }
            common.updateCurrent();
            if (common.wouldPreempt(runningEntity, rival) < 1) {
                return false;
            }
            if (!marked) {
                hierarchy.markNext(rival, common);
            }
            return true;
        }

        private void markLast(int running) {
            int entity = running;
            for (FairQueue queue = hierarchy.queueOf(running); queue != null; queue = queue.parent) {
                if (!tasks.onQueue[entity] || queue.isIdleEntity(entity)) {
                    return;
                }
                queue.lastBuddy = entity;
                entity = queue.owner;
            }
        }
    }

    /** By deadline among the eligible, 6.6 to 6.18. */
    static final class Eevdf extends WakeupPreemption {
        private final EevdfFeatures features;
        private final boolean since612;
        private final boolean since618;

        Eevdf(
                TaskTable tasks,
                RunqueueState state,
                FairHierarchy hierarchy,
                EevdfFeatures features,
                EevdfVersion version) {
            super(tasks, state, hierarchy);
            this.features = features;
            since612 = version.since(EevdfVersion.V6_12);
            since618 = version.since(EevdfVersion.V6_18);
        }

        @Override
        boolean preempts(int running, int wakee, boolean forked) {
            FairQueue wakees = hierarchy.queueOf(wakee);
            if (hierarchy.isThrottled(wakees)) {
                return false;
            }
            if (features.nextBuddy() && !forked && !tasks.delayed[wakee]) {
                hierarchy.markNext(wakee, wakees);
            }
            boolean preempts = !state.isPending() && wins(running, wakee);
            if (preempts) {
                state.requestReschedule();
            }
            return preempts;
        }

        private boolean wins(int running, int wakee) {
            if (!features.wakeupPreemption()) {
                return false;
            }
            if (!since612) {
                if (isIdlePolicy(running) && !isIdlePolicy(wakee)) {
                    return true;
                }
                if (tasks.policy[wakee] != TaskTable.POLICY_NORMAL) {
                    return false;
                }
            }
            EevdfQueue common = (EevdfQueue) commonQueue(running, wakee);
            int current = runningEntity;
            int rival = wakeeEntity;
            boolean runningIsIdle = common.isIdleEntity(current);
            if (runningIsIdle != common.isIdleEntity(rival)) {
                if (runningIsIdle && since612) {
                    common.protection.cancel(current);
                }
                return runningIsIdle;
            }
            if (since612 && tasks.policy[wakee] != TaskTable.POLICY_NORMAL) {
                return false;
            }
            common.updateCurrent();
            return since618 ? winsHonouringLess(common, current, rival) : winsByPick(common, current, rival);
        }

        private boolean winsByPick(EevdfQueue queue, int current, int rival) {
            boolean cancels = features.preemptShort()
                    && tasks.slice[rival] < tasks.slice[current]
                    && queue.isEligible(rival)
                    && (tasks.deadline[rival] - tasks.deadline[current] < 0 || !queue.isEligible(current));
            if (cancels) {
                queue.protection.cancel(current);
            }
            return queue.pickByDeadline(true) == rival;
        }

        private boolean winsHonouringLess(EevdfQueue queue, int current, int rival) {
            boolean shorter = features.preemptShort() && tasks.slice[rival] < tasks.slice[current];
            if (queue.pickByDeadline(!shorter) == rival) {
                if (shorter) {
                    queue.protection.cancel(current);
                }
                return true;
            }
            if (shorter && features.runToParity()) {
                queue.protection.shorten(current, queue.shortestWith(current));
            }
            return false;
        }
    }
}
