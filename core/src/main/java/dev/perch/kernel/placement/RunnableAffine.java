package dev.perch.kernel.placement;

import dev.perch.kernel.domain.SchedDomain;

/**
 * Whether to pull the wakee to the waker's CPU, by comparing the CPUs' runnable averages; an unloaded this CPU leaves only the capacities
 * to compare.
 *
 * <p>{@code wake_affine} of 4.0 – 4.12. Source: placement.md 8.2, 8.3.
 */
final class RunnableAffine implements WakeAffine {
    private final boolean taskLoads;
    private final WakeWide wide;

    /**
     * @param taskLoads tasks count by their PELT load (from 4.3), not by their weight
     * @param wide asked before anything else to 4.2; from 4.3 on the caller asks, and this is never wide
     */
    RunnableAffine(boolean taskLoads, WakeWide wide) {
        this.taskLoads = taskLoads;
        this.wide = wide;
    }

    @Override
    public int target(SchedDomain domain, WakeRequest request, CpuView view) {
        if (wide.wide(request, view)) {
            return WakeAffine.answer(false, request, view);
        }
        int thisCpu = request.thisCpu;
        int prevCpu = request.prevCpu;
        long prevLoad = view.runnableLoad(prevCpu);
        long thisLoad = view.runnableLoad(thisCpu);
        if (request.sync) {
            long leaves = -(taskLoads ? request.wakerLoad : request.wakerWeight);
            thisLoad += view.effectiveLoad(request.wakerGroup, thisCpu, leaves, leaves);
            prevLoad += view.effectiveLoad(request.wakerGroup, prevCpu, 0, leaves);
        }
        long here = 100L * view.capacity[prevCpu];
        long there = WakeAffine.bias(domain) * view.capacity[thisCpu];
        if (thisLoad > 0) {
            long comes = taskLoads ? request.wakeeLoad : request.wakeeWeight;
            here *= thisLoad + view.effectiveLoad(request.wakeeGroup, thisCpu, comes, comes);
            there *= prevLoad + view.effectiveLoad(request.wakeeGroup, prevCpu, 0, comes);
        }
        view.compare(PlacementStep.WAKE_AFFINE, here, there);
        return WakeAffine.answer(here <= there, request, view);
    }
}
