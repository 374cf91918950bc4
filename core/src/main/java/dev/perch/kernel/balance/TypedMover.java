package dev.perch.kernel.balance;

import static dev.perch.kernel.TaskTable.IDLE_TASK;

import dev.perch.kernel.TaskTable;
import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.fair.Runqueue;
import dev.perch.kernel.load.FairCapacity;
import dev.perch.model.CpuMask;

/**
 * Takes tasks off one runqueue and puts them on another, as far as they may move and are not cache-hot ({@code can_migrate_task}, {@code
 * task_hot}, {@code detach_tasks}, {@code attach_tasks}, {@code detach_one_task} of Linux 5.5 and later; spec: scheduler.md 4.8).
 *
 * <p>The least recently queued or run task is looked at first; those passed over become the most recent. Limitations: per-CPU
 * kernel threads are not told from others; a task that sleeps but has not left its queue moves as in 6.12.
 */
final class TypedMover {
    /** No CPU to which pinned tasks could go. */
    static final int NO_CPU = -1;

    /** Times a load may be halved in comparison; a 64-bit number has no more bits. */
    private static final int MOST_HALVINGS = 63;

    private final Runqueue[] queues;
    private final TaskTable tasks;
    private final BalanceLoads averages;
    private final BalanceVersion version;
    private final BalanceSettings settings;
    private final TypedSearch search;
    private final int[] detached = new int[BalanceRules.TASKS_LOOKED_AT];
    private boolean allPinned;
    private boolean somePinned;
    private int pinnedTo;
    private long moves;

    TypedMover(
            Runqueue[] queues,
            TaskTable tasks,
            BalanceLoads averages,
            BalanceVersion version,
            BalanceSettings settings,
            TypedSearch search) {
        this.queues = queues;
        this.tasks = tasks;
        this.averages = averages;
        this.version = version;
        this.settings = settings;
        this.search = search;
    }

    /** Tasks moved since the beginning. */
    long moves() {
        return moves;
    }

    /** No task that {@link #move} has looked at may run on the destination. */
    boolean allPinned() {
        return allPinned;
    }

    /** Some task that {@link #move} has looked at may not run on the destination. */
    boolean somePinned() {
        return somePinned;
    }

    /**
     * Moves tasks until the imbalance is made up for; {@link TypedImbalance#amount} is what is left of it.
     *
     * @param failed attempts without success of the domain
     * @return how many tasks were moved, some perhaps to another CPU of the local group
     */
    int move(
            int from,
            int to,
            SchedDomain domain,
            TypedImbalance imbalance,
            int failed,
            BalanceMode mode,
            BalanceHost host) {
        Runqueue source = queues[from];
        source.refresh(host.now());
        int limit = Math.min(BalanceRules.TASKS_LOOKED_AT, source.nrRunning());
        allPinned = true;
        somePinned = false;
        int destination = to;
        int moved = 0;
        while (destination != NO_CPU) {
            pinnedTo = NO_CPU;
            int count = detach(source, destination, domain, imbalance, limit, failed, mode);
            attach(count, from, destination, host);
            moved += count;
            if (pinnedTo != NO_CPU && imbalance.amount > 0) {
                search.exclude(destination);
                destination = pinnedTo;
            } else {
                destination = NO_CPU;
            }
        }
        return moved;
    }

    private int detach(
            Runqueue source,
            int to,
            SchedDomain domain,
            TypedImbalance imbalance,
            int limit,
            int failed,
            BalanceMode mode) {
        if (source.nrRunning() <= 1) {
            allPinned = false;
            return 0;
        }
        boolean takeHot = failed > domain.parameters().cacheNiceTries();
        int count = 0;
        for (int looked = 0; looked < limit && imbalance.amount > 0; looked++) {
            if (mode != BalanceMode.BUSY && source.nrRunning() <= 1) {
                break;
            }
            int task = source.firstInList();
            if (task == IDLE_TASK) {
                break;
            }
            if (!mayMove(task, source, to, domain, takeHot, mode) || !fits(task, source.cpu(), imbalance, failed)) {
                source.moveToTail(task);
                continue;
            }
            source.dequeueMoved(task);
            tasks.cpu[task] = to;
            detached[count++] = task;
            if (settings.fullPreemption() && mode == BalanceMode.NEWLY_IDLE) {
                break;
            }
        }
        return count;
    }

