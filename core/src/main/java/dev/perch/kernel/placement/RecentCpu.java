package dev.perch.kernel.placement;

import dev.perch.kernel.domain.SchedDomains;

/**
 * The guess that the CPU which the wakee used before prev is idle ({@code recent_used_cpu}), 4.16+. Source: placement.md 5.6. Writes
 * {@link WakeRequest#recentCpu}; that of the waker is the caller's to write.
 */
final class RecentCpu {
    private final SchedDomains domains;
    private final SearchRules.Recent rule;
    private final boolean schedIdleCounts;

    RecentCpu(SchedDomains domains, SearchRules rules) {
        this.domains = domains;
        rule = rules.recent;
        schedIdleCounts = rules.schedIdle != SearchRules.SchedIdle.BUSY;
    }

    /** The recent CPU if it will do, else −1. */
    int find(WakeRequest request, int target, Capacities capacities, CpuView view) {
        if (rule == SearchRules.Recent.NONE) {
            return -1;
        }
        int cpu = request.recentCpu;
        if (rule != SearchRules.Recent.REPLACED_ON_HIT) {
            request.recentCpu = request.prevCpu;
        }
        int tested = rule == SearchRules.Recent.REPLACED_TOO_EARLY ? request.recentCpu : cpu;
        boolean hit = cpu != request.prevCpu
                && cpu != target
                && domains.shareCache(cpu, target)
                && (schedIdleCounts ? view.idleOrSchedIdle(cpu) : view.idle(cpu))
                && request.allowed.contains(tested)
                && capacities.fits(request, cpu, view);
        view.report(PlacementStep.RECENT, cpu, hit);
        if (!hit) {
            return -1;
        }
        request.recentCpu = request.prevCpu;
        return cpu;
    }
}
