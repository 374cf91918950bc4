package dev.perch.kernel.balance;

import dev.perch.kernel.RuleSets;
import dev.perch.kernel.TaskTable;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.fair.Runqueue;
import dev.perch.kernel.load.CpuLoad;
import dev.perch.model.InputException;
import org.jspecify.annotations.Nullable;

/**
 * The load balancer of Linux 2.6.39 to 6.19 (spec: scheduler.md 4.2 to 4.8; {@code rebalance_domains}, {@code load_balance}, {@code
 * idle_balance}, {@code nohz_idle_balance}, {@code active_load_balance_cpu_stop} and their later names).
 *
 * <p>Who calls what:
 *
 * <ul>
 *   <li>the tick, after the load and the running task have had theirs: {@link #tick}; if it says so, the same interrupt ends in {@link
 *       #softirq};
 *   <li>the scheduler proper, when the queue is empty: {@link #newlyIdle};
 *   <li>a stopper started by {@link BalanceHost#requestActiveBalance}: {@link #activeBalance};
 *   <li>idle entry and exit with dynamic ticks: {@link #idleEntered}, {@link #tickStopped}, {@link #tickRestarted};
 *   <li>whoever puts a task on a queue: {@link #counted};
 *   <li>whoever changes a queue, its averages, or whether its CPU is idle: {@link #changed}, if {@link BalanceLoads#tellsChanges}.
 * </ul>
 *
 * <p>It moves tasks between the queues itself and tells the {@link BalanceHost}. Everything happens at one instant; what it should cost
 * follows from {@link #probes} and {@link #moves}. Nothing is allocated after construction.
 *
 * <p>Limitations: kernels to 5.4 balance without asymmetric packing, task groups and averages, with constant capacities; what changed
 * between 3.13 and 5.4 beyond the cost of newly-idle balancing is left out; no energy-aware scheduling, no NUMA balancing.
 */
public final class Balancer {
    private final SchedDomains domains;
    private final Runqueue[] queues;
    private final Attempt attempt;
    private final PeriodicBalance periodic;
    private final NewlyIdle newlyIdle;
    private final NohzIdle nohz;
    private final Stoppers stoppers;
    private final Overload overload;
    private final GroupSums sums;
    private final int takesPart;

    /**
     * @param rules of which {@code balance}, {@code runqueue} and {@code nohzKick} are read
     * @param queues by CPU, over {@code tasks}
     * @param loads by CPU, of kernels to 5.4
     * @param averages of kernels from 5.5 on; of those before, what is counted
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
            BalanceLoads averages,
            long jiffies) {
        if (queues.length != domains.cpuCount() || loads.length != domains.cpuCount()) {
            throw new IllegalArgumentException("queues and loads are for " + domains.cpuCount() + " CPUs");
        }
        this.domains = domains;
        this.queues = queues.clone();
        CpuLoad[] decayed = loads.clone();
        BalanceRules balanceRules = BalanceRules.of(rules);
        BalanceVersion version = balanceRules.version();
        DomainTraits traits = new DomainTraits(domains);
        DomainState state = new DomainState(domains, jiffies);
        stoppers = new Stoppers(queues.length);
        overload = new Overload(traits);
        sums = new GroupSums(traits, averages);
        attempt = version.hasTypes()
                ? new TypedAttempt(
                        version,
                        settings,
                        domains,
                        traits,
                        tasks,
                        this.queues,
                        averages,
                        state,
                        stoppers,
                        overload,
                        sums)
                : new WeightAttempt(
                        balanceRules,
                        settings,
                        domains,
                        traits,
                        tasks,
                        this.queues,
                        decayed,
                        averages,
                        state,
                        stoppers);
        periodic = new PeriodicBalance(domains, this.queues, settings, version, state, attempt, jiffies);
        newlyIdle = new NewlyIdle(domains, this.queues, settings, version, state, attempt, periodic, overload);
        nohz = NohzIdle.named(rules.nohzKick(), domains, this.queues, decayed, averages, settings);
        takesPart = DomainTraits.takesPart(domains);
    }

    /** CPUs looked at since the beginning. */
    public long probes() {
        return attempt.probes();
    }

    /** Tasks moved since the beginning. */
    public long moves() {
        return attempt.moves();
    }

    /** Jiffy at which a CPU balances next by itself. */
    public long nextBalance(int cpu) {
        return periodic.next[cpu];
    }

    /** A CPU's queue has become longer; two tasks there are a reason for others to look for work. */
    public void counted(int cpu) {
        overload.counted(cpu, queues[cpu].nrRunning());
    }

    /** Tasks, averages, capacity or idleness of a CPU may have changed. */
    public void changed(int cpu) {
        sums.changed(cpu);
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
        boolean due = jiffies >= periodic.next[cpu];
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

    /** A kick has reached a CPU that is no longer idle, so that {@link #softirq} does not follow. */
    public void kickMissed(int cpu) {
        nohz.kickMissed(cpu);
    }

    /**
     * Balances a CPU and, if it is idle and was kicked, all other idle CPUs without tick ({@code run_rebalance_domains}).
     *
     * @param idle the CPU was idle at its tick, or it is idle and was kicked
     */
    public void softirq(int cpu, boolean idle, long jiffies, BalanceHost host) {
        nohz.softirq(cpu, idle, jiffies, periodic, host);
    }

    /**
     * Looks for tasks for a CPU that is about to be idle, unless its idle periods are too short for that to pay ({@code idle_balance},
     * {@code newidle_balance}).
     *
     * @return whether a task was moved to it
     */
    public boolean newlyIdle(int cpu, long jiffies, BalanceHost host) {
        boolean pulled = newlyIdle.look(cpu, jiffies, host);
        if (!pulled) {
            nohz.foundNothing(cpu, jiffies, host);
        }
        return pulled;
    }

    // The stopper

    /**
     * The stopper of {@code source} has displaced the running task: moves it, or another that may move, to {@code target}. Before it,
     * {@link Runqueue#refresh} and {@link Runqueue#putPrevious} of the source; after it, {@link Runqueue#schedule}.
     *
     * @return whether a task was moved
     */
    public boolean activeBalance(int source, int target, BalanceHost host) {
        stoppers.ran(source);
        SchedDomain domain = smallestOver(source, target);
        return domain != null && queues[source].nrRunning() > 0 && attempt.push(source, target, domain, host);
    }

    private @Nullable SchedDomain smallestOver(int source, int target) {
        SchedDomain domain = domains.lowest(target);
        while (domain != null && !(domain.has(takesPart) && domain.span().contains(source))) {
            domain = domain.parent();
        }
        return domain;
    }
}
