package dev.perch.kernel.placement;

import dev.perch.kernel.domain.SchedDomain;

/** An era's decision between the waker's CPU and prev, around which the idle search then runs ({@code wake_affine}). */
interface WakeAffine {
    /**
     * The waker's CPU to pull the wakee, or prev.
     *
     * @param domain the smallest wake-affine one that holds this and prev, which differ
     */
    int target(SchedDomain domain, WakeRequest request, CpuView view);

    /** By how much, in per cent, this CPU may be the busier one: 100 and half of the domain's imbalance percentage above that. */
    static long bias(SchedDomain domain) {
        return 100L + (domain.parameters().imbalancePercent() - 100) / 2;
    }

    /** Ends a decision: this CPU if {@code pulled}, else prev. */
    static int answer(boolean pulled, WakeRequest request, CpuView view) {
        view.report(PlacementStep.WAKE_AFFINE, request.thisCpu, pulled);
        return pulled ? request.thisCpu : request.prevCpu;
    }
}
