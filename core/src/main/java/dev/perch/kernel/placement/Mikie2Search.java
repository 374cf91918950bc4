package dev.perch.kernel.placement;

import dev.perch.kernel.domain.SchedDomains;

/**
 * {@link TopDownSearch} preceded by prev if it is idle, and, with the feature SIBLING_LIMIT_SYNC, by staying with the waker when the
 * wakeup is sync.
 *
 * <p><b>A reconstruction</b>: M. Galbraith's "mikie2" of November 2011 was measured but its text is not public; these are the smallest
 * rules that explain its published rates (policies M2 and M2S). Single decisions prove nothing. Source: placement.md 2.5.
 */
final class Mikie2Search implements IdleSearch {
    private final SchedDomains domains;
    private final TopDownSearch topDown;
    private final boolean limitSync;

    /** @param limitSync the feature SIBLING_LIMIT_SYNC */
    Mikie2Search(SchedDomains domains, boolean limitSync) {
        this.domains = domains;
        this.limitSync = limitSync;
        topDown = new TopDownSearch(domains);
    }

    @Override
    public int search(WakeRequest request, int target, CpuView view) {
        if (SearchSteps.targetIdle(request, target, view)) {
            return target;
        }
        if (limitSync && request.sync && target == request.thisCpu) {
            view.report(PlacementStep.SYNC_STAYS, target, true);
            return target;
        }
        if (request.allowed.contains(request.prevCpu) && SearchSteps.prevIdle(domains, request, target, view)) {
            return request.prevCpu;
        }
        return topDown.searchGroups(request, target, view, 0);
    }
}
