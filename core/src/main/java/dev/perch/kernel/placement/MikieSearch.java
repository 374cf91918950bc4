package dev.perch.kernel.placement;

import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;

/**
 * {@link VirginSearch} that never stops below the last-level cache and looks at all threads of the SMT level.
 *
 * <p>M. Galbraith's experiment of November 2011 on 3.2-rc1 (policy MK, "mikie"). Source: placement.md 2.4, from the published patch.
 * In effect the lowest idle CPU of the last-level cache, whether or not its sibling is busy.
 */
final class MikieSearch implements IdleSearch {
    private final SchedDomains domains;

    MikieSearch(SchedDomains domains) {
        this.domains = domains;
    }

    @Override
    public int search(WakeRequest request, int target, CpuView view) {
        if (SearchSteps.targetIdle(request, target, view)) {
            return target;
        }
        int found = -1;
        for (SchedDomain d = domains.lowest(target); d != null && d.has(DomainFlags.SHARE_CACHE); d = d.parent()) {
            int cpu = d.has(DomainFlags.SHARE_CAPACITY)
                    ? SearchSteps.lastIdle(d, request, view)
                    : SearchSteps.firstIdle(d, request, view);
            found = cpu >= 0 ? cpu : found;
        }
        return found >= 0 ? found : SearchSteps.target(target, view);
    }
}
