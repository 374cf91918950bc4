package dev.perch.kernel.domain;

/**
 * The numbers by which the load balancer treats a domain. Source: placement.md 11.5, scheduler.md 4.1.
 *
 * @param minIntervalMs shortest time between two balancing attempts of an idle CPU
 * @param maxIntervalMs longest, after attempts without success
 * @param initialIntervalMs at boot
 * @param busyFactor by how much a busy CPU stretches the interval
 * @param imbalancePercent how much busier, in per cent, another group must be before tasks are moved ({@code imbalance_pct})
 * @param cacheNiceTries failed attempts after which cache-hot tasks are moved too
 * @param busyIndex which of the decayed loads {@code cpu_load[]} a busy CPU compares
 * @param idleIndex the same for an idle CPU
 * @param newIdleIndex the same for a CPU that is about to become idle
 */
public record DomainParameters(
        int minIntervalMs,
        int maxIntervalMs,
        int initialIntervalMs,
        int busyFactor,
        int imbalancePercent,
        int cacheNiceTries,
        int busyIndex,
        int idleIndex,
        int newIdleIndex) {
    /**
     * The numbers of kernels to 3.15, which have a table for each level.
     *
     * @param weight number of CPUs of the domain
     * @param cpus number of CPUs of the machine
     */
    static DomainParameters until315(DomainLevel level, int weight, int cpus) {
        return switch (level) {
            case SMT -> new DomainParameters(1, 2, 1, 64, 110, 0, 0, 0, 0);
            case MC, CLS -> new DomainParameters(1, 4, 1, 64, 125, 1, 2, 0, 0);
            case PKG, LOCAL_NODE -> new DomainParameters(1, 4, 1, 64, 125, 1, 2, 1, 0);
            case NODE -> new DomainParameters(8, 32, 1, 32, 125, 2, 3, 2, 0);
            case ALLNODES -> new DomainParameters(64, 64 * cpus, 64, 128, 133, 1, 3, 3, 0);
            case NUMA -> new DomainParameters(weight, 2 * weight, weight, 32, 125, 2, 3, 2, 0);
        };
    }

    /** Load indices of a busy and of an idle CPU in kernels that have them; the others are 0. */
    static int[] loadIndices(DomainLevel level) {
        DomainParameters numbers = until315(level, 1, 1);
        return new int[] {numbers.busyIndex, numbers.idleIndex};
    }
}
