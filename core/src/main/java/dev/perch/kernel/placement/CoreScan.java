package dev.perch.kernel.placement;

import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.model.CpuScratch;
import dev.perch.model.Topology;

/**
 * The first wholly idle core of the last-level cache, upward from the target; done only while the cache is believed to have one.
 *
 * <p>{@code select_idle_core} of 4.9 – 5.11. Source: placement.md 5.2, 5.9. A core counts by all its threads, the forbidden ones too; the
 * answer is the thread by which the core was reached. A search in vain clears {@link CpuView#hasIdleCores}. A CPU with SCHED_IDLE work
 * is busy here.
 */
final class CoreScan {
    private final SchedDomains domains;
    private final Topology topology;
    private final boolean everyThread;
    private final CpuScratch left;

    /** @param everyThread all threads of a core are looked at and taken out of the mask one by one, 4.9 – 5.6 */
    CoreScan(SchedDomains domains, Topology topology, boolean everyThread) {
        this.domains = domains;
        this.topology = topology;
        this.everyThread = everyThread;
        left = new CpuScratch(topology.cpuCount());
    }

    /** The CPU found, or −1. */
    int scan(SchedDomain cache, WakeRequest request, int target, CpuView view) {
        int id = domains.llcId(target);
        if (!topology.hasSmt()) {
            return -1;
        }
        view.report(PlacementStep.HAS_IDLE_CORES, id, view.hasIdleCores[id]);
        if (!view.hasIdleCores[id]) {
            return -1;
        }
        left.setAnd(cache.span(), request.allowed);
        view.maskOperations++;
        int cpu = left.firstWrapped(cache.span(), target);
        while (cpu >= 0 && !idleCore(cpu, view)) {
            cpu = left.nextWrapped(cache.span(), target, cpu);
        }
        view.report(PlacementStep.CORE_SCAN, cpu, cpu >= 0);
        if (cpu < 0) {
            view.hasIdleCores[id] = false;
            view.report(PlacementStep.IDLE_CORES_CLEARED, id, true);
        }
        return cpu;
    }

    /** Whether the core of {@code cpu} is wholly idle; takes it out of the walk. */
    private boolean idleCore(int cpu, CpuView view) {
        var core = topology.smt(cpu);
        boolean idle = true;
        for (int thread = core.first(); thread >= 0 && (idle || everyThread); thread = core.next(thread + 1)) {
            idle &= view.idle(thread);
        }
        left.removeAll(core);
        view.maskOperations += everyThread ? core.count() : 1;
        view.report(PlacementStep.IDLE_CORE, cpu, idle);
        return idle;
    }
}
