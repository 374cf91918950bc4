package dev.perch.kernel.balance;

import dev.perch.kernel.RuleSets;
import dev.perch.kernel.TaskTable;
import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.DomainParameters;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.fair.Runqueue;
import dev.perch.kernel.load.CpuLoad;
import dev.perch.kernel.load.IdleTime;
import dev.perch.model.InputException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The load balancer of Linux 3.2 to 3.8, without task groups (spec: scheduler.md 4.2 to 4.7, columns E32, E34, E38; {@code
 * rebalance_domains}, {@code load_balance}, {@code idle_balance}, {@code nohz_idle_balance}, {@code active_load_balance_cpu_stop}).
 *
 * <p>Who calls what:
 *
 * <ul>
 *   <li>the tick, after the load and the running task have had theirs: {@link #tick}; if it says so, the same interrupt ends in {@link
 *       #softirq};
 *   <li>the scheduler proper, when the queue is empty: {@link #newlyIdle};
 *   <li>a stopper started by {@link BalanceHost#requestActiveBalance}: {@link #activeBalance};
 *   <li>idle entry and exit with dynamic ticks: {@link #idleEntered}, {@link #tickStopped}, {@link #tickRestarted}.
 * </ul>
 *
 * <p>It moves tasks between the queues itself and tells the {@link BalanceHost}. Everything happens at one instant; what it should cost
 * follows from {@link #probes} and {@link #moves}. Nothing is allocated after construction.
 *
 * <p>Limitations: no asymmetric packing; capacities are constant; tasks that are too heavy to move count as pinned, as in the kernel.
 */
public final class Balancer {
    /** Seconds after which a CPU looks again at the latest. */
    private static final int LATEST_SECONDS = 60;

    /** Up to this interval, in ms, a domain with pinned tasks only is left alone for longer and longer. */
    private static final int MAX_PINNED_INTERVAL = 512;

    private final SchedDomains domains;
    private final Runqueue[] queues;
    private final CpuLoad[] loads;
    private final TaskTable tasks;
    private final BalanceSettings settings;
    private final BusiestGroup busiestGroup;
    private final TaskMover mover;
    private final NohzIdle nohz;

    /** Present interval, ms, by domain. */
    private final int[] interval;

    /** Jiffy of the last attempt, by domain. */
    private final long[] lastBalance;

    /** Attempts without success, by domain. */
    private final int[] failed;

    /** Jiffy at which a CPU balances next. */
    private final long[] nextBalance;

    /** A stopper has been started on the CPU and has not yet run. */
    private final boolean[] activeBalance;

    /**
     * @param rules of which {@code balance}, {@code runqueue} and {@code nohzKick} are read
     * @param queues by CPU, over {@code tasks}
     * @param loads by CPU
     * @param jiffies number of the present tick
     * @throws InputException if there are no rules of these names
     */
    public Balancer(
            RuleSets rules,
            BalanceSettings settings,
            SchedDomains domains,
            TaskTable tasks,
            Runqueue[] queues,
            CpuLoad[] loads,
            long jiffies) {
        if (queues.length != domains.cpuCount() || loads.length != domains.cpuCount()) {
            throw new IllegalArgumentException("queues and loads are for " + domains.cpuCount() + " CPUs");
        }
        this.domains = domains;
        this.queues = queues.clone();
        this.loads = loads.clone();
        this.tasks = tasks;
        this.settings = settings;
        BalanceRules balanceRules = BalanceRules.of(rules);
        busiestGroup = new BusiestGroup(domains, this.queues, this.loads, balanceRules);
        mover = new TaskMover(this.queues, tasks, balanceRules, settings);
        nohz = NohzIdle.named(rules.nohzKick(), domains, this.queues);
        int count = domains.all().size();
        interval = new int[count];
        lastBalance = new long[count];
        failed = new int[count];
        nextBalance = new long[queues.length];
        activeBalance = new boolean[queues.length];
        for (SchedDomain domain : domains.all()) {
            interval[domain.index()] = domain.parameters().initialIntervalMs();
        }
        Arrays.fill(lastBalance, jiffies);
        Arrays.fill(nextBalance, jiffies);
    }

    /** CPUs looked at since the beginning. */
    public long probes() {
        return busiestGroup.probes();
    }

    /** Tasks moved since the beginning. */
    public long moves() {
        return mover.moves();
    }

    /** Jiffy at which a CPU balances next by itself. */
    public long nextBalance(int cpu) {
        return nextBalance[cpu];
    }

    // Ticks

    /**
     * The end of a CPU's tick ({@code trigger_load_balance}): may kick an idle CPU.
     *
     * @return whether {@link #softirq} follows
     */
    public boolean tick(int cpu, long jiffies, boolean idleAtTick, BalanceHost host) {
        if (domains.lowest(cpu) == null) {
            return false;
        }
        boolean due = jiffies >= nextBalance[cpu];
        if (!due || nohz.kicksBesidesOwnBalance()) {
            int kicked = nohz.kick(cpu, jiffies, idleAtTick, host);
            if (kicked != NohzIdle.NO_CPU) {
                host.kickIdleBalancer(kicked);
            }
        }
        return due;
    }

    /** A CPU enters the idle loop with dynamic ticks on. */
    public void idleEntered(int cpu) {
        nohz.idleEntered(cpu);
    }

    /** An idle CPU stops its tick. */
    public void tickStopped(int cpu) {
        nohz.tickStopped(cpu);
    }

    /** A CPU whose tick was stopped leaves the idle loop. */
    public void tickRestarted(int cpu) {
        nohz.tickRestarted(cpu);
    }

    /**
     * Balances a CPU and, if it is idle and was kicked, all other idle CPUs without tick ({@code run_rebalance_domains}).
     *
     * @param idle the CPU was idle at its tick, or it is idle and was kicked
     */
    public void softirq(int cpu, boolean idle, long jiffies, BalanceHost host) {
        rebalance(cpu, idle ? BalanceMode.IDLE : BalanceMode.BUSY, jiffies, host);
        if (idle && nohz.isKicked(cpu)) {
            balanceForOthers(cpu, jiffies, host);
        }
    }

    private void balanceForOthers(int cpu, long jiffies, BalanceHost host) {
        for (int other = 0; other < queues.length; other++) {
            if (other == cpu || !nohz.isServed(other, host)) {
                continue;
            }
            if (queues[cpu].reschedulePending()) {
                break;
            }
            queues[cpu].refresh(host.now());
            loads[cpu].update(jiffies, queues[cpu].weight());
            rebalance(other, BalanceMode.IDLE, jiffies, host);
            nextBalance[cpu] = Math.min(nextBalance[cpu], nextBalance[other]);
        }
        nohz.finish(cpu, nextBalance[cpu]);
    }

    private void rebalance(int cpu, BalanceMode initialMode, long jiffies, BalanceHost host) {
        BalanceMode mode = initialMode;
        host.ageBlockedLoad(cpu);
        long latest = jiffies + (long) LATEST_SECONDS * settings.hz();
        long next = latest;
        for (SchedDomain domain = domains.lowest(cpu); domain != null; domain = domain.parent()) {
            if (!domain.has(DomainFlags.LOAD_BALANCE)) {
                continue;
            }
            int index = domain.index();
            long wait = intervalJiffies(domain, mode);
            boolean mine = true;
            boolean serialized = domain.has(DomainFlags.SERIALIZE);
            if (!serialized || host.tryLockBalancing(cpu)) {
                if (jiffies >= lastBalance[index] + wait) {
                    if (balance(cpu, domain, mode, host) > 0) {
                        mode = BalanceMode.BUSY;
                    }
                    mine = busiestGroup.wasAllowed();
                    if (mine) {
                        host.statisticsTaken(cpu, domain);
                    }
                    lastBalance[index] = jiffies;
                }
                if (serialized) {
                    host.unlockBalancing(cpu);
                }
            }
            next = Math.min(next, lastBalance[index] + wait);
            if (!mine) {
                break;
            }
        }
        if (next < latest) {
            nextBalance[cpu] = next;
        }
    }

    private long intervalJiffies(SchedDomain domain, BalanceMode mode) {
        long milliseconds = interval[domain.index()];
        if (mode != BalanceMode.IDLE) {
            milliseconds *= domain.parameters().busyFactor();
        }
        return Math.clamp(settings.toJiffies(milliseconds), 1, settings.longestInterval());
    }

    // A CPU that runs out of tasks

    /**
     * Looks for tasks for a CPU that is about to be idle, unless its idle periods are too short for that to pay ({@code idle_balance}).
     *
     * @return whether a task was moved to it
     */
    public boolean newlyIdle(int cpu, long jiffies, BalanceHost host) {
        Runqueue queue = queues[cpu];
        IdleTime idleTime = queue.idleTime();
        idleTime.begin(queue.clock());
        if (idleTime.average() < settings.migrationCost()) {
            return false;
        }
        boolean pulled = false;
        long next = jiffies + settings.hz();
        for (SchedDomain domain = domains.lowest(cpu); domain != null && !pulled; domain = domain.parent()) {
            if (!domain.has(DomainFlags.LOAD_BALANCE)) {
                continue;
            }
            if (domain.has(DomainFlags.BALANCE_NEWIDLE)) {
                pulled = balance(cpu, domain, BalanceMode.NEWLY_IDLE, host) > 0;
            }
            int index = domain.index();
            next = Math.min(next, lastBalance[index] + settings.toJiffies(interval[index]));
        }
        if (pulled) {
            idleTime.cancel();
        }
        if (pulled || jiffies > nextBalance[cpu]) {
            nextBalance[cpu] = next;
        }
        return pulled;
    }

    // One attempt

    /** Tries to move tasks to {@code cpu} from the busiest group of one of its domains; returns how many moved. */
    private int balance(int cpu, SchedDomain domain, BalanceMode mode, BalanceHost host) {
        boolean takeHot = failed[domain.index()] > domain.parameters().cacheNiceTries();
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
        failed[domain.index()] = 0;
        interval[domain.index()] = domain.parameters().minIntervalMs();
        return moved;
    }

    private int failedToMove(int source, int cpu, SchedDomain domain, BalanceMode mode, BalanceHost host) {
        int index = domain.index();
        DomainParameters parameters = domain.parameters();
        boolean started = false;
        if (mode != BalanceMode.NEWLY_IDLE) {
            failed[index]++;
            if (failed[index] > parameters.cacheNiceTries() + 2) {
                if (!tasks.allowed[queues[source].current()].contains(cpu)) {
                    lengthen(domain, true);
                    return 0;
                }
                if (!activeBalance[source]) {
                    activeBalance[source] = true;
                    started = true;
                    host.requestActiveBalance(source, cpu);
                }
                failed[index] = parameters.cacheNiceTries() + 1;
            }
        }
        if (started) {
            interval[index] *= interval[index] < parameters.maxIntervalMs() ? 2 : 1;
        } else {
            interval[index] = parameters.minIntervalMs();
        }
        return 0;
    }

    private int balanced(SchedDomain domain, boolean allPinned) {
        failed[domain.index()] = 0;
        lengthen(domain, allPinned);
        return 0;
    }

    private void lengthen(SchedDomain domain, boolean pinned) {
        int present = interval[domain.index()];
        if (pinned && present < MAX_PINNED_INTERVAL
                || present < domain.parameters().maxIntervalMs()) {
            interval[domain.index()] = 2 * present;
        }
    }

    // The stopper

    /**
     * The stopper of {@code source} has displaced the running task: moves it, or another that may move, to {@code target}. Before it,
     * {@link Runqueue#refresh} and {@link Runqueue#putPrevious} of the source; after it, {@link Runqueue#schedule}.
     *
     * @return whether a task was moved
     */
    public boolean activeBalance(int source, int target, BalanceHost host) {
        if (!activeBalance[source]) {
            throw new IllegalStateException("no active balance was requested of CPU " + source);
        }
        activeBalance[source] = false;
        SchedDomain domain = smallestOver(source, target);
        if (domain == null || queues[source].nrRunning() == 0) {
            return false;
        }
        boolean takeHot = failed[domain.index()] > domain.parameters().cacheNiceTries();
        return mover.moveOne(source, target, takeHot, host);
    }

    private @Nullable SchedDomain smallestOver(int source, int target) {
        SchedDomain domain = domains.lowest(target);
        while (domain != null
                && !(domain.has(DomainFlags.LOAD_BALANCE) && domain.span().contains(source))) {
            domain = domain.parent();
        }
        return domain;
    }
}
