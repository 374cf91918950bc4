package dev.perch.kernel.placement;

import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;

/**
 * The first search that prefers an idle core, with the bug it was committed with: threads are looked at only after a level without a
 * shared cache was met, so on a machine of one last-level cache never.
 *
 * <p>{@code select_idle_sibling} of 3.2-rc from commit 4dcfe1025b51 until its fix (policy P1). Source: placement.md 2.1.
 */
final class IdleCoreSearch implements IdleSearch {
    private final SchedDomains domains;

    IdleCoreSearch(SchedDomains domains) {
        this.domains = domains;
    }

    @Override
    public int search(WakeRequest request, int target, CpuView view) {
        if (SearchSteps.targetIdle(request, target, view)) {
            return target;
        }
        boolean threads = false;
        SchedDomain d = domains.lowest(target);
        while (d != null) {
            if (!threads && d.has(DomainFlags.SHARE_CAPACITY)) {
                d = d.parent();
            } else if (d.has(DomainFlags.SHARE_CACHE)) {
                int cpu = SearchSteps.idleGroup(d, request, view);
                if (cpu >= 0) {
                    return cpu;
                }
                d = d.parent();
            } else if (!threads) {
                threads = true;
                d = domains.lowest(target);
            } else {
                break;
            }
        }
        return SearchSteps.target(target, view);
    }
}
