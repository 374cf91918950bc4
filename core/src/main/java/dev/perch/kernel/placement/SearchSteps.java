package dev.perch.kernel.placement;

import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.model.CpuMask;

/** The steps that the idle searches are made of. Each returns the CPU found, or −1. Source: placement.md 1.2, 2. */
final class SearchSteps {
    private SearchSteps() {}

    /** Whether the target is idle, asked as the waker's CPU and again as prev, as the kernels to 3.8 do it. */
    static boolean targetIdle(WakeRequest request, int target, CpuView view) {
        boolean idle = target == request.thisCpu && view.idle(target) || target == request.prevCpu && view.idle(target);
        view.report(PlacementStep.TARGET_IDLE, target, idle);
        return idle;
    }

    /** Whether prev, being another CPU than the target, shares its cache and is idle. */
    static boolean prevIdle(SchedDomains domains, WakeRequest request, int target, CpuView view) {
        int prev = request.prevCpu;
        boolean idle = prev != target && domains.shareCache(prev, target) && view.idle(prev);
        view.report(PlacementStep.PREV_IDLE, prev, idle);
        return idle;
    }

    /** The lowest idle allowed CPU of the domain. */
    static int firstIdle(SchedDomain domain, WakeRequest request, CpuView view) {
        CpuMask span = domain.span();
        CpuMask allowed = request.allowed;
        int cpu = span.nextAnd(allowed, 0);
        while (cpu >= 0 && !view.idle(cpu)) {
            cpu = span.nextAnd(allowed, cpu + 1);
        }
        view.report(PlacementStep.LEVEL_SCAN, cpu, cpu >= 0);
        return cpu;
    }

    /** The highest idle allowed CPU of the domain, found by looking at all of them in ascending order. */
    static int lastIdle(SchedDomain domain, WakeRequest request, CpuView view) {
        CpuMask span = domain.span();
        CpuMask allowed = request.allowed;
        int last = -1;
        for (int cpu = span.nextAnd(allowed, 0); cpu >= 0; cpu = span.nextAnd(allowed, cpu + 1)) {
            if (view.idle(cpu)) {
                last = cpu;
            }
        }
        view.report(PlacementStep.LEVEL_SCAN, last, last >= 0);
        return last;
    }

    /**
     * The lowest allowed CPU of the first wholly idle group of the domain in ring order. A group counts by all its CPUs, allowed or not;
     * one without any allowed CPU is skipped.
     */
    static int idleGroup(SchedDomain domain, WakeRequest request, CpuView view) {
        return idleGroup(domain, request, view, 0);
    }

    /** As {@link #idleGroup}, beginning with the group at ring position {@code from}: 1 leaves out the group of the domain's own CPU. */
    static int idleGroup(SchedDomain domain, WakeRequest request, CpuView view, int from) {
        int found = -1;
        for (int position = from; position < domain.groupCount() && found < 0; position++) {
            CpuMask group = domain.group(position);
            if (view.intersect(group, request.allowed) && whollyIdle(group, view)) {
                found = group.nextAnd(request.allowed, 0);
            }
        }
        view.report(PlacementStep.GROUP_SCAN, found, found >= 0);
        return found;
    }

    private static boolean whollyIdle(CpuMask group, CpuView view) {
        for (int cpu = group.first(); cpu >= 0; cpu = group.next(cpu + 1)) {
            if (!view.idle(cpu)) {
                return false;
            }
        }
        return true;
    }

    /** Nothing was found: the target. */
    static int target(int target, CpuView view) {
        view.report(PlacementStep.NOTHING_FOUND, target, true);
        return target;
    }
}