    /** Puts detached tasks on the destination, the last one first. */
    private void attach(int count, int from, int to, BalanceHost host) {
        if (count == 0) {
            return;
        }
        Runqueue destination = queues[to];
        destination.refresh(host.now());
        for (int i = count - 1; i >= 0; i--) {
            destination.enqueueMoved(detached[i]);
            moves++;
            host.moved(detached[i], from, to, destination.checkPreempt(detached[i]));
        }
    }

    /** Whether a task is no more than what is left of the imbalance; if so it is taken off that. */
    private boolean fits(int task, int source, TypedImbalance imbalance, int failed) {
        return switch (imbalance.kind) {
            case LOAD -> {
                long load = Math.max(1, averages.taskLoad(task));
                yield take(load, load >> Math.min(failed, MOST_HALVINGS), imbalance);
            }
            case UTIL -> {
                long util = averages.taskUtil(task);
                boolean halves = version.since(BalanceVersion.V6_12);
                yield take(util, halves ? util >> Math.min(failed, MOST_HALVINGS) : util, imbalance);
            }
            case TASKS -> {
                imbalance.amount--;
                yield true;
            }
            case MISFIT -> {
                if (FairCapacity.fits(averages.taskUtil(task), averages.capacity(source))) {
                    yield false;
                }
                imbalance.amount = 0;
                yield true;
            }
        };
    }

    private static boolean take(long measure, long compared, TypedImbalance imbalance) {
        if (compared > imbalance.amount) {
            return false;
        }
        imbalance.amount -= measure;
        return true;
    }

    /**
     * Moves the first task that may move, hot or not.
     *
     * @return whether there was one
     */
    boolean moveOne(int from, int to, BalanceHost host) {
        Runqueue source = queues[from];
        for (int task = source.firstInList(); task != IDLE_TASK; task = source.nextInList(task)) {
            if (tasks.allowed[task].contains(to) && !isThrottled(task, source, to) && !isRunning(task, source)) {
                source.dequeueMoved(task);
                tasks.cpu[task] = to;
                detached[0] = task;
                attach(1, from, to, host);
                return true;
            }
        }
        return false;
    }

    private boolean isThrottled(int task, Runqueue source, int to) {
        return source.isThrottled(task) || queues[to].isThrottled(task);
    }

    private boolean mayMove(int task, Runqueue source, int to, SchedDomain domain, boolean takeHot, BalanceMode mode) {
        if (isThrottled(task, source, to)) {
            return false;
        }
        if (!tasks.allowed[task].contains(to)) {
            somePinned = true;
            if (mode != BalanceMode.NEWLY_IDLE && pinnedTo == NO_CPU) {
                pinnedTo = otherDestination(tasks.allowed[task], domain.group(0));
            }
            return false;
        }
        allPinned = false;
        return !isRunning(task, source) && (takeHot || !isHot(task, source, queues[to], domain));
    }

    private int otherDestination(CpuMask allowed, CpuMask group) {
        int cpu = group.nextAnd(allowed, 0);
        while (cpu >= 0 && !search.isCandidate(cpu)) {
            cpu = group.nextAnd(allowed, cpu + 1);
        }
        return cpu;
    }

    private boolean isRunning(int task, Runqueue source) {
        return tasks.onCpu[task] || source.current() == task;
    }

    private boolean isHot(int task, Runqueue source, Runqueue destination, SchedDomain domain) {
        if (tasks.policy[task] == TaskTable.POLICY_IDLE || domain.has(DomainFlags.SHARE_CAPACITY)) {
            return false;
        }
        if (settings.cacheHotBuddy() && destination.nrRunning() > 0 && source.isNextOrLastBuddy(task)) {
            return true;
        }
        long cost = settings.migrationCost();
        return cost == -1 || cost != 0 && source.clock() - tasks.execStart[task] < cost;
    }
}
