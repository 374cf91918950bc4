package dev.perch.kernel.balance;

import static dev.perch.kernel.balance.GroupLoad.POWER_OF_CPU;

/**
 * How much load should move from the busiest group to the local one (spec: scheduler.md 4.7; the second half of {@code
 * find_busiest_group}, {@code calculate_imbalance}, {@code fix_small_imbalance} of Linux 3.2 to 5.4).
 *
 * <p>As in the kernel, differences that can be negative are compared as unsigned numbers.
 */
final class Imbalance {
    /** Nothing should move. */
    static final long NONE = -1;

    private Imbalance() {}

    /**
     * The load to move, nice 0 = 1024; 0 if the groups are out of balance by less than can be mended; {@link #NONE} if they are not.
     *
     * @param busiest the busiest of the other groups
     * @param totalLoad of all groups
     * @param totalPower of all groups
     * @param imbalancePercent of the domain
     * @param weightPerTaskHere average weight of the tasks on the balancing CPU, 0 without tasks
     */
    static long between(
            GroupLoad local,
            GroupLoad busiest,
            long totalLoad,
            long totalPower,
            BalanceMode mode,
            int imbalancePercent,
            long weightPerTaskHere) {
        if (busiest.nrRunning == 0) {
            return NONE;
        }
        long domainAverage = POWER_OF_CPU * totalLoad / totalPower;
        boolean forced =
                busiest.imbalanced || mode == BalanceMode.NEWLY_IDLE && local.hasCapacity && !busiest.hasCapacity;
        if (!forced && isBalanced(local, busiest, domainAverage, mode, imbalancePercent)) {
            return NONE;
        }
        return compute(local, busiest, domainAverage, weightPerTaskHere);
    }

    private static boolean isBalanced(
            GroupLoad local, GroupLoad busiest, long domainAverage, BalanceMode mode, int imbalancePercent) {
        if (local.average >= busiest.average || local.average >= domainAverage) {
            return true;
        }
        if (mode == BalanceMode.IDLE) {
            return local.idleCpus <= busiest.idleCpus + 1 && busiest.nrRunning <= busiest.cpus;
        }
        return 100 * busiest.average <= imbalancePercent * local.average;
    }

    private static long compute(GroupLoad local, GroupLoad busiest, long domainAverage, long weightPerTaskHere) {
        long perTask = busiest.weightPerTask();
        if (busiest.imbalanced) {
            perTask = Math.min(perTask, domainAverage);
        }
        if (busiest.average < domainAverage) {
            return small(local, busiest, 0, perTask, weightPerTaskHere);
        }
        long pull = busiest.average - domainAverage;
        if (!busiest.imbalanced) {
            long above = (busiest.nrRunning - busiest.capacity) * POWER_OF_CPU * POWER_OF_CPU / busiest.power;
            pull = Math.min(pull, above);
        }
        long offered = pull * busiest.power;
        long missing = (domainAverage - local.average) * local.power;
        long imbalance = (Long.compareUnsigned(offered, missing) < 0 ? offered : missing) / POWER_OF_CPU;
        return imbalance < perTask ? small(local, busiest, imbalance, perTask, weightPerTaskHere) : imbalance;
    }

    /** Whether to move one task although less than its weight is missing. */
    private static long small(
            GroupLoad local, GroupLoad busiest, long imbalance, long perTask, long weightPerTaskHere) {
        long perTaskLocal = weightPerTaskHere;
        int tasks = 2;
        if (local.nrRunning > 0) {
            perTaskLocal = local.weightPerTask();
            tasks = perTask > perTaskLocal ? 1 : 2;
        }
        long scaled = perTask * POWER_OF_CPU / busiest.power;
        if (Long.compareUnsigned(busiest.average - local.average + scaled, scaled * tasks) >= 0) {
            return perTask;
        }
        long powerNow = (busiest.power * Math.min(perTask, busiest.average)
                        + local.power * Math.min(perTaskLocal, local.average))
                / POWER_OF_CPU;
        long without = busiest.average > scaled ? busiest.power * Math.min(perTask, busiest.average - scaled) : 0;
        long arriving = busiest.average * busiest.power < perTask * POWER_OF_CPU
                ? busiest.average * busiest.power / local.power
                : perTask * POWER_OF_CPU / local.power;
        long powerMoved = (without + local.power * Math.min(perTaskLocal, local.average + arriving)) / POWER_OF_CPU;
        return powerMoved > powerNow ? perTask : imbalance;
    }
}
