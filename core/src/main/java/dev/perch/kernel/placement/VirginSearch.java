package dev.perch.kernel.placement;

import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;

/**
 * The idle search that widens level by level from the target, the last level with an idle CPU winning; it stops where a level spans
 * both the waker's CPU and prev.
 *
 * <p>{@code select_idle_sibling} of 2.6.39 – 3.1 and 3.2-rc before the idle-core patch (policy V, "virgin"). Source: placement.md 1.2.
 * A task that wakes on the waker's own CPU thus only ever sees the SMT sibling.
 */
final class VirginSearch implements IdleSearch {
    private final SchedDomains domains;

    VirginSearch(SchedDomains domains) {
        this.domains = domains;
    }

    @Override
    public int search(WakeRequest request, int target, CpuView view) {
        if (SearchSteps.targetIdle(request, target, view)) {
            return target;
        }
        int found = -1;
        for (SchedDomain d = domains.lowest(target); d != null && d.has(DomainFlags.SHARE_CACHE); d = d.parent()) {
            int cpu = SearchSteps.firstIdle(d, request, view);
            found = cpu >= 0 ? cpu : found;
            if (d.span().contains(request.thisCpu) && d.span().contains(request.prevCpu)) {
                break;
            }
        }
        return found >= 0 ? found : SearchSteps.target(target, view);
    }
}
