package dev.perch.kernel.balance;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.fair.CfsTunables;

/**
 * Tunables, feature bits and build options that balancing reads.
 *
 * @param hz ticks a second
 * @param onlineCpus online CPUs of the machine; an interval is at most a tenth of a second for each
 * @param migrationCost {@code sched_migration_cost_ns}
 * @param cacheHotBuddy feature CACHE_HOT_BUDDY: a task that is to run next counts as cache-hot
 * @param fullPreemption the kernel is built fully preemptible: a CPU that is about to be idle takes one task only
 * @param newIdleAtRandom feature NI_RANDOM: a domain whose newly-idle attempts rarely succeed is tried rarely
 */
public record BalanceSettings(
        int hz,
        int onlineCpus,
        long migrationCost,
        boolean cacheHotBuddy,
        boolean fullPreemption,
        boolean newIdleAtRandom) {

    /** Of a kernel built with voluntary preemption; a feature bit it does not have is as released. */
    public static BalanceSettings of(Kernel kernel, CfsTunables tunables, int hz, int onlineCpus) {
        return new BalanceSettings(
                hz,
                onlineCpus,
                tunables.migrationCost(),
                kernel.features().getOrDefault("CACHE_HOT_BUDDY", true),
                false,
                kernel.has("NI_RANDOM"));
    }

    long toJiffies(long milliseconds) {
        return Math.ceilDiv(milliseconds * hz, 1000);
    }

    long longestInterval() {
        return Math.max(1, (long) hz * onlineCpus / 10);
    }
}
