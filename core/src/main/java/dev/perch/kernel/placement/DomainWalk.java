package dev.perch.kernel.placement;

import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import org.jspecify.annotations.Nullable;

/**
 * The walk up the waker's domains that decides who is asked: wake_affine and the idle search, the slow path, or nobody.
 *
 * <p>{@code select_task_rq_fair} of 2.6.39 – 4.2. Source: placement.md 1.1, 3.1, 4.5. Limitation: the power-saving branch (until 3.4, off
 * by default) is left out.
 */
final class DomainWalk implements Caller {
    /** The forms, oldest first; each has what the earlier ones brought. */
    enum Form {
        /** 2.6.39 – 3.2: a wakeup without a common wake-affine domain returns prev without any search. */
        FIRST,
        /** 3.3 – 3.6: a task with one allowed CPU gets prev at once. */
        PINNED_SHORTCUT,
        /** 3.7 – 3.13: the walk ends at the affine domain instead of the top. */
        STOPS_AT_AFFINE,
        /** 3.14 – 4.2: every wakeup is searched for. */
        ALWAYS_SEARCHES;

        boolean has(Form since) {
            return compareTo(since) >= 0;
        }
    }

    private final SchedDomains domains;
    private final IdleSearch search;
    private final WakeAffine affine;
    private final SlowPath slowPath;
    private final Form form;

    DomainWalk(SchedDomains domains, IdleSearch search, WakeAffine affine, SlowPath slowPath, Form form) {
        this.domains = domains;
        this.search = search;
        this.affine = affine;
        this.slowPath = slowPath;
        this.form = form;
    }

    @Override
    public int select(WakeRequest request, CpuView view) {
        if (form.has(Form.PINNED_SHORTCUT) && request.allowedCount == 1) {
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
                if (form.has(Form.STOPS_AT_AFFINE)) {
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
        boolean wakes = request.kind == WakeKind.WAKE;
        if (wakes) {
            view.report(PlacementStep.AFFINE_DOMAIN, request.prevCpu, affineDomain != null);
        }
        if (affineDomain != null) {
            boolean here = request.thisCpu == request.prevCpu;
            int target = here ? request.thisCpu : affine.target(affineDomain, request, view);
            return search.search(request, target, view);
        }
        if (wakes && form.has(Form.ALWAYS_SEARCHES)) {
            return search.search(request, request.prevCpu, view);
        }
        if (slowDomain != null) {
            return slowPath.search(slowDomain, request, view);
        }
        return wakes ? request.prevCpu : request.thisCpu;
    }
}
