package dev.perch.kernel.balance;

import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import org.jspecify.annotations.Nullable;

/**
 * Which of two groups is the busier, and whether tasks of a group are to be packed on the balancing CPU ({@code update_sd_pick_busiest},
 * {@code sched_asym}, {@code sched_group_asym} of Linux 5.5 and later; spec: scheduler.md 4.8).
 *
 * <p>Limitation: rules of packing on cores with hardware threads are those of 5.16 and 6.12, also for what lies between and before.
 */
final class BusiestOrder {
    private final BalanceLoads averages;
    private final boolean comparesCores;

    BusiestOrder(BalanceLoads averages, BalanceVersion version) {
        this.averages = averages;
        comparesCores = version.since(BalanceVersion.V6_12);
    }

    /**
     * Whether a group is busier than those before it.
     *
     * @param busiest of those before, null if none has tasks to move
     * @param destination the balancing CPU
     */
    boolean isBusier(
            GroupStats group,
            @Nullable GroupStats busiest,
            GroupStats local,
            SchedDomain domain,
            int destination,
            DomainTraits traits,
            BalanceHost host) {
        if (group.nrFair == 0
                || domain.has(DomainFlags.ASYM_CAPACITY) && !canHelp(group, local, destination, traits, host)) {
            return false;
        }
        if (busiest == null) {
            return true;
        }
        if (group.type != busiest.type) {
            return group.type.isAbove(busiest.type);
        }
        return switch (group.type) {
            case OVERLOADED -> group.average > busiest.average;
            case IMBALANCED -> false;
            case ASYM_PACKING -> averages.priority(group.preferredCpu) < averages.priority(busiest.preferredCpu);
            case MISFIT_TASK ->
                comparesCores ? group.misfitLoad > busiest.misfitLoad : group.misfitLoad >= busiest.misfitLoad;
            case SMT_BALANCE ->
                group.idleCpus == 0 && busiest.idleCpus == 0
                        ? moreFullyBusy(group, busiest)
                        : lessSpare(group, busiest);
            case FULLY_BUSY -> moreFullyBusy(group, busiest);
            case HAS_SPARE -> lessSpare(group, busiest);
        };
    }

    /** Whether, where capacities differ, the destination could be of help to a group. */
    private boolean canHelp(
            GroupStats group, GroupStats local, int destination, DomainTraits traits, BalanceHost host) {
        int capacity = averages.capacity(destination);
        if (group.type == GroupType.MISFIT_TASK) {
            return GroupStats.greater(capacity, group.maxCapacity)
                    && local.type == GroupType.HAS_SPARE
                    && (!comparesCores || traits.othersOfCoreIdle(destination, host));
        }
        return group.type.isAbove(GroupType.FULLY_BUSY) || !GroupStats.greater(group.minCapacity, capacity);
    }

    private boolean moreFullyBusy(GroupStats group, GroupStats busiest) {
        if (!comparesCores) {
            return group.average > busiest.average;
        }
        return group.average > busiest.average || group.average == busiest.average && !busiest.smt;
    }

    private boolean lessSpare(GroupStats group, GroupStats busiest) {
        if (comparesCores && group.smt != busiest.smt) {
            return !group.smt || group.nrFair > 1;
        }
        return group.idleCpus < busiest.idleCpus
                || group.idleCpus == busiest.idleCpus && group.nrRunning > busiest.nrRunning;
    }

    /** Whether the balancing CPU, which is idle, is to be preferred to the CPUs of a group of a domain in which tasks are packed. */
    boolean packs(
            GroupStats group,
            GroupStats local,
            SchedDomain domain,
            int destination,
            DomainTraits traits,
            BalanceHost host) {
        boolean preferred = averages.priority(destination) > averages.priority(group.preferredCpu);
        int busy = group.weight - group.idleCpus;
        if (comparesCores) {
            boolean usable = domain.has(DomainFlags.SHARE_CAPACITY) || traits.othersOfCoreIdle(destination, host);
            return preferred && usable && (!group.smt || busy == 1);
        }
        if (!local.smt) {
            return group.smt && busy >= 2 || preferred;
        }
        if (group.smt) {
            return busy - (local.weight - local.idleCpus) == 1 && preferred;
        }
        return local.nrRunning == 0 && preferred;
    }
}
