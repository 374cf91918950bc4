package dev.perch.kernel.placement;

import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.model.CpuMask;
import dev.perch.model.Topology;

/**
 * Pulls always inside a cache; beyond it compares the runnable averages of whole NUMA nodes.
 *
 * <p>{@code wake_affine} with {@code numa_wake_affine} of 4.13. Source: placement.md 8.4. Where a node has several caches, both sums may
 * be of the same node.
 */
final class NodeAffine implements WakeAffine {
    private final SchedDomains domains;
    private final Topology topology;

    NodeAffine(SchedDomains domains, Topology topology) {
        this.domains = domains;
        this.topology = topology;
    }

    @Override
    public int target(SchedDomain domain, WakeRequest request, CpuView view) {
        boolean pulled =
                domains.shareCache(request.prevCpu, request.thisCpu) || nodeIsIdler(domain, request, view);
        return WakeAffine.answer(pulled, request, view);
    }

    private boolean nodeIsIdler(SchedDomain domain, WakeRequest request, CpuView view) {
        CpuMask prevNode = topology.nodes().get(topology.nodeOf(request.prevCpu));
        CpuMask thisNode = topology.nodes().get(topology.nodeOf(request.thisCpu));
        long prevLoad = load(prevNode, view);
        long thisLoad = load(thisNode, view);
        if (request.sync) {
            thisLoad = Math.max(0, thisLoad - request.wakerLoad);
        }
        if (thisLoad == 0) {
            return true;
        }
        long here = 100L * capacity(prevNode, view) * (thisLoad + request.wakeeLoad);
        long there = WakeAffine.bias(domain) * capacity(thisNode, view) * (prevLoad - request.wakeeLoad);
        view.compare(PlacementStep.WAKE_AFFINE, here, there);
        return here <= there;
    }

    private static long load(CpuMask node, CpuView view) {
        long sum = 0;
        for (int cpu = node.first(); cpu >= 0; cpu = node.next(cpu + 1)) {
            sum += view.runnableLoad(cpu);
        }
        return sum;
    }

    private static long capacity(CpuMask node, CpuView view) {
        long sum = 0;
        for (int cpu = node.first(); cpu >= 0; cpu = node.next(cpu + 1)) {
            sum += view.capacity[cpu];
        }
        return sum;
    }
}
