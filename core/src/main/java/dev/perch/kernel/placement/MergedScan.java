package dev.perch.kernel.placement;

import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.model.CpuMask;
import dev.perch.model.CpuScratch;
import dev.perch.model.Topology;
import org.jspecify.annotations.Nullable;

/**
 * One walk over the last-level cache: for a whole idle core while the cache is believed to have one, keeping the first idle thread seen
 * on the way; otherwise for an idle CPU within the budget. Before it, from 5.13, prev's siblings; from 6.7 the target's cluster is
 * walked first.
 *
 * <p>{@code select_idle_cpu} of 5.12 – 6.19 and what {@code select_idle_sibling} puts before it. Source: placement.md 6, 7. Sets
 * {@link CpuView#timedScanProbes} with SIS_PROP, unless a core was looked for or the budget ended the scan.
 */
final class MergedScan implements CacheScan {
    private static final int NOT_FOUND = -1;

    /** The walk ended because the budget did. */
    private static final int SPENT = -2;

    private final SchedDomains domains;
    private final Topology topology;
    private final ScanBudget budget;
    private final @Nullable ThreadScan prevSiblings;
    private final boolean withoutTarget;
    private final int startAfter;
    private final boolean clearsWakersFlag;
    private final boolean needsWakersCache;
    private final boolean candidatesLeft;
    private final boolean clusters;
    private final CpuScratch left;
    private int budgetLeft;
    private int candidate;

    /** @param clusters there are clusters, and the era knows them */
    MergedScan(
            SchedDomains domains,
            Topology topology,
            ScanBudget budget,
            @Nullable ThreadScan prevSiblings,
            SearchRules rules,
            boolean clusters) {
        this.domains = domains;
        this.topology = topology;
        this.budget = budget;
        this.prevSiblings = prevSiblings;
        this.clusters = clusters;
        withoutTarget = rules.walk == SearchRules.Walk.ALLOWED_WITHOUT_TARGET;
        startAfter = rules.afterTarget ? 1 : 0;
        clearsWakersFlag = rules.clearsWakersFlag;
        needsWakersCache = rules.needsWakersCache;
        candidatesLeft = rules.candidatesLeft;
        left = new CpuScratch(topology.cpuCount());
    }

    @Override
    public int scan(SchedDomain cache, WakeRequest request, int target, CpuView view) {
        boolean coreWanted = false;
        if (topology.hasSmt()) {
            int id = domains.llcId(target);
            coreWanted = view.hasIdleCores[id];
            view.report(PlacementStep.HAS_IDLE_CORES, id, coreWanted);
            if (prevSiblings != null && !coreWanted && domains.shareCache(request.prevCpu, target)) {
                int thread = prevSiblings.scan(request.prevCpu, cache, request, view);
                if (thread >= 0) {
                    return thread;
                }
            }
        }
        int found = coreWanted ? scanCores(cache, request, target, view) : scanCpus(cache, request, target, view);
        return Math.max(found, NOT_FOUND);
    }

    private int scanCores(SchedDomain cache, WakeRequest request, int target, CpuView view) {
        if (!begin(cache, request, target, true, view)) {
            return NOT_FOUND;
        }
        int core = NOT_FOUND;
        if (clusters && clusterFirst(cache)) {
            core = walkCores(cache.group(0), request, target, view);
            view.report(PlacementStep.CLUSTER_SCAN, core, core >= 0);
            if (core < 0) {
                leaveCluster(cache, view);
            }
        }
        if (core < 0) {
            core = walkCores(cache.span(), request, target, view);
            view.report(PlacementStep.CORE_SCAN, core, core >= 0);
        }
        if (core < 0) {
            int id = domains.llcId(clearsWakersFlag ? request.thisCpu : target);
            view.hasIdleCores[id] = false;
            view.report(PlacementStep.IDLE_CORES_CLEARED, id, true);
            view.report(PlacementStep.CPU_SCAN, candidate, candidate >= 0);
            return candidate;
        }
        return core;
    }

