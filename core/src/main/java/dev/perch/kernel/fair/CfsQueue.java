package dev.perch.kernel.fair;

import static dev.perch.kernel.TaskTable.IDLE_TASK;

import dev.perch.kernel.TaskTable;
import org.jspecify.annotations.Nullable;

/**
 * Entities in the order of the Completely Fair Scheduler: the one with the smallest virtual runtime runs, for a share of a period ({@code
 * kernel/sched_fair.c}, later {@code kernel/sched/fair.c} of Linux 2.6.39 to 6.5; spec: scheduler.md 1.5 to 1.14).
 */
final class CfsQueue extends FairQueue {
    /** Virtual runtimes that are further apart than this may be on the wrong side of each other, weights considered. */
    private static final long LONG_SLEEP = Long.MAX_VALUE / LoadWeights.NICE_0;

    private final CfsTunables tunables;
    private final CfsFeatures features;
    private final Timeline timeline;
    private final boolean relativeWhileWaking;
    private final boolean currentStaysOut;
    private final boolean rootPeriod;
    private final boolean sliceFloor;
    private final boolean idleEntities;
    private final boolean forgetsLongSleep;

    CfsQueue(
            CfsVersion version,
            TaskTable tasks,
            CfsTunables tunables,
            CfsFeatures features,
            RunqueueState state,
            @Nullable FairQueue parent,
            GroupFace face) {
        super(tasks, state, new VirtualTime(version.since(CfsVersion.V3_13)), parent, face);
        this.tunables = tunables;
        this.features = features;
        timeline = new Timeline(tasks);
        relativeWhileWaking = !version.since(CfsVersion.V4_8);
        currentStaysOut = version.since(CfsVersion.V4_8);
        rootPeriod = version.since(CfsVersion.V5_13) && features.altPeriod();
        sliceFloor = version.since(CfsVersion.V5_13) && features.baseSlice();
        idleEntities = version.since(CfsVersion.V5_16);
        forgetsLongSleep = version.since(CfsVersion.V6_1);
    }

    @Override
    void prepareWakeup(int task) {
        if (relativeWhileWaking) {
            tasks.vruntime[task] -= minVruntime;
        }
    }

    @Override
    void leaveForWakeup(int task) {
        if (!relativeWhileWaking) {
            tasks.vruntime[task] -= minVruntime;
        }
    }

    /** {@inheritDoc} It is relative to this queue, on which the parent runs ({@code task_fork_fair}). */
    @Override
    void placeNew(int child) {
        updateCurrent();
        boolean forked = current != IDLE_TASK;
        if (forked) {
            tasks.vruntime[child] = tasks.vruntime[current];
        }
        long start = features.startDebit() ? minVruntime + virtual(slice(child), child) : minVruntime;
        tasks.vruntime[child] = VirtualTime.later(tasks.vruntime[child], start);
        if (tunables.childRunsFirst() && forked && tasks.vruntime[current] - tasks.vruntime[child] < 0) {
            long parents = tasks.vruntime[current];
            tasks.vruntime[current] = tasks.vruntime[child];
            tasks.vruntime[child] = parents;
            state.requestReschedule();
        }
        tasks.vruntime[child] -= minVruntime;
    }

    @Override
    void enqueue(int entity, int flags) {
        boolean woken = (flags & WAKEUP) != 0;
        boolean task = entity < tasks.capacity();
        boolean relative = !woken || task && (relativeWhileWaking || tasks.migrated[entity]);
        boolean early = relativeWhileWaking || entity == current;
        if (tasks.migrated[entity]) {
            tasks.migrated[entity] = false;
            tasks.execStart[entity] = relativeWhileWaking ? tasks.execStart[entity] : 0;
        }
        if (relative && early) {
            tasks.vruntime[entity] += minVruntime;
        }
        updateCurrent();
        if (relative && !early) {
            tasks.vruntime[entity] += minVruntime;
        }
        account(entity);
        if (woken) {
            placeSleeper(entity);
        }
        if (entity != current) {
            timeline.insert(entity);
        }
        tasks.onQueue[entity] = true;
    }

    private void placeSleeper(int entity) {
        long credit = idleEntities && isIdleEntity(entity) ? tunables.minGranularity() : tunables.latency();
        long start = minVruntime - (features.gentleFairSleepers() ? credit >> 1 : credit);
        boolean longSleep = forgetsLongSleep
                && tasks.execStart[entity] != 0
                && state.clock() - tasks.execStart[entity] > LONG_SLEEP;
        tasks.vruntime[entity] = longSleep ? start : VirtualTime.later(tasks.vruntime[entity], start);
    }

    @Override
    boolean dequeue(int entity, int flags) {
        updateCurrent();
        clearBuddies(entity);
        if (entity != current) {
            timeline.remove(entity);
        }
        tasks.onQueue[entity] = false;
        unaccount(entity);
        if ((flags & SLEEP) == 0) {
            tasks.vruntime[entity] -= minVruntime;
        }
        advanceMinVruntime();
        return true;
    }

    @Override
    void requeueDelayed(int entity) {
        throw new IllegalStateException("entity " + entity + " cannot be delayed");
    }

    // Who runs next

