package dev.perch.kernel.placement;

import dev.perch.kernel.domain.SchedDomain;

/**
 * Whether to pull the wakee to the waker's CPU, by comparing the CPUs' loads, with a clause for light pairs beside heavy wakers.
 *
 * <p>{@code wake_affine} of 3.1 – 3.13. Source: placement.md 8.1, 8.2. The load index for wakeups is 0, so that the present loads are
 * compared: sums of weights to 3.10, runnable averages after; what the tasks themselves add and take are weights always.
 */
final class WeightAffine implements WakeAffine {
    private final LoadTerm term;
    private final WakeWide wide;

    /** @param wide asked before anything else; never wide to 3.11 */
    WeightAffine(LoadTerm term, WakeWide wide) {
        this.term = term;
        this.wide = wide;
    }

    @Override
    public int target(SchedDomain domain, WakeRequest request, CpuView view) {
        if (wide.wide(request, view)) {
            return WakeAffine.answer(false, request, view);
        }
        int thisCpu = request.thisCpu;
        int prevCpu = request.prevCpu;
        long prevLoad = term.of(view, prevCpu);
        long own = term.of(view, thisCpu);
        long thisLoad = own;
        if (request.sync) {
            int leaves = -request.wakerWeight;
            thisLoad += view.effectiveLoad(request.wakerGroup, thisCpu, leaves, leaves);
            prevLoad += view.effectiveLoad(request.wakerGroup, prevCpu, 0, leaves);
        }
        boolean balanced = thisLoad <= 0 || withinBias(domain, request, view, thisLoad, prevLoad);
        boolean pulled = balanced || lightPair(view.nrRunning[thisCpu], own, thisLoad, prevLoad);
        return WakeAffine.answer(pulled, request, view);
    }

    /** This CPU with the wakee against prev without it. */
    private static boolean withinBias(
            SchedDomain domain, WakeRequest request, CpuView view, long thisLoad, long prevLoad) {
        int thisCpu = request.thisCpu;
        int prevCpu = request.prevCpu;
        int weight = request.wakeeWeight;
        long here = 100L
                * view.capacity[prevCpu]
                * (thisLoad + view.effectiveLoad(request.wakeeGroup, thisCpu, weight, weight));
        long there = WakeAffine.bias(domain)
                * view.capacity[thisCpu]
                * (prevLoad + view.effectiveLoad(request.wakeeGroup, prevCpu, 0, weight));
        view.compare(PlacementStep.WAKE_AFFINE, here, there);
        return here <= there;
    }

    /** Both CPUs together carry no more than this CPU's tasks do on average, the waker counted. */
    private static boolean lightPair(int running, long own, long thisLoad, long prevLoad) {
        long average = running == 0 ? 0 : own / running;
        return thisLoad <= prevLoad && thisLoad + prevLoad <= average;
    }
}
