package dev.perch.kernel.balance;

import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.fair.Runqueue;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which CPUs have stopped their tick, and when a busy CPU asks one of them to balance for all of them ({@code nohz}, {@code
 * nohz_kick_needed}, {@code nohz_balancer_kick}, {@code select_nohz_load_balancer} of Linux 3.2 and 3.3; spec: scheduler.md 4.6).
 *
 * <p>Limitation: no asymmetric packing.
 */
abstract sealed class NohzIdle {
    static final int NO_CPU = -1;

    final Runqueue[] queues;
    final boolean[] tickless;
    private final boolean[] kicked;

    /** Jiffy before which nobody is kicked ({@code nohz.next_balance}). */
    private long nextBalance;

    private NohzIdle(Runqueue[] queues) {
        this.queues = queues;
        tickless = new boolean[queues.length];
        kicked = new boolean[queues.length];
    }

    /**
     * The rules that a kernel file names under {@code nohz-kick}.
     *
     * @throws InputException if there are none of that name
     */
    static NohzIdle named(String id, SchedDomains domains, Runqueue[] queues) {
        return switch (id) {
            case "3.2" -> new TwoPicks(queues);
            case "3.3" -> new BusyGroups(domains, queues);
            default -> throw new InputException("there are no nohz-kick rules '" + id + "'; known are 3.2, 3.3");
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
    final int kick(int cpu, long jiffies, boolean idleAtTick, BalanceHost host) {
        if (!wantsKick(cpu, jiffies >= nextBalance, idleAtTick)) {
            return NO_CPU;
        }
        // No second kick in this jiffy, whether or not there is somebody to kick.
        nextBalance++;
        int target = target(host);
        if (target == NO_CPU || kicked[target]) {
            return NO_CPU;
        }
        kicked[target] = true;
        return target;
    }

    /** The CPU has been kicked and has not yet done its duty. */
    final boolean isKicked(int cpu) {
        return kicked[cpu];
    }

    /** The duty is done. */
    final void finish(int cpu, long ownNextBalance) {
        kicked[cpu] = false;
        nextBalance = ownNextBalance;
    }

    /** Whether an idle CPU that was kicked balances for {@code cpu}. */
    abstract boolean isServed(int cpu, BalanceHost host);

    /** Whether the CPU wants others balanced, if that is due; notes that it is busy. */
    abstract boolean wantsKick(int cpu, boolean due, boolean idleAtTick);

    abstract int target(BalanceHost host);

    final int firstTickless() {
        for (int cpu = 0; cpu < tickless.length; cpu++) {
            if (tickless[cpu]) {
                return cpu;
            }
        }
        return NO_CPU;
    }

    /**
     * 3.2: two busy CPUs are picked to watch, the first kicks with two tasks, the second with one already; the first CPU to stop its
     * tick is nominated to be kicked.
     */
    static final class TwoPicks extends NohzIdle {
        private int firstPick = NO_CPU;
        private int secondPick = NO_CPU;
        private int nominated = NO_CPU;

        TwoPicks(Runqueue[] queues) {
            super(queues);
        }

        @Override
        void idleEntered(int cpu) {
            // Only stopping the tick matters to these rules.
        }

        @Override
        void tickStopped(int cpu) {
            tickless[cpu] = true;
            firstPick = firstPick == cpu ? NO_CPU : firstPick;
            secondPick = secondPick == cpu ? NO_CPU : secondPick;
            nominated = nominated == NO_CPU ? cpu : nominated;
        }

        @Override
        void tickRestarted(int cpu) {
            tickless[cpu] = false;
            nominated = nominated == cpu ? NO_CPU : nominated;
        }

        @Override
        boolean kicksBesidesOwnBalance() {
            return false;
        }

        @Override
        boolean wantsKick(int cpu, boolean due, boolean idleAtTick) {
            if (!due || idleAtTick) {
                return false;
            }
            boolean others = firstPick != NO_CPU && firstPick != cpu && secondPick != NO_CPU && secondPick != cpu;
            if (others) {
                return false;
            }
            int nrRunning = queues[cpu].nrRunning();
            if (firstPick == NO_CPU || firstPick == cpu) {
                firstPick = cpu;
                secondPick = secondPick == cpu ? NO_CPU : secondPick;
                return nrRunning > 1;
            }
            secondPick = cpu;
            return nrRunning > 0;
        }

        @Override
        int target(BalanceHost host) {
            return nominated == NO_CPU ? firstTickless() : nominated;
        }

        @Override
        boolean isServed(int cpu, BalanceHost host) {
            return tickless[cpu];
        }
    }

    /** 3.3 and later: a CPU kicks with two tasks, or if another CPU of its group in a domain that shares a cache is busy too. */
    static final class BusyGroups extends NohzIdle {
        private final SchedDomains domains;
        private final boolean[] busy;

        BusyGroups(SchedDomains domains, Runqueue[] queues) {
            super(queues);
            this.domains = domains;
            busy = new boolean[queues.length];
            Arrays.fill(busy, true);
        }

        @Override
        void idleEntered(int cpu) {
            busy[cpu] = false;
        }

        @Override
        void tickStopped(int cpu) {
            tickless[cpu] = true;
        }

        @Override
        void tickRestarted(int cpu) {
            // The CPU counts as tickless and idle until its first busy tick.
        }

        @Override
        boolean kicksBesidesOwnBalance() {
            return true;
        }

        @Override
        boolean wantsKick(int cpu, boolean due, boolean idleAtTick) {
            if (idleAtTick) {
                return false;
            }
            busy[cpu] = true;
            tickless[cpu] = false;
            return due && firstTickless() != NO_CPU && (queues[cpu].nrRunning() >= 2 || sharesCacheWithBusy(cpu));
        }

        private boolean sharesCacheWithBusy(int cpu) {
            @Nullable SchedDomain domain = domains.lowest(cpu);
            while (domain != null && domain.has(DomainFlags.SHARE_CACHE)) {
                if (busyCpus(domain.group(0)) > 1) {
                    return true;
                }
                domain = domain.parent();
            }
            return false;
        }

        private int busyCpus(CpuMask group) {
            int count = 0;
            for (int cpu = group.first(); cpu >= 0; cpu = group.next(cpu + 1)) {
                count += busy[cpu] ? 1 : 0;
            }
            return count;
        }

        @Override
        int target(BalanceHost host) {
            int first = firstTickless();
            return first != NO_CPU && host.isIdle(first) ? first : NO_CPU;
        }

        @Override
        boolean isServed(int cpu, BalanceHost host) {
            return tickless[cpu] && host.isIdle(cpu);
        }
    }
}
