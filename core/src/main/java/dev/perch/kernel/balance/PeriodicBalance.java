package dev.perch.kernel.balance;

import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.fair.Runqueue;
import java.util.Arrays;

/**
 * Balances the domains of a CPU whose turn has come, from small to large ({@code rebalance_domains}, {@code sched_balance_domains}; spec:
 * scheduler.md 4.2).
 */
final class PeriodicBalance {
    /** Seconds after which a CPU looks again at the latest. */
    private static final int LATEST_SECONDS = 60;

    private final SchedDomains domains;
    private final Runqueue[] queues;
    private final BalanceSettings settings;
    private final BalanceVersion version;
    private final DomainState state;
    private final Attempt attempt;

    /** Without the flag, every domain takes part (5.8 and later). */
    private final int takesPart;

    /** Jiffy at which a CPU balances next ({@code rq->next_balance}). */
    final long[] next;

    PeriodicBalance(
            SchedDomains domains,
            Runqueue[] queues,
            BalanceSettings settings,
            BalanceVersion version,
            DomainState state,
            Attempt attempt,
            long jiffies) {
        this.domains = domains;
        this.queues = queues;
        this.settings = settings;
        this.version = version;
        this.state = state;
        this.attempt = attempt;
        takesPart = DomainTraits.takesPart(domains);
        next = new long[queues.length];
        Arrays.fill(next, jiffies);
    }

    void rebalance(int cpu, BalanceMode initialMode, long jiffies, BalanceHost host) {
        BalanceMode mode = initialMode;
        host.ageBlockedLoad(cpu);
        long latest = jiffies + (long) LATEST_SECONDS * settings.hz();
        long earliest = latest;
        boolean mine = true;
        boolean decayed = false;
        long cost = 0;
        for (SchedDomain domain = domains.lowest(cpu); domain != null; domain = domain.parent()) {
            boolean decays =
                    version.since(BalanceVersion.V3_13) && state.decayCost(domain.index(), jiffies, settings.hz());
            decayed |= decays;
            cost += state.maxCost[domain.index()];
            if (!domain.has(takesPart)) {
                continue;
            }
            if (!mine) {
                if (decays) {
                    continue;
                }
                break;
            }
            int index = domain.index();
            long wait = waitJiffies(domain, cpu, mode);
            boolean serialized = domain.has(DomainFlags.SERIALIZE);
            if (!serialized || host.tryLockBalancing(cpu)) {
                if (jiffies >= state.lastBalance[index] + wait) {
                    mode = balanceOnce(cpu, domain, mode, host);
                    mine = attempt.wasAllowed();
                    if (mine && !version.hasTypes()) {
                        host.statisticsTaken(cpu, domain);
                    }
                    state.lastBalance[index] = jiffies;
                    wait = version.hasTypes() ? waitJiffies(domain, cpu, mode) : wait;
                }
                if (serialized) {
                    host.unlockBalancing(cpu);
                }
            }
            earliest = Math.min(earliest, state.lastBalance[index] + wait);
        }
        if (decayed) {
            queues[cpu].idleTime().decayBalanceCost(cost);
        }
        if (earliest < latest) {
            next[cpu] = earliest;
        }
    }

    private BalanceMode balanceOnce(int cpu, SchedDomain domain, BalanceMode mode, BalanceHost host) {
        if (attempt.balance(cpu, domain, mode, host) == 0) {
            return mode;
        }
        return version.hasTypes() && host.isIdle(cpu) ? BalanceMode.IDLE : BalanceMode.BUSY;
    }

    private long waitJiffies(SchedDomain domain, int cpu, BalanceMode mode) {
        boolean idle = mode == BalanceMode.IDLE || version.hasTypes() && queues[cpu].isSchedIdle();
        return waitJiffies(domain, idle);
    }

    /** For how many jiffies the domain is left alone after an attempt. */
    long waitJiffies(SchedDomain domain, boolean idle) {
        long milliseconds = state.interval[domain.index()];
        if (!idle) {
            milliseconds *= domain.parameters().busyFactor();
        }
        long jiffies = settings.toJiffies(milliseconds);
        if (!idle && version.hasTypes()) {
            // attempts of busy CPUs at several levels should not coincide
            jiffies--;
        }
        return Math.clamp(jiffies, 1, settings.longestInterval());
    }
}
