package dev.perch.kernel.balance;

import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.fair.Runqueue;
import dev.perch.model.CpuMask;

/**
 * Kicks that say what there is to do for idle CPUs: age their averages, or balance them too ({@code nohz_balancer_kick}, {@code
 * _nohz_idle_balance}, {@code nohz_newidle_balance} of Linux 5.5 and later; spec: scheduler.md 4.6).
 *
 * <p>Limitation: averages that a CPU going idle has to age are aged at once, not when it has nothing else to do.
 */
final class FlaggedKicks extends NohzIdle {
    /** The averages of idle CPUs should be aged. */
    private static final int STATS = 1;

    /** Idle CPUs should be balanced. */
    private static final int BALANCE = 2;

    /** Averages of idle CPUs are aged so often, ms. */
    private static final int AGEING_MS = 32;

    /** After how many seconds the idle CPUs are looked at again at the latest. */
    private static final int LATEST_SECONDS = 60;

    private final SchedDomains domains;
    private final BalanceLoads averages;
    private final BalanceSettings settings;
    private final int[] flags;
    private final int[] busyInCache;
    private int ticklessCount;
    private boolean hasBlocked;
    private long nextAgeing;

    FlaggedKicks(SchedDomains domains, Runqueue[] queues, BalanceLoads averages, BalanceSettings settings) {
        super(queues);
        this.domains = domains;
        this.averages = averages;
        this.settings = settings;
        flags = new int[queues.length];
        busyInCache = new int[queues.length];
        for (int cpu = 0; cpu < queues.length; cpu++) {
            busyInCache[domains.llcId(cpu)]++;
        }
    }

    @Override
    void idleEntered(int cpu) {
        // only stopping the tick matters to these rules
    }

    @Override
    void tickStopped(int cpu) {
        hasBlocked = true;
        if (!tickless[cpu]) {
            tickless[cpu] = true;
            ticklessCount++;
            busyInCache[domains.llcId(cpu)]--;
        }
    }

    @Override
    void tickRestarted(int cpu) {
        // the CPU counts as tickless until its first busy tick
    }

    private void busyTick(int cpu) {
        if (tickless[cpu]) {
            tickless[cpu] = false;
            ticklessCount--;
            busyInCache[domains.llcId(cpu)]++;
        }
    }

    @Override
    boolean kicksBesidesOwnBalance() {
        return true;
    }

    @Override
    int kick(int cpu, long jiffies, boolean idleAtTick, BalanceHost host) {
        if (idleAtTick) {
            return NO_CPU;
        }
        busyTick(cpu);
        if (ticklessCount == 0) {
            return NO_CPU;
        }
        int wanted = hasBlocked && jiffies > nextAgeing ? STATS : 0;
        if (jiffies >= nextBalance && wantsBalance(cpu, host)) {
            wanted = STATS | BALANCE;
            nextBalance = jiffies + 1;
        }
        int target = wanted == 0 ? NO_CPU : firstIdleExcept(cpu, host);
        if (target == NO_CPU) {
            return NO_CPU;
        }
        boolean underWay = flags[target] != 0;
        flags[target] |= wanted;
        return underWay ? NO_CPU : target;
    }

    private int firstIdleExcept(int cpu, BalanceHost host) {
        for (int other = 0; other < tickless.length; other++) {
            if (other != cpu && tickless[other] && host.isIdle(other)) {
                return other;
            }
        }
        return NO_CPU;
    }

    private boolean wantsBalance(int cpu, BalanceHost host) {
        SchedDomain lowest = domains.lowest(cpu);
        if (queues[cpu].nrRunning() >= 2) {
            return true;
        }
        if (lowest == null) {
            return false;
        }
        if (queues[cpu].nrFair() >= 1 && isReduced(cpu, lowest.parameters().imbalancePercent())) {
            return true;
        }
        if (prefersTickless(cpu, lowest, host)) {
            return true;
        }
        if (domains.asymCapacity(cpu) != null) {
            return averages.misfitLoad(cpu) > 0;
        }
        return busyInCache[domains.llcId(cpu)] > 1;
    }

    private boolean isReduced(int cpu, int percent) {
        return (long) averages.capacity(cpu) * percent < averages.originalCapacity(cpu) * 100L;
    }

    /** Whether tasks are packed in a domain of the CPU, and an idle CPU there should run its task instead. */
    private boolean prefersTickless(int cpu, SchedDomain lowest, BalanceHost host) {
        for (SchedDomain domain = lowest; domain != null; domain = domain.parent()) {
            if (!averages.packs(domain)) {
                continue;
            }
            CpuMask span = domain.span();
            for (int other = span.first(); other >= 0; other = span.next(other + 1)) {
                if (tickless[other] && host.isIdle(other) && averages.priority(other) > averages.priority(cpu)) {
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    void softirq(int cpu, boolean idle, long jiffies, PeriodicBalance periodic, BalanceHost host) {
        int wanted = flags[cpu];
        flags[cpu] = 0;
        if (wanted != 0 && idle) {
            serve(cpu, wanted, jiffies, periodic, host);
            return;
        }
        periodic.rebalance(cpu, idle ? BalanceMode.IDLE : BalanceMode.BUSY, jiffies, host);
    }

    private void serve(int cpu, int wanted, long jiffies, PeriodicBalance periodic, BalanceHost host) {
        long latest = jiffies + (long) LATEST_SECONDS * settings.hz();
        long next = latest;
        boolean blocked = false;
        int count = queues.length;
        for (int step = 1; step <= count; step++) {
            int other = (cpu + step) % count;
            if (!tickless[other] || !host.isIdle(other)) {
                continue;
            }
            if (queues[cpu].reschedulePending()) {
                blocked = true;
                break;
            }
            host.ageBlockedLoad(other);
            blocked |= averages.hasBlocked(other);
            if ((wanted & BALANCE) != 0 && jiffies >= periodic.next[other]) {
                periodic.rebalance(other, BalanceMode.IDLE, jiffies, host);
            }
            next = Math.min(next, periodic.next[other]);
        }
        if (next < latest) {
            nextBalance = next;
        }
        aged(blocked, jiffies);
    }

    private void aged(boolean blocked, long jiffies) {
        hasBlocked = blocked;
        nextAgeing = jiffies + settings.toJiffies(AGEING_MS);
    }

    @Override
    void kickMissed(int cpu) {
        flags[cpu] = 0;
    }

    @Override
    void foundNothing(int cpu, long jiffies, BalanceHost host) {
        if (!hasBlocked || jiffies < nextAgeing || queues[cpu].idleTime().average() < settings.migrationCost()) {
            return;
        }
        boolean blocked = false;
        for (int other = 0; other < queues.length; other++) {
            if (tickless[other] && host.isIdle(other)) {
                host.ageBlockedLoad(other);
                blocked |= averages.hasBlocked(other);
            }
        }
        aged(blocked, jiffies);
    }
}
