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
        int newIdleIndex) {}
