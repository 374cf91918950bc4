package dev.perch.kernel.balance;

import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.fair.Runqueue;
import dev.perch.kernel.load.IdleTime;

/**
 * Looks for tasks for a CPU that is about to be idle, as far as that pays for the time it stays so ({@code idle_balance}, {@code
 * newidle_balance}, {@code sched_balance_newidle}; spec: scheduler.md 4.5).
 *
 * <p>Limitation: an attempt happens at one instant, so no task arrives meanwhile.
 */
final class NewlyIdle {
    /** Random numbers and the share of attempts that succeed are out of so many. */
    private static final int WHOLE = 1024;

    private final SchedDomains domains;
    private final Runqueue[] queues;
    private final BalanceSettings settings;
    private final BalanceVersion version;
    private final DomainState state;
    private final Attempt attempt;
    private final PeriodicBalance periodic;
    private final Overload overload;
    private final int takesPart;

    NewlyIdle(
            SchedDomains domains,
            Runqueue[] queues,
            BalanceSettings settings,
            BalanceVersion version,
            DomainState state,
            Attempt attempt,
            PeriodicBalance periodic,
            Overload overload) {
        this.domains = domains;
        this.queues = queues;
        this.settings = settings;
        this.version = version;
        this.state = state;
        this.attempt = attempt;
        this.periodic = periodic;
        this.overload = overload;
        takesPart = DomainTraits.takesPart(domains);
    }

    /** Returns whether a task was moved to the CPU. */
    boolean look(int cpu, long jiffies, BalanceHost host) {
        return version.hasTypes() ? lookWhereOverloaded(cpu, jiffies, host) : lookEverywhere(cpu, jiffies, host);
    }

    /** 3.2 to 5.4. */
    private boolean lookEverywhere(int cpu, long jiffies, BalanceHost host) {
        IdleTime idleTime = queues[cpu].idleTime();
        idleTime.begin(queues[cpu].clock());
        if (idleTime.average() < settings.migrationCost()) {
            return false;
        }
        boolean byDomain = version.since(BalanceVersion.V3_13);
        boolean pulled = false;
        long cost = 0;
        long next = jiffies + settings.hz();
        for (SchedDomain domain = domains.lowest(cpu); domain != null && !pulled; domain = domain.parent()) {
            if (!domain.has(takesPart)) {
                continue;
            }
            int index = domain.index();
            if (byDomain && idleTime.average() < cost + state.maxCost[index]) {
                break;
            }
            if (domain.has(DomainFlags.BALANCE_NEWIDLE)) {
                long before = spent(host);
                pulled = attempt.balance(cpu, domain, BalanceMode.NEWLY_IDLE, host) > 0;
                long domainCost = spent(host) - before;
                cost += domainCost;
                if (byDomain) {
                    state.attemptCostKept(index, domainCost);
                }
            }
            next = Math.min(next, state.lastBalance[index] + settings.toJiffies(state.interval[index]));
        }
        if (byDomain) {
            idleTime.raiseBalanceCost(cost);
        }
        if (pulled) {
            idleTime.cancel();
        }
        if (pulled || jiffies > periodic.next[cpu]) {
            periodic.next[cpu] = next;
        }
        return pulled;
    }

    /** 5.5 and later. */
    private boolean lookWhereOverloaded(int cpu, long jiffies, BalanceHost host) {
        if (host.wakeupPending(cpu)) {
            return false;
        }
        IdleTime idleTime = queues[cpu].idleTime();
        idleTime.begin(queues[cpu].clock());
        SchedDomain lowest = domains.lowest(cpu);
        if (lowest == null) {
            return false;
        }
        long next = jiffies + settings.hz();
        if (!overload.isSet(cpu) || idleTime.average() < state.maxCost[lowest.index()]) {
            keepEarlier(cpu, Math.min(next, due(lowest)));
            return false;
        }
        host.ageBlockedLoad(cpu);
        boolean pulled = false;
        long cost = 0;
        for (SchedDomain domain = lowest; domain != null; domain = domain.parent()) {
            next = Math.min(next, due(domain));
            if (idleTime.average() < cost + state.maxCost[domain.index()]) {
                break;
            }
            if (domain.has(DomainFlags.BALANCE_NEWIDLE)) {
                long before = spent(host);
                pulled = tryDomain(cpu, domain, jiffies, host);
                cost += spent(host) - before;
            }
            if (pulled || host.wakeupPending(cpu)) {
                break;
            }
        }
        idleTime.raiseBalanceCost(cost);
        keepEarlier(cpu, next);
        if (pulled) {
            idleTime.cancel();
        }
        return pulled;
    }

    private boolean tryDomain(int cpu, SchedDomain domain, long jiffies, BalanceHost host) {
        int index = domain.index();
        int success = 1;
        if (settings.newIdleAtRandom()) {
            int weight = 1 + state.ratio[index];
            if (host.draw(WHOLE) > weight) {
                state.newIdleAttempt(index, 0);
                return false;
            }
            success = (WHOLE + weight / 2) / weight;
        }
        long before = spent(host);
        boolean pulled = attempt.balance(cpu, domain, BalanceMode.NEWLY_IDLE, host) > 0;
        state.attemptCost(index, spent(host) - before, jiffies, settings.hz());
        if (settings.newIdleAtRandom()) {
            state.newIdleAttempt(index, pulled ? success : 0);
        }
        return pulled;
    }

    private long due(SchedDomain domain) {
        return state.lastBalance[domain.index()] + periodic.waitJiffies(domain, true);
    }

    private void keepEarlier(int cpu, long next) {
        periodic.next[cpu] = Math.min(periodic.next[cpu], next);
    }

    private long spent(BalanceHost host) {
        return host.cost(attempt.probes(), attempt.moves());
    }
}