    @Override
    int pick() {
        int left = timeline.leftmost();
        if (currentStaysOut && isQueuedHere(current)) {
            if (left == IDLE_TASK || tasks.vruntime[current] - tasks.vruntime[left] < 0) {
                left = current;
            }
        }
        if (left == IDLE_TASK) {
            return IDLE_TASK;
        }
        int picked = left;
        if (skipBuddy == left) {
            int second = afterSkipped(left);
            if (second != IDLE_TASK && wouldPreempt(second, left) < 1) {
                picked = second;
            }
        }
        if (lastBuddy != IDLE_TASK && wouldPreempt(lastBuddy, left) < 1) {
            picked = lastBuddy;
        }
        if (nextBuddy != IDLE_TASK && wouldPreempt(nextBuddy, left) < 1) {
            picked = nextBuddy;
        }
        if (!currentStaysOut) {
            clearBuddies(picked);
        }
        return picked;
    }

    private int afterSkipped(int left) {
        if (left == current) {
            return timeline.leftmost();
        }
        int second = timeline.second();
        boolean currentComesFirst = currentStaysOut
                && isQueuedHere(current)
                && (second == IDLE_TASK || tasks.vruntime[current] - tasks.vruntime[second] < 0);
        return currentComesFirst ? current : second;
    }

    @Override
    void setNext(int entity) {
        if (currentStaysOut) {
            clearBuddies(entity);
        }
        if (tasks.onQueue[entity]) {
            timeline.remove(entity);
        }
        start(entity);
    }

    @Override
    void putPrevious(int entity) {
        if (tasks.onQueue[entity]) {
            updateCurrent();
            timeline.insert(entity);
        }
        current = IDLE_TASK;
    }

    // Reasons to reschedule

    @Override
    void tick() {
        if (nr > 1 && ranLongEnough()) {
            state.requestReschedule();
        }
    }

    private boolean ranLongEnough() {
        long ideal = slice(current);
        long ran = tasks.sumExec[current] - tasks.prevSumExec[current];
        if (ran > ideal) {
            clearBuddies(current);
            return true;
        }
        return ran >= tunables.minGranularity()
                && tasks.vruntime[current] - tasks.vruntime[timeline.leftmost()] > ideal;
    }

    @Override
    void yieldCurrent(int entity) {
        clearBuddies(entity);
        if (tasks.policy[entity] != TaskTable.POLICY_BATCH) {
            updateCurrent();
        }
        skipBuddy = entity;
    }

    /** So many entities that buddies are worth while. */
    boolean isCrowded() {
        return nr >= tunables.nrLatency();
    }

    /** 1 if {@code wakee} is far enough behind {@code running} to preempt it, 0 if it is only behind, −1 if not behind. */
    int wouldPreempt(int running, int wakee) {
        long behind = tasks.vruntime[running] - tasks.vruntime[wakee];
        if (behind <= 0) {
            return -1;
        }
        return behind > virtual(tunables.wakeupGranularity(), wakee) ? 1 : 0;
    }

    // Time and virtual time

    @Override
    long slice(int entity) {
        boolean queued = tasks.onQueue[entity];
        int running = (rootPeriod ? root.tasksBelow : nr) + (queued ? 0 : 1);
        long slice = running > tunables.nrLatency() ? running * tunables.minGranularity() : tunables.latency();
        int level = entity;
        for (FairQueue queue = this; queue != null; queue = queue.parent) {
            long total = queue.weight + (tasks.onQueue[level] ? 0 : tasks.weight[level]);
            slice = time.share(slice, tasks.weight[level], tasks.inverseWeight[level], total);
            level = queue.owner;
        }
        return sliceFloor ? Math.max(slice, floor(entity)) : slice;
    }

    private long floor(int entity) {
        boolean shorter = idleEntities && isIdleEntity(entity) && !isAllIdle();
        return shorter ? tunables.idleMinGranularity() : tunables.minGranularity();
    }

    @Override
    void updateOwnersSlice() {
        // slices are computed when they are needed
    }

    @Override
    void updateCurrent() {
        if (current == IDLE_TASK) {
            return;
        }
        long ran = chargeTime();
        if (ran == 0) {
            return;
        }
        tasks.vruntime[current] += virtual(ran, current);
        advanceMinVruntime();
        chargeBandwidth(ran);
    }

    private void advanceMinVruntime() {
        int left = timeline.leftmost();
        long floor = minVruntime;
        if (current != IDLE_TASK && (!currentStaysOut || tasks.onQueue[current])) {
            long own = tasks.vruntime[current];
            floor = left == IDLE_TASK ? own : VirtualTime.earlier(own, tasks.vruntime[left]);
        } else if (left != IDLE_TASK) {
            floor = tasks.vruntime[left];
        }
        minVruntime = VirtualTime.later(minVruntime, floor);
    }

    @Override
    void reweight(int entity, int newWeight, long inverse) {
        if (tasks.onQueue[entity]) {
            if (entity == current) {
                updateCurrent();
            }
            weight += newWeight - tasks.weight[entity];
        }
        tasks.weight[entity] = newWeight;
        tasks.inverseWeight[entity] = inverse;
    }
}
