package dev.perch.kernel.fair;

import static dev.perch.kernel.TaskTable.IDLE_TASK;

import dev.perch.kernel.TaskTable;
import org.jspecify.annotations.Nullable;

/**
 * Entities in the order of Earliest Eligible Virtual Deadline First: of those that are owed time, the one whose request is due first runs
 * ({@code kernel/sched/fair.c} of Linux 6.6 to 6.18; spec: scheduler.md 2).
 *
 * <p>Limitations: the stable releases of 6.6 and 6.12 that limit lag otherwise are not told apart; virtual times of one queue must stay near
 * each other, see {@link VirtualAverage}.
 */
final class EevdfQueue extends FairQueue {
    private final EevdfFeatures features;
    private final EevdfTunables tunables;
    private final boolean since612;
    private final boolean since618;
    private final DeadlineTree tree;
    final EevdfProtection protection;
    /** Of the waiting entities; the running one is added for a question and taken out again. */
    private final VirtualAverage average = new VirtualAverage(minVruntime);

    EevdfQueue(
            EevdfVersion version,
            TaskTable tasks,
            DeadlineTree.Links links,
            EevdfTunables tunables,
            EevdfFeatures features,
            RunqueueState state,
            @Nullable FairQueue parent,
            GroupFace face) {
        super(tasks, state, new VirtualTime(true), parent, face);
        this.features = features;
        this.tunables = tunables;
        since612 = version.since(EevdfVersion.V6_12);
        since618 = version.since(EevdfVersion.V6_18);
        tree = new DeadlineTree(tasks, links);
        protection = new EevdfProtection(tasks, since618, features.runToParity(), time, tunables);
    }

    // Average and lag

    private boolean addCurrent() {
        boolean counts = isQueuedHere(current);
        if (counts) {
            average.add(tasks.vruntime[current], tasks.weight[current]);
        }
        return counts;
    }

    private void takeCurrent(boolean counted) {
        if (counted) {
            average.remove(tasks.vruntime[current], tasks.weight[current]);
        }
    }

    /** Weighted average of the virtual runtimes, the running entity's included ({@code avg_vruntime}). */
    long average() {
        boolean counted = addCurrent();
        long value = average.value();
        takeCurrent(counted);
        return value;
    }

    /** Whether an entity is owed time, or at least owes none. */
    boolean isEligible(int entity) {
        boolean counted = addCurrent();
        boolean eligible = average.isEligible(tasks.vruntime[entity]);
        takeCurrent(counted);
        return eligible;
    }

    /** How far an entity is behind the average, within limits. */
    long lagOf(int entity) {
        long limit = virtual(Math.max(2 * tasks.slice[entity], tunables.tick()), entity);
        return Math.clamp(average() - tasks.vruntime[entity], -limit, limit);
    }

    // On and off the queue

    @Override
    void prepareWakeup(int task) {
        // lag stays what it was when the task left
    }

    @Override
    void leaveForWakeup(int task) {
        // lag does not depend on the CPU
    }

    @Override
    void placeNew(int task) {
        tasks.lag[task] = 0;
        tasks.relativeDeadline[task] = false;
    }

    @Override
    void enqueue(int entity, int flags) {
        if (entity == current) {
            place(entity, flags);
        }
        updateCurrent();
        if (entity != current) {
            place(entity, flags);
        }
        account(entity);
        if (tasks.migrated[entity]) {
            tasks.execStart[entity] = 0;
            tasks.migrated[entity] = false;
        }
        if (entity != current) {
            insert(entity);
        }
        tasks.onQueue[entity] = true;
    }

    void insert(int entity) {
        average.add(tasks.vruntime[entity], tasks.weight[entity]);
        tree.insert(entity);
    }

    void remove(int entity) {
        tree.remove(entity);
        average.remove(tasks.vruntime[entity], tasks.weight[entity]);
    }

    void place(int entity, int flags) {
        if (!since612 || !tasks.customSlice[entity]) {
            tasks.slice[entity] = tunables.baseSlice();
        }
        long request = virtual(tasks.slice[entity], entity);
        long vruntime = average();
        long lag = tasks.lag[entity];
        if (features.placeLag() && nr > 0 && lag != 0) {
            long load = average.load() + (isQueuedHere(current) ? tasks.weight[current] : 0);
            vruntime -= load == 0 ? lag : lag * (load + tasks.weight[entity]) / load;
        }
        tasks.vruntime[entity] = vruntime;
        if (tasks.relativeDeadline[entity]) {
            tasks.deadline[entity] += vruntime;
            tasks.relativeDeadline[entity] = false;
            return;
        }
        boolean initial = (flags & INITIAL) != 0 && features.placeDeadlineInitial();
        tasks.deadline[entity] = vruntime + (initial ? request / 2 : request);
    }

    @Override
    boolean dequeue(int entity, int flags) {
        boolean sleeps = (flags & SLEEP) != 0;
        boolean finishes = (flags & FINISH_DELAYED) != 0;
        updateCurrent();
        clearBuddies(entity);
        if (features.delayDequeue() && sleeps && !finishes && (flags & SPECIAL) == 0 && !isEligible(entity)) {
            tasks.delayed[entity] = true;
            return false;
        }
        long lag = lagOf(entity);
        if (finishes) {
            tasks.delayed[entity] = false;
            lag = features.delayZero() ? Math.min(lag, 0) : lag;
        }
        tasks.lag[entity] = lag;
        if (features.placeRelDeadline() && !sleeps) {
            tasks.deadline[entity] -= tasks.vruntime[entity];
            tasks.relativeDeadline[entity] = true;
        }
        if (entity != current) {
            remove(entity);
        }
        tasks.onQueue[entity] = false;
        unaccount(entity);
        advanceMinVruntime();
        return true;
    }

