package dev.perch.kernel.placement;

import dev.perch.kernel.domain.SchedDomain;
import dev.perch.model.CpuMask;
import dev.perch.model.Topology;

/**
 * The lowest idle allowed thread of one core.
 *
 * <p>{@code select_idle_smt} of 4.9 – 5.11, of the target's core, and again from 5.13, of prev's. Source: placement.md 5.4, 6.2, 7.3.
 */
final class ThreadScan {
    private final Topology topology;
    private final boolean inSpan;
    private final boolean exceptItself;
    private final boolean schedIdleCounts;
    private final boolean schedIdleRemembered;

    ThreadScan(Topology topology, SearchRules rules) {
        this.topology = topology;
        inSpan = rules.siblingsInSpan;
        exceptItself = rules.siblings == SearchRules.Siblings.OF_PREV_WITHOUT_IT;
        schedIdleCounts = rules.schedIdle == SearchRules.SchedIdle.IDLE;
        schedIdleRemembered = rules.schedIdle == SearchRules.SchedIdle.REMEMBERED;
    }

    /** An idle thread of the core of {@code cpu}, or −1. */
    int scan(int cpu, SchedDomain cache, WakeRequest request, CpuView view) {
        if (!topology.hasSmt()) {
            return -1;
        }
        CpuMask core = topology.smt(cpu);
        int remembered = -1;
        int thread = core.nextAnd(request.allowed, 0);
        while (thread >= 0) {
            if ((!inSpan || cache.span().contains(thread)) && (!exceptItself || thread != cpu)) {
                if (schedIdleCounts ? view.idleOrSchedIdle(thread) : view.idle(thread)) {
                    break;
                }
                if (schedIdleRemembered && remembered < 0 && view.schedIdle(thread)) {
                    remembered = thread;
                }
            }
            thread = core.nextAnd(request.allowed, thread + 1);
        }
        int found = thread >= 0 ? thread : remembered;
        view.report(PlacementStep.THREAD_SCAN, found, found >= 0);
        return found;
    }
}
