package dev.perch.kernel.placement;

import dev.perch.kernel.domain.SchedDomain;

/**
 * Whether to pull the wakee to the waker's CPU, by comparing sums of load weights.
 *
 * <p>{@code wake_affine} of 3.1 – 3.11. Source: placement.md 8.1, whose load index for wakeups is 0, so that the instantaneous weights
 * are compared. Limitation: all tasks are in the root group.
 */
final class WeightAffine implements WakeAffine {
    @Override
    public int target(SchedDomain domain, WakeRequest request, CpuView view) {
        int thisCpu = request.thisCpu;
        int prevCpu = request.prevCpu;
        long prevLoad = view.load(prevCpu);
        long weights = view.load(thisCpu);
        long thisLoad = request.sync ? weights - request.wakerWeight : weights;
        boolean balanced = thisLoad <= 0 || withinBias(domain, request, view, thisLoad, prevLoad);
        boolean pulled = balanced || lightPair(view.nrRunning[thisCpu], weights, thisLoad, prevLoad);
        view.report(PlacementStep.WAKE_AFFINE, thisCpu, pulled);
        return pulled ? thisCpu : prevCpu;
    }

    /** This CPU with the wakee against prev without it, by half of the domain's imbalance percentage. */
    private static boolean withinBias(
            SchedDomain domain, WakeRequest request, CpuView view, long thisLoad, long prevLoad) {
        long bias = 100L + (domain.parameters().imbalancePercent() - 100) / 2;
        long here = 100L * view.capacity[request.prevCpu] * (thisLoad + request.wakeeWeight);
        long there = bias * view.capacity[request.thisCpu] * prevLoad;
        return here <= there;
    }

    /** Both CPUs together carry no more than this CPU's tasks weigh on average. */
    private static boolean lightPair(int running, long weights, long thisLoad, long prevLoad) {
        long average = running == 0 ? 0 : weights / running;
        return thisLoad <= prevLoad && thisLoad + prevLoad <= average;
    }
}
