package dev.perch.kernel.balance;

import dev.perch.kernel.TaskTable;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.fair.Runqueue;

/**
 * An attempt to balance of Linux 5.5 and later: moves load, utilisation, tasks or a misfit from the group of the highest type ({@code
 * load_balance}, {@code sched_balance_rq}, {@code need_active_balance}, {@code active_load_balance_cpu_stop}; spec: scheduler.md 4.4, 4.8).
 */
final class TypedAttempt implements Attempt {
    private final Runqueue[] queues;
    private final TaskTable tasks;
    private final BalanceLoads averages;
    private final BalanceVersion version;
    private final DomainState state;
    private final Stoppers stoppers;
    private final PinnedMarks marks;
    private final Overload overload;
    private final TypedSearch search;
    private final TypedMover mover;

    TypedAttempt(
            BalanceVersion version,
            BalanceSettings settings,
            SchedDomains domains,
            DomainTraits traits,
            TaskTable tasks,
            Runqueue[] queues,
            BalanceLoads averages,
            DomainState state,
            Stoppers stoppers,
            Overload overload,
            GroupSums sums) {
        this.version = version;
        this.tasks = tasks;
        this.queues = queues;
        this.averages = averages;
        this.state = state;
        this.stoppers = stoppers;
        this.overload = overload;
        marks = new PinnedMarks(domains);
        search = new TypedSearch(queues, averages, traits, marks, overload, sums, version);
        mover = new TypedMover(queues, tasks, averages, version, settings, search);
    }

    @Override
    public long probes() {
        return search.probes();
    }

    @Override
    public long moves() {
        return mover.moves();
    }

    @Override
    public boolean wasAllowed() {
        return search.wasAllowed();
    }

    @Override
    public int balance(int cpu, SchedDomain domain, BalanceMode mode, BalanceHost host) {
        TypedImbalance imbalance = search.imbalance;
        boolean allPinned = false;
        search.begin();
        while (true) {
            boolean found = search.find(domain, cpu, mode, host);
            int source = found ? search.fullestCpu(domain, cpu) : TypedSearch.NO_CPU;
            if (source == TypedSearch.NO_CPU) {
                return balanced(domain, mode, allPinned);
            }
            if (queues[source].nrRunning() <= 1) {
                return failedToMove(source, cpu, domain, mode, true, host);
            }
            int moved = mover.move(source, cpu, domain, imbalance, state.failed[domain.index()], mode, host);
            SchedDomain parent = domain.parent();
            if (parent != null && mover.somePinned() && imbalance.amount > 0) {
                marks.set(parent, true);
            }
            if (!mover.allPinned()) {
                return moved > 0 ? succeeded(domain, cpu, moved) : failedToMove(source, cpu, domain, mode, false, host);
            }
            allPinned = true;
            search.exclude(source);
            if (!search.hasOtherCandidates(domain)) {
                state.failed[domain.index()] = 0;
                lengthen(domain, mode, true);
                return 0;
            }
        }
    }

    private int succeeded(SchedDomain domain, int cpu, int moved) {
        overload.counted(cpu, queues[cpu].nrRunning());
        state.failed[domain.index()] = 0;
        state.shorten(domain);
        return moved;
    }

    /** No task was moved: the one that runs may have to. */
    private int failedToMove(
            int source, int cpu, SchedDomain domain, BalanceMode mode, boolean lone, BalanceHost host) {
        boolean misfit = version.since(BalanceVersion.V6_12) && search.imbalance.kind == MigrationKind.MISFIT;
        if (mode != BalanceMode.NEWLY_IDLE && !misfit) {
            state.failed[domain.index()]++;
        }
        if (needsPush(source, cpu, domain, mode)) {
            if (!tasks.allowed[queues[source].current()].contains(cpu)) {
                if (!misfit) {
                    lengthen(domain, mode, lone);
                }
                return 0;
            }
            stoppers.start(source, cpu, host);
        }
        state.shorten(domain);
        return 0;
    }

    private boolean needsPush(int source, int cpu, SchedDomain domain, BalanceMode mode) {
        boolean idle = mode != BalanceMode.BUSY;
        if (idle && averages.packs(domain) && averages.priority(cpu) > averages.priority(source)) {
            return true;
        }
        if (search.imbalance.kind == MigrationKind.MISFIT) {
            return true;
        }
        if (search.imbalance.kind == MigrationKind.TASKS
                && state.failed[domain.index()] > domain.parameters().cacheNiceTries() + 2) {
            return true;
        }
        return idle
                && queues[source].nrFair() == 1
                && search.isReduced(source, domain)
                && (long) averages.capacity(source) * domain.parameters().imbalancePercent()
                        < averages.capacity(cpu) * 100L;
    }

    private int balanced(SchedDomain domain, BalanceMode mode, boolean allPinned) {
        SchedDomain parent = domain.parent();
        if (parent != null && !allPinned) {
            marks.set(parent, false);
        }
        state.failed[domain.index()] = 0;
        lengthen(domain, mode, allPinned);
        return 0;
    }

    private void lengthen(SchedDomain domain, BalanceMode mode, boolean pinned) {
        if (mode != BalanceMode.NEWLY_IDLE) {
            state.lengthen(domain, pinned);
        }
    }

    @Override
    public boolean push(int source, int target, SchedDomain domain, BalanceHost host) {
        boolean moved = mover.moveOne(source, target, host);
        if (moved) {
            state.failed[domain.index()] = 0;
            overload.counted(target, queues[target].nrRunning());
        }
        return moved;
    }
}
