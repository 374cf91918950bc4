package dev.perch.kernel.balance;

import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.fair.Runqueue;
import dev.perch.kernel.load.CpuLoad;
import dev.perch.model.InputException;

/**
 * Which CPUs have stopped their tick, and when a busy CPU asks one of them to balance for all of them ({@code nohz}, {@code
 * nohz_idle_balance}; spec: scheduler.md 4.6).
 */
abstract sealed class NohzIdle permits WholeKicks, FlaggedKicks {
    static final int NO_CPU = -1;

    final Runqueue[] queues;
    final boolean[] tickless;

    /** Jiffy before which nobody is kicked to balance ({@code nohz.next_balance}). */
    long nextBalance;

    NohzIdle(Runqueue[] queues) {
        this.queues = queues;
        tickless = new boolean[queues.length];
    }

    /**
     * The rules that a kernel file names under {@code nohz-kick}.
     *
     * @throws InputException if there are none of that name
     */
    static NohzIdle named(
            String id,
            SchedDomains domains,
            Runqueue[] queues,
            CpuLoad[] loads,
            BalanceLoads averages,
            BalanceSettings settings) {
        return switch (id) {
            case "3.2" -> new TwoPicks(queues, loads);
            case "3.3" -> new BusyGroups(domains, queues, loads);
            case "5.5" -> new FlaggedKicks(domains, queues, averages, settings);
            default -> throw new InputException("there are no nohz-kick rules '" + id + "'; known are 3.2, 3.3, 5.5");
        };
    }

    /** A CPU enters the idle loop with dynamic ticks on. */
    abstract void idleEntered(int cpu);

    /** An idle CPU stops its tick. */
    abstract void tickStopped(int cpu);

    /** A CPU whose tick was stopped leaves the idle loop. */
    abstract void tickRestarted(int cpu);

    /** Whether the kick is considered also at a tick at which the CPU's own balancing is due. */
    abstract boolean kicksBesidesOwnBalance();

    /**
     * Whether a CPU should, at its tick, have the idle CPUs balanced.
     *
     * @return the idle CPU to be sent an interrupt, or {@link #NO_CPU}
     */
    abstract int kick(int cpu, long jiffies, boolean idleAtTick, BalanceHost host);

    /**
     * A CPU's balancing after a tick or a kick: its own and, if it was kicked, that of the others.
     *
     * @param idle the CPU was idle at its tick, or it is idle and was kicked
     */
    abstract void softirq(int cpu, boolean idle, long jiffies, PeriodicBalance periodic, BalanceHost host);

    /** A kick has reached a CPU that is no longer idle. */
    abstract void kickMissed(int cpu);

    /** A CPU has looked for work and found none. */
    abstract void foundNothing(int cpu, long jiffies, BalanceHost host);
}
