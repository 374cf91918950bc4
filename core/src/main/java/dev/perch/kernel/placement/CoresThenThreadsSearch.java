package dev.perch.kernel.placement;

import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;

/**
 * A pass over the levels above SMT for an idle core, then one over the SMT level for an idle thread of the target's own core.
 *
 * <p>{@code select_idle_sibling} of 3.2. Source: placement.md 2.2.
 */
final class CoresThenThreadsSearch implements IdleSearch {
    private final SchedDomains domains;

    CoresThenThreadsSearch(SchedDomains domains) {
        this.domains = domains;
    }

    @Override
    public int search(WakeRequest request, int target, CpuView view) {
        if (SearchSteps.targetIdle(request, target, view)) {
            return target;
        }
        int cpu = idleCore(request, target, view);
        cpu = cpu >= 0 ? cpu : idleThread(request, target, view);
        return cpu >= 0 ? cpu : SearchSteps.target(target, view);
    }

    private int idleCore(WakeRequest request, int target, CpuView view) {
        int cpu = -1;
        for (SchedDomain d = domains.lowest(target); d != null && cpu < 0; d = d.parent()) {
            if (d.has(DomainFlags.SHARE_CAPACITY)) {
                continue;
            }
            if (!d.has(DomainFlags.SHARE_CACHE)) {
                break;
            }
            cpu = SearchSteps.idleGroup(d, request, view);
        }
        return cpu;
    }

    private int idleThread(WakeRequest request, int target, CpuView view) {
        int cpu = -1;
        SchedDomain d = domains.lowest(target);
        while (d != null && cpu < 0 && d.has(DomainFlags.SHARE_CAPACITY)) {
            cpu = SearchSteps.idleGroup(d, request, view);
            d = d.parent();
        }
        return cpu;
    }
}