    private int scanCpus(SchedDomain cache, WakeRequest request, int target, CpuView view) {
        if (!begin(cache, request, target, false, view)) {
            return NOT_FOUND;
        }
        int before = view.probeCount;
        if (clusters && clusterFirst(cache)) {
            int cpu = walkCpus(cache.group(0), target, view);
            view.report(PlacementStep.CLUSTER_SCAN, cpu, cpu >= 0);
            if (cpu != NOT_FOUND) {
                return cpu;
            }
            leaveCluster(cache, view);
        }
        int cpu = walkCpus(cache.span(), target, view);
        view.report(PlacementStep.CPU_SCAN, cpu, cpu >= 0);
        if (cpu != SPENT && budget.proportional()) {
            view.timed(before);
        }
        return cpu;
    }

    /** Sets mask and budget; false if the scan may not be done. */
    private boolean begin(SchedDomain cache, WakeRequest request, int target, boolean coreWanted, CpuView view) {
        boolean averagesNeeded = needsWakersCache || budget.proportional() && !coreWanted;
        if (averagesNeeded && domains.llc(request.thisCpu) == null) {
            return false;
        }
        left.setAnd(cache.span(), request.allowed);
        view.maskOperations++;
        if (withoutTarget) {
            left.remove(target);
            view.maskOperations++;
        }
        candidate = NOT_FOUND;
        budgetLeft = budget.cpus(cache, request.thisCpu, target, coreWanted, view);
        if (budgetLeft == ScanBudget.NO_SCAN) {
            view.scan = ScanResult.BUDGET_SPENT;
            return false;
        }
        return true;
    }

    /** Whether the groups of the LLC domain are clusters. */
    private static boolean clusterFirst(SchedDomain cache) {
        return (cache.firstGroupFlags() & DomainFlags.CLUSTER) != 0;
    }

    private void leaveCluster(SchedDomain cache, CpuView view) {
        left.removeAll(cache.group(0));
        view.maskOperations++;
    }

    private int walkCores(CpuMask within, WakeRequest request, int target, CpuView view) {
        int start = target + startAfter;
        int cpu = left.firstWrapped(within, start);
        while (cpu >= 0 && !idleCore(cpu, request, view)) {
            cpu = left.nextWrapped(within, start, cpu);
        }
        return cpu;
    }

    private int walkCpus(CpuMask within, int target, CpuView view) {
        int start = target + startAfter;
        for (int cpu = left.firstWrapped(within, start); cpu >= 0; cpu = left.nextWrapped(within, start, cpu)) {
            if (--budgetLeft <= 0) {
                view.budgetSpent(cpu);
                return SPENT;
            }
            if (view.idleOrSchedIdle(cpu)) {
                return cpu;
            }
        }
        return NOT_FOUND;
    }

    /**
     * Whether the core of {@code cpu} is wholly idle; if not, takes it out of the walk. Keeps the first thread it sees that would do by
     * itself, and stops at a busy thread only when there is one.
     */
    private boolean idleCore(int cpu, WakeRequest request, CpuView view) {
        CpuMask core = topology.smt(cpu);
        boolean idle = true;
        for (int thread = core.first(); thread >= 0; thread = core.next(thread + 1)) {
            boolean threadIdle = view.idle(thread);
            idle &= threadIdle;
            if (candidate < 0 && (threadIdle || view.schedIdle(thread)) && mayBeCandidate(thread, request)) {
                candidate = thread;
            }
            if (!threadIdle && candidate >= 0) {
                break;
            }
        }
        view.report(PlacementStep.IDLE_CORE, cpu, idle);
        if (!idle) {
            left.removeAll(core);
            view.maskOperations++;
        }
        return idle;
    }

    private boolean mayBeCandidate(int thread, WakeRequest request) {
        return candidatesLeft ? left.contains(thread) : request.allowed.contains(thread);
    }
}
