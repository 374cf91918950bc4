package dev.perch.kernel.placement;

import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;

/**
 * From the last-level cache downward, at each level the first wholly idle group: an idle core anywhere, then an idle thread of the
 * target's own core.
 *
 * <p>{@code select_idle_sibling} of 3.3 – 3.8 except 3.6-rc1 … rc5; also S. Siddha's patch of November 2011 ("suresh"), taken to be the
 * form that was merged. Source: placement.md 2.3, 3.1. An idle thread of another half-busy core is never used.
 */
final class TopDownSearch implements IdleSearch {
    private final SchedDomains domains;

    TopDownSearch(SchedDomains domains) {
        this.domains = domains;
    }

    @Override
    public int search(WakeRequest request, int target, CpuView view) {
        return SearchSteps.targetIdle(request, target, view) ? target : searchGroups(request, target, view, 0);
    }

    /** The scan itself, whatever the target's state; {@code from} as for {@link SearchSteps#idleGroup}. */
    int searchGroups(WakeRequest request, int target, CpuView view, int from) {
        for (SchedDomain d = domains.llc(target); d != null; d = d.child()) {
            int cpu = SearchSteps.idleGroup(d, request, view, from);
            if (cpu >= 0) {
                return cpu;
            }
        }
        return SearchSteps.target(target, view);
    }
}
