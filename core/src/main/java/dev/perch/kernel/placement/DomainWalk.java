package dev.perch.kernel.placement;

import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import org.jspecify.annotations.Nullable;

/**
 * The walk up the waker's domains that decides who is asked: wake_affine and the idle search, the slow path, or nobody.
 *
 * <p>{@code select_task_rq_fair} of 2.6.39 – 3.13. Source: placement.md 1.1, 3.1. A wakeup without a common wake-affine domain returns
 * prev without any search. Limitation: the power-saving branch (until 3.4, off by default) is left out.
 */
final class DomainWalk implements Caller {
    private final SchedDomains domains;
    private final IdleSearch search;
    private final WakeAffine affine;
    private final SlowPath slowPath;
    private final boolean pinnedShortcut;
    private final boolean stopsAtAffine;

    /**
     * @param pinnedShortcut a task with one allowed CPU gets prev at once; from 3.3
     * @param stopsAtAffine the walk ends at the affine domain instead of the top; from 3.7
     */
    DomainWalk(
            SchedDomains domains,
            IdleSearch search,
            WakeAffine affine,
            SlowPath slowPath,
            boolean pinnedShortcut,
            boolean stopsAtAffine) {
        this.domains = domains;
        this.search = search;
        this.affine = affine;
        this.slowPath = slowPath;
        this.pinnedShortcut = pinnedShortcut;
        this.stopsAtAffine = stopsAtAffine;
    }

    @Override
    public int select(WakeRequest request, CpuView view) {
        if (pinnedShortcut && request.allowedCount == 1) {
            view.report(PlacementStep.PINNED, request.prevCpu, true);
            return request.prevCpu;
        }
        boolean wantAffine = request.kind == WakeKind.WAKE && request.allowed.contains(request.thisCpu);
        SchedDomain affineDomain = null;
        SchedDomain slowDomain = null;
        for (SchedDomain d = domains.lowest(request.thisCpu); d != null; d = d.parent()) {
            if (!d.has(DomainFlags.LOAD_BALANCE)) {
                continue;
            }
            if (wantAffine && d.has(DomainFlags.WAKE_AFFINE) && d.span().contains(request.prevCpu)) {
                affineDomain = d;
                wantAffine = false;
                if (stopsAtAffine) {
                    break;
                }
            }
            if (d.has(request.kind.domainFlag())) {
                slowDomain = d;
            }
        }
        return decide(request, affineDomain, slowDomain, view);
    }

    private int decide(
            WakeRequest request, @Nullable SchedDomain affineDomain, @Nullable SchedDomain slowDomain, CpuView view) {
        if (request.kind == WakeKind.WAKE) {
            view.report(PlacementStep.AFFINE_DOMAIN, request.prevCpu, affineDomain != null);
        }
        if (affineDomain != null) {
            boolean here = request.thisCpu == request.prevCpu;
            int target = here ? request.thisCpu : affine.target(affineDomain, request, view);
            return search.search(request, target, view);
        }
        if (slowDomain != null) {
            return slowPath.search(slowDomain, request, view);
        }
        return request.kind == WakeKind.WAKE ? request.prevCpu : request.thisCpu;
    }
}
