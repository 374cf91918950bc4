package dev.perch.kernel.placement;

import dev.perch.model.CpuMask;
import dev.perch.model.Topology;

/**
 * The placement rules of one kernel: the class's choice of a CPU, and the check and repair around it.
 *
 * <p>{@code select_task_rq} and {@code select_fallback_rq}. Source: placement.md 0.5. Made by {@link Placement#rules}; a decision
 * allocates nothing. Limitations: every CPU is online; affinities always hold a CPU of the machine, so they are never widened.
 */
public final class PlacementRules {
    private final Topology topology;
    private final Caller caller;
    private final IdleSearch search;

    PlacementRules(Topology topology, Caller caller, IdleSearch search) {
        this.topology = topology;
        this.caller = caller;
        this.search = search;
    }

    /**
     * The CPU that the task is put on. Restarts the counts of {@code view}.
     *
     * @return an allowed CPU of the machine
     * @throws IllegalArgumentException if no CPU of the machine is allowed
     */
    public int select(WakeRequest request, CpuView view) {
        view.begin();
        return checked(request, view, caller.select(request, view));
    }

    /**
     * What becomes of a choice of any class of tasks: itself if it is allowed, else the first allowed CPU of the previous one's node, else the first
     * allowed one. {@code request} needs its affinity and previous CPU only.
     */
    public int checked(WakeRequest request, CpuView view, int chosen) {
        boolean valid = request.allowed.contains(chosen);
        view.report(PlacementStep.VALIDITY, chosen, valid);
        return valid ? chosen : fallback(request, view);
    }

    /**
     * The idle search alone, around a target that has been decided. Restarts the counts of {@code view}.
     *
     * @param target the waker's CPU or prev
     * @return the CPU found, or {@code target}; not checked against the affinity where the kernel does not
     */
    public int selectIdleSibling(WakeRequest request, int target, CpuView view) {
        view.begin();
        return search.search(request, target, view);
    }

    private int fallback(WakeRequest request, CpuView view) {
        CpuMask node = topology.nodes().get(topology.nodeOf(request.prevCpu));
        int cpu = node.nextAnd(request.allowed, 0);
        cpu = cpu >= 0 ? cpu : request.allowed.first();
        if (cpu < 0 || cpu >= topology.cpuCount()) {
            throw new IllegalArgumentException("no CPU of the machine is allowed: '" + request.allowed + "'");
        }
        view.report(PlacementStep.FALLBACK, cpu, true);
        return cpu;
    }
}