    @Override
    void requeueDelayed(int entity) {
        if (features.delayZero() && lagOf(entity) > 0) {
            nr--;
            if (entity != current) {
                remove(entity);
            }
            tasks.lag[entity] = 0;
            place(entity, 0);
            if (entity != current) {
                insert(entity);
            }
            nr++;
        }
        tasks.delayed[entity] = false;
    }

    // Who runs next

    @Override
    int pick() {
        if (features.pickBuddy() && nextBuddy != IDLE_TASK && isEligible(nextBuddy)) {
            return nextBuddy;
        }
        return pickByDeadline(true);
    }

    /**
     * The entity whose request is due first among the eligible ones, or the running one while it is protected ({@code pick_eevdf}).
     *
     * @param protect whether protection counts
     */
    int pickByDeadline(boolean protect) {
        boolean counted = isQueuedHere(current);
        if (since612 && nr == 1) {
            return counted ? current : tree.first();
        }
        addCurrent();
        boolean candidate = counted && average.isEligible(tasks.vruntime[current]);
        if (candidate && protect && protection.holds(current) && protection.counts()) {
            takeCurrent(true);
            return current;
        }
        int best = tree.firstEligible(average);
        takeCurrent(counted);
        if (candidate && (best == IDLE_TASK || isDueBefore(current, best))) {
            return current;
        }
        return best == IDLE_TASK ? tree.first() : best;
    }

    private boolean isDueBefore(int running, int waiting) {
        long difference = tasks.deadline[running] - tasks.deadline[waiting];
        return since612 ? difference < 0 : difference <= 0;
    }

    @Override
    void setNext(int entity) {
        clearBuddies(entity);
        if (tasks.onQueue[entity]) {
            remove(entity);
            protection.begin(entity, shortestWith(entity));
        }
        start(entity);
    }

    @Override
    void putPrevious(int entity) {
        if (tasks.onQueue[entity]) {
            updateCurrent();
            insert(entity);
        }
        current = IDLE_TASK;
    }

    // Slices

    /** The shortest slice of an entity and of what waits. */
    long shortestWith(int entity) {
        return tree.isEmpty() ? tasks.slice[entity] : Math.min(tasks.slice[entity], tree.minSlice());
    }

    @Override
    void updateOwnersSlice() {
        if (since612 && nr > 0 && parent instanceof EevdfQueue above) {
            tasks.slice[owner] = isQueuedHere(current) ? shortestWith(current) : tree.minSlice();
            tasks.customSlice[owner] = true;
            if (tasks.onQueue[owner] && owner != above.current) {
                above.tree.refresh(owner);
            }
        }
    }

    // Time and virtual time

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
        boolean renewed = renewDeadline(current);
        advanceMinVruntime();
        chargeBandwidth(ran);
        if (nr > 1 && (renewed || hasLostClaim())) {
            state.requestReschedule();
            clearBuddies(current);
        }
    }

    private boolean renewDeadline(int entity) {
        if (tasks.vruntime[entity] - tasks.deadline[entity] < 0) {
            return false;
        }
        if (!since612 || !tasks.customSlice[entity]) {
            tasks.slice[entity] = tunables.baseSlice();
        }
        tasks.deadline[entity] = tasks.vruntime[entity] + virtual(tasks.slice[entity], entity);
        return true;
    }

    /** Others may run before the present request is served. */
    private boolean hasLostClaim() {
        if (since618) {
            return !protection.holds(current);
        }
        return features.preemptShort() && !protection.holds(current) && !isEligible(current);
    }

    @Override
    void tick() {
        // the charge asks for a reschedule when the request is served
    }

    @Override
    long slice(int entity) {
        return tasks.slice[entity];
    }

    void advanceMinVruntime() {
        long floor = minVruntime;
        boolean counted = isQueuedHere(current);
        if (counted) {
            floor = tree.isEmpty()
                    ? tasks.vruntime[current]
                    : VirtualTime.earlier(tasks.vruntime[current], tree.minVruntime());
        } else if (!tree.isEmpty()) {
            floor = tree.minVruntime();
        }
        if (floor - minVruntime > 0) {
            minVruntime = floor;
            average.moveReference(floor);
        }
    }

    @Override
    void yieldCurrent(int entity) {
        clearBuddies(entity);
        if (entity >= tasks.capacity()) {
            return;
        }
        updateCurrent();
        boolean eligible = isEligible(entity);
        if (since612 && eligible) {
            tasks.vruntime[entity] = tasks.deadline[entity];
        }
        if (!since612 || eligible) {
            tasks.deadline[entity] += virtual(tasks.slice[entity], entity);
        }
    }

    @Override
    void reweight(int entity, int newWeight, long inverse) {
        if (since618) {
            EevdfReweight.placeAnew(this, entity, newWeight, inverse);
        } else {
            EevdfReweight.scaleInPlace(this, entity, newWeight, inverse);
        }
    }
}
