package dev.perch.kernel.placement;

import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.model.CpuMask;

/**
 * The walk up the waker's domains that ends with an affine decision, or with a domain for the slow path, or with neither: then a wakeup is
 * searched for around prev.
 *
 * <p>{@code select_task_rq_fair} of 4.3 and later with the part of {@code select_task_rq} around it. Source: placement.md 0.5, 4.5, 5.6,
 * 7.4. Limitation: no task has migration disabled (5.11+).
 */
final class AffineOrSlowWalk implements Caller {
    /** The forms, oldest first; each has what the earlier ones brought. */
    enum Form {
        /** 4.3 – 4.8. */
        WIDE_IN_CALLER,
        /** 4.9 – 5.6: a task too big for either CPU is not pulled; a pinned task gets its CPU; the waker's CPU is noted as recent. */
        WAKE_CAP,
        /** 5.7: nobody asks whether the task is too big. */
        NO_WAKE_CAP,
        /** 5.8 – 5.14: every domain takes part in balancing, and none needs a flag for it. */
        NO_BALANCE_FLAG,
        /** 5.15 – 6.5: the waker's CPU is not noted. */
        NO_WAKER_RECENT,
        /** 6.6 and later: a wakeup may ask for the waker's CPU. */
        CURRENT_CPU;

        boolean has(Form since) {
            return compareTo(since) >= 0;
        }
    }

    private final SchedDomains domains;
    private final IdleSearch search;
    private final WakeAffine affine;
    private final WakeWide wide;
    private final SlowPath slowPath;
    private final Form form;

    AffineOrSlowWalk(
            SchedDomains domains, IdleSearch search, WakeAffine affine, WakeWide wide, SlowPath slowPath, Form form) {
        this.domains = domains;
        this.search = search;
        this.affine = affine;
        this.wide = wide;
        this.slowPath = slowPath;
        this.form = form;
    }

    @Override
    public int select(WakeRequest request, CpuView view) {
        if (request.allowedCount == 1) {
            int cpu = form.has(Form.WAKE_CAP) ? request.allowed.first() : request.prevCpu;
            view.report(PlacementStep.PINNED, cpu, true);
            return cpu;
        }
        boolean wakes = request.kind == WakeKind.WAKE;
        int thisCpu = request.thisCpu;
        if (form.has(Form.CURRENT_CPU) && wakes && request.currentCpu && request.allowed.contains(thisCpu)) {
            view.report(PlacementStep.CURRENT_CPU, thisCpu, true);
            return thisCpu;
        }
        boolean wantAffine = wakes && wantAffine(request, view);
        SchedDomain slowDomain = null;
        for (SchedDomain d = domains.lowest(thisCpu); d != null && !endsWalk(d); d = d.parent()) {
            if (wantAffine && d.has(DomainFlags.WAKE_AFFINE) && d.span().contains(request.prevCpu)) {
                view.report(PlacementStep.AFFINE_DOMAIN, request.prevCpu, true);
                boolean here = thisCpu == request.prevCpu;
                return search(request, here ? thisCpu : affine.target(d, request, view), true, view);
            }
            if (d.has(request.kind.domainFlag())) {
                slowDomain = d;
            } else if (!wantAffine) {
                break;
            }
        }
        if (wakes) {
            view.report(PlacementStep.AFFINE_DOMAIN, request.prevCpu, false);
        }
        if (slowDomain != null) {
            return slowPath.search(slowDomain, request, view);
        }
        return wakes ? search(request, request.prevCpu, wantAffine, view) : request.prevCpu;
    }

    private boolean endsWalk(SchedDomain domain) {
        return !form.has(Form.NO_BALANCE_FLAG) && !domain.has(DomainFlags.LOAD_BALANCE);
    }

    private boolean wantAffine(WakeRequest request, CpuView view) {
        boolean wanted = !wide.wide(request, view)
                && !(form == Form.WAKE_CAP && wakeCap(request, view))
                && request.allowed.contains(request.thisCpu);
        view.report(PlacementStep.WANT_AFFINE, request.thisCpu, wanted);
        return wanted;
    }

    private int search(WakeRequest request, int target, boolean wantedAffine, CpuView view) {
        int cpu = search.search(request, target, view);
        if (wantedAffine && form.has(Form.WAKE_CAP) && !form.has(Form.NO_WAKER_RECENT)) {
            request.wakerRecentCpu = request.thisCpu;
        }
        return cpu;
    }

    /**
     * Whether this CPU or prev is much smaller than the partition's largest, and the task does not fit the smaller of the two
     * ({@code wake_cap}).
     */
    private boolean wakeCap(WakeRequest request, CpuView view) {
        int smaller = Math.min(view.originalCapacity[request.prevCpu], view.originalCapacity[request.thisCpu]);
        if (smaller >= 1024) {
            return false;
        }
        int largest = largestCapacity(domains.partitionOf(request.thisCpu), view);
        boolean restricted = largest - smaller >= largest / 8 && smaller * 1024L < request.wakeeUtil * 1280L;
        view.compare(PlacementStep.WAKE_CAP, smaller * 1024L, request.wakeeUtil * 1280L);
        view.report(PlacementStep.WAKE_CAP, request.prevCpu, restricted);
        return restricted;
    }

    private static int largestCapacity(CpuMask partition, CpuView view) {
        int largest = 0;
        for (int cpu = partition.first(); cpu >= 0; cpu = partition.next(cpu + 1)) {
            largest = Math.max(largest, view.originalCapacity[cpu]);
        }
        return largest;
    }
}
