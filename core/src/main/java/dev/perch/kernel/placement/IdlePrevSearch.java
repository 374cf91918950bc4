package dev.perch.kernel.placement;

import dev.perch.kernel.domain.SchedDomains;

/**
 * The target if idle, prev if idle and near, else {@link TopDownSearch} without the groups that hold the busy target.
 *
 * <p>{@code select_idle_sibling} of 3.9 – 4.8. Source: placement.md 3.4. Prev is not checked against the affinity; the caller repairs
 * that.
 */
final class IdlePrevSearch implements IdleSearch {
    private final SchedDomains domains;
    private final TopDownSearch topDown;

    IdlePrevSearch(SchedDomains domains) {
        this.domains = domains;
        topDown = new TopDownSearch(domains);
    }

    @Override
    public int search(WakeRequest request, int target, CpuView view) {
        boolean targetIdle = view.idle(target);
        view.report(PlacementStep.TARGET_IDLE, target, targetIdle);
        if (targetIdle) {
            return target;
        }
        if (SearchSteps.prevIdle(domains, request, target, view)) {
            return request.prevCpu;
        }
        return topDown.searchGroups(request, target, view, 1);
    }
}
