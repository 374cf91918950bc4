package dev.perch.kernel.balance;

import dev.perch.kernel.TaskTable;
import dev.perch.kernel.domain.DomainParameters;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.fair.Runqueue;
import dev.perch.kernel.load.CpuLoad;

/**
 * An attempt to balance of Linux 3.2 to 5.4: moves load from the group with the most of it for its capacity (spec: scheduler.md 4.4
 * without its E516 remarks, 4.7).
 *
 * <p>Limitation: tasks that are too heavy to move count as pinned, as in the kernel of 3.2.
 */
final class WeightAttempt implements Attempt {
    private final Runqueue[] queues;
    private final TaskTable tasks;
    private final DomainState state;
    private final Stoppers stoppers;
    private final BusiestGroup busiestGroup;
    private final TaskMover mover;

    WeightAttempt(
            BalanceRules rules,
            BalanceSettings settings,
            SchedDomains domains,
            DomainTraits traits,
            TaskTable tasks,
            Runqueue[] queues,
            CpuLoad[] loads,
            BalanceLoads present,
            DomainState state,
            Stoppers stoppers) {
        this.queues = queues;
        this.tasks = tasks;
        this.state = state;
        this.stoppers = stoppers;
        busiestGroup = new BusiestGroup(domains, traits, present, loads, rules);
        mover = new TaskMover(queues, tasks, rules, settings);
    }

    @Override
    public long probes() {
        return busiestGroup.probes();
    }

    @Override
    public long moves() {
        return mover.moves();
    }

    @Override
    public boolean wasAllowed() {
        return busiestGroup.wasAllowed();
    }

    @Override
    public int balance(int cpu, SchedDomain domain, BalanceMode mode, BalanceHost host) {
        boolean takeHot = state.takesHotTasks(domain);
        boolean allPinned = false;
        int source;
        int moved;
        busiestGroup.begin();
        do {
            long imbalance = busiestGroup.find(domain, cpu, mode, host);
            source = imbalance == Imbalance.NONE ? BusiestGroup.NO_CPU : busiestGroup.fullestCpu(domain, imbalance);
            if (source == BusiestGroup.NO_CPU) {
                return balanced(domain, allPinned);
            }
            if (queues[source].nrRunning() <= 1) {
                return failedToMove(source, cpu, domain, mode, host);
            }
            moved = mover.move(source, cpu, imbalance, takeHot, mode, host);
            allPinned = mover.allPinned();
        } while (allPinned && busiestGroup.exclude(source));
        if (allPinned) {
            return balanced(domain, true);
        }
        return moved > 0 ? succeeded(domain, moved) : failedToMove(source, cpu, domain, mode, host);
    }

    private int succeeded(SchedDomain domain, int moved) {
        state.failed[domain.index()] = 0;
        state.shorten(domain);
        return moved;
    }

    private int failedToMove(int source, int cpu, SchedDomain domain, BalanceMode mode, BalanceHost host) {
        int index = domain.index();
        DomainParameters parameters = domain.parameters();
        boolean started = false;
        if (mode != BalanceMode.NEWLY_IDLE) {
            state.failed[index]++;
            if (state.failed[index] > parameters.cacheNiceTries() + 2) {
                if (!tasks.allowed[queues[source].current()].contains(cpu)) {
                    state.lengthen(domain, true);
                    return 0;
                }
                started = stoppers.start(source, cpu, host);
                state.failed[index] = parameters.cacheNiceTries() + 1;
            }
        }
        if (started) {
            state.lengthen(domain, false);
        } else {
            state.shorten(domain);
        }
        return 0;
    }

    private int balanced(SchedDomain domain, boolean allPinned) {
        state.failed[domain.index()] = 0;
        state.lengthen(domain, allPinned);
        return 0;
    }

    @Override
    public boolean push(int source, int target, SchedDomain domain, BalanceHost host) {
        return mover.moveOne(source, target, state.takesHotTasks(domain), host);
    }
}
