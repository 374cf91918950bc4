package dev.perch.kernel.balance;

import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import org.jspecify.annotations.Nullable;

/**
 * Whether the busiest group of a domain is out of balance with the local one, and what is to move ({@code find_busiest_group}'s second
 * half, {@code calculate_imbalance}, {@code sibling_imbalance} of Linux 5.5 and later; spec: scheduler.md 4.8, its decision and compute
 * tables).
 *
 * <p>Limitation: no energy-aware scheduling.
 */
final class TypedImbalance {
    /** Differences up to this are left between nodes that have few tasks. */
    private static final long SMALL_BETWEEN_NODES = 2;

    private final BalanceVersion version;

    /** What is to move, as of the last {@link #find}. */
    MigrationKind kind = MigrationKind.LOAD;

    /** How much of it. */
    long amount;

    TypedImbalance(BalanceVersion version) {
        this.version = version;
    }

    /**
     * Compares the groups.
     *
     * @param busiest of the other groups; null if none has a task
     * @param totalLoad of all groups
     * @param totalCapacity of all groups
     * @return whether something should move: {@link #amount} of {@link #kind}
     */
    boolean find(
            GroupStats local,
            @Nullable GroupStats busiest,
            long totalLoad,
            long totalCapacity,
            SchedDomain domain,
            BalanceMode mode) {
        if (busiest == null) {
            return false;
        }
        SchedDomain child = domain.child();
        boolean preferSibling = child != null && child.has(DomainFlags.PREFER_SIBLING);
        boolean idle = mode != BalanceMode.BUSY;
        long mean = totalLoad * GroupStats.WHOLE / totalCapacity;
        if (isBalanced(local, busiest, mean, domain.parameters().imbalancePercent(), preferSibling, idle)) {
            return false;
        }
        compute(local, busiest, mean, domain, preferSibling, idle);
        return amount != 0;
    }

    private boolean isBalanced(
            GroupStats local, GroupStats busiest, long mean, int percent, boolean preferSibling, boolean idle) {
        switch (busiest.type) {
            case MISFIT_TASK, ASYM_PACKING, IMBALANCED -> {
                return false;
            }
            case HAS_SPARE, FULLY_BUSY, SMT_BALANCE, OVERLOADED -> {
                // by the rest of the table
            }
        }
        if (local.type.isAbove(busiest.type)) {
            return true;
        }
        if (local.type == GroupType.OVERLOADED) {
            if (local.average >= busiest.average
                    || local.average >= mean
                    || 100 * busiest.average <= percent * local.average) {
                return true;
            }
        }
        if (preferSibling && local.type == GroupType.HAS_SPARE && siblingImbalance(local, busiest, idle) > 1) {
            return false;
        }
        if (busiest.type == GroupType.OVERLOADED) {
            return false;
        }
        if (!idle) {
            return true;
        }
        if (busiest.type == GroupType.SMT_BALANCE && busiest.smt != local.smt) {
            return false;
        }
        return busiest.weight > 1 && local.idleCpus <= busiest.idleCpus + 1 || busiest.nrFair == 1;
    }

    private void compute(
            GroupStats local, GroupStats busiest, long mean, SchedDomain domain, boolean preferSibling, boolean idle) {
        switch (busiest.type) {
            case MISFIT_TASK -> {
                boolean asymmetric = !version.since(BalanceVersion.V6_12) || domain.has(DomainFlags.ASYM_CAPACITY);
                set(asymmetric ? MigrationKind.MISFIT : MigrationKind.LOAD, asymmetric ? 1 : busiest.misfitLoad);
            }
            case ASYM_PACKING -> set(MigrationKind.TASKS, busiest.nrFair);
            case SMT_BALANCE, IMBALANCED -> set(MigrationKind.TASKS, 1);
            case HAS_SPARE, FULLY_BUSY, OVERLOADED -> {
                if (local.type == GroupType.HAS_SPARE) {
                    fillSpare(local, busiest, domain, preferSibling, idle);
                } else {
                    evenLoads(local, busiest, mean);
                }
            }
        }
    }

    private void fillSpare(
            GroupStats local, GroupStats busiest, SchedDomain domain, boolean preferSibling, boolean idle) {
        if (busiest.type.isAbove(GroupType.FULLY_BUSY) && !domain.has(DomainFlags.SHARE_CACHE)) {
            set(MigrationKind.UTIL, Math.max(local.capacity, local.util) - local.util);
            if (amount == 0 && idle) {
                set(MigrationKind.TASKS, 1);
            }
            return;
        }
        long difference = busiest.weight == 1 || preferSibling
                ? siblingImbalance(local, busiest, idle)
                : Math.max(0, local.idleCpus - busiest.idleCpus);
        boolean small = domain.has(DomainFlags.NUMA);
        if (version.since(BalanceVersion.V6_1)) {
            small &= local.nrRunning + 1 <= domain.imbNuma() && difference <= SMALL_BETWEEN_NODES;
            difference >>= 1;
        } else {
            difference >>= 1;
            small &= busiest.nrRunning < busiest.weight / 4 && difference <= SMALL_BETWEEN_NODES;
        }
        set(MigrationKind.TASKS, small ? 0 : difference);
    }

    private void evenLoads(GroupStats local, GroupStats busiest, long mean) {
        if (local.type != GroupType.OVERLOADED) {
            local.computeAverage();
            if (local.average >= busiest.average || version.since(BalanceVersion.V6_12) && local.average >= mean) {
                set(MigrationKind.LOAD, 0);
                return;
            }
        }
        long offered = (busiest.average - mean) * busiest.capacity;
        long missing = (mean - local.average) * local.capacity;
        // negative differences are large ones, as in the kernel
        long less = Long.compareUnsigned(offered, missing) < 0 ? offered : missing;
        set(MigrationKind.LOAD, Long.divideUnsigned(less, GroupStats.WHOLE));
    }

    private void set(MigrationKind of, long many) {
        kind = of;
        amount = many;
    }

    /** By how many tasks the groups differ, for their numbers of cores; before 6.12 just the difference. */
    private long siblingImbalance(GroupStats local, GroupStats busiest, boolean idle) {
        if (!version.since(BalanceVersion.V6_12)) {
            return Math.max(0, busiest.nrRunning - local.nrRunning);
        }
        return idle ? siblingImbalance(busiest.nrRunning, local.nrRunning, busiest.cores, local.cores) : 0;
    }

    /**
     * By how many tasks a busy group has too many for its cores, seen from an idle CPU ({@code sibling_imbalance}, 6.12).
     *
     * @param busiest tasks of the busy group
     * @param local tasks of the local group
     */
    static long siblingImbalance(int busiest, int local, int busiestCores, int localCores) {
        if (busiest == 0) {
            return 0;
        }
        if (busiestCores == localCores) {
            return Math.max(0, busiest - local);
        }
        int cores = busiestCores + localCores;
        long imbalance = Math.max(0, (long) localCores * busiest - (long) busiestCores * local);
        imbalance = (2 * imbalance + cores) / cores;
        return imbalance <= 1 && local == 0 && busiest > 1 ? 2 : imbalance;
    }
}
