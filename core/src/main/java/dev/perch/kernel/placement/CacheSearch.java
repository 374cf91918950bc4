package dev.perch.kernel.placement;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.model.Topology;
import org.jspecify.annotations.Nullable;

/**
 * The idle search of 4.9 and all later kernels: single guesses first (the target, prev, a kernel thread's CPU, the recent CPU), then
 * scans of the target's last-level cache, then the target.
 *
 * <p>{@code select_idle_sibling}. Source: placement.md 5.1, whose steps S0 – S9 {@link #search} names; 7.5 for clusters. {@link
 * SearchRules} says what an era's steps are. Prev is not checked against the affinity; the caller repairs that. Limitation: core
 * scheduling is off, so that every task's cookie matches.
 */
final class CacheSearch implements IdleSearch {
    private final SchedDomains domains;
    private final CacheScan scans;
    private final RecentCpu recent;
    private final Capacities capacities;
    private final boolean schedIdleCounts;
    private final SearchRules.Kthread kthread;

    /** There are clusters, and the era knows them. */
    private final boolean clusters;

    /** An idle prev or recent CPU outside the target's cluster, taken only when the scans find nothing; −1. */
    private int prevElsewhere;

    private CacheSearch(
            SchedDomains domains,
            boolean clusters,
            CacheScan scans,
            RecentCpu recent,
            Capacities capacities,
            SearchRules rules) {
        this.domains = domains;
        this.clusters = clusters;
        this.scans = scans;
        this.recent = recent;
        this.capacities = capacities;
        schedIdleCounts = rules.schedIdle != SearchRules.SchedIdle.BUSY;
        kthread = rules.kthread;
    }

    /** The search of a row of the table, put together for a machine. */
    static CacheSearch of(SearchRules rules, Kernel kernel, Topology topology, SchedDomains domains) {
        boolean clusters = rules.clusters && domains.clustersActive();
        Capacities capacities = new Capacities(domains, rules);
        ScanBudget budget = new ScanBudget(kernel, domains, rules);
        ThreadScan threads = new ThreadScan(topology, rules);
        CacheScan scans = rules.merged
                ? new MergedScan(domains, topology, budget, prevSiblings(rules, threads), rules, clusters)
                : new SeparateScans(
                        new CoreScan(domains, topology, rules.everyThread),
                        new CpuScan(domains, budget, rules),
                        threads);
        return new CacheSearch(domains, clusters, scans, new RecentCpu(domains, rules), capacities, rules);
    }

    private static @Nullable ThreadScan prevSiblings(SearchRules rules, ThreadScan threads) {
        return rules.siblings == SearchRules.Siblings.NONE ? null : threads;
    }

    @Override
    public int search(WakeRequest request, int target, CpuView view) {
        if (capacities.scanOnly(target)) { // S0
            int cpu = capacities.scan(request, target, view);
            return cpu >= 0 ? cpu : SearchSteps.target(target, view);
        }
        if (targetIdle(request, target, view)) { // S1
            return target;
        }
        if (prevIdle(request, target, view)) { // S2
            return request.prevCpu;
        }
        if (kthread != SearchRules.Kthread.NEVER && staysWithKthread(request, view)) { // S3
            return request.prevCpu;
        }
        int recentCpu = recent.find(request, target, capacities, view); // S4
        if (recentCpu >= 0 && near(recentCpu, target)) {
            return recentCpu;
        }
        if (capacities.replaceScans(target)) {
            int cpu = capacities.scan(request, target, view);
            return cpu >= 0 ? cpu : SearchSteps.target(target, view);
        }
        SchedDomain cache = domains.llc(target);
        int found = -1;
        if (cache != null) {
            found = scans.scan(cache, request, target, view); // S5 – S8
            view.scanned(found);
        }
        return found >= 0 ? found : remembered(recentCpu, target, view); // S9
    }

    private boolean ok(int cpu, CpuView view) {
        return schedIdleCounts ? view.idleOrSchedIdle(cpu) : view.idle(cpu);
    }

    private boolean near(int cpu, int target) {
        return !clusters || domains.sameCluster(cpu, target);
    }

    private boolean targetIdle(WakeRequest request, int target, CpuView view) {
        boolean idle = ok(target, view) && capacities.fits(request, target, view);
        view.report(PlacementStep.TARGET_IDLE, target, idle);
        return idle;
    }

    private boolean prevIdle(WakeRequest request, int target, CpuView view) {
        int prev = request.prevCpu;
        boolean idle = prev != target
                && domains.shareCache(prev, target)
                && ok(prev, view)
                && capacities.fits(request, prev, view);
        view.report(PlacementStep.PREV_IDLE, prev, idle);
        boolean taken = idle && near(prev, target);
        prevElsewhere = idle && !taken ? prev : -1;
        return taken;
    }

    private boolean staysWithKthread(WakeRequest request, CpuView view) {
        boolean stays = request.wakerIsPerCpuKthread
                && request.prevCpu == request.thisCpu
                && view.nrRunning[request.thisCpu] <= 1;
        if (stays && kthread == SearchRules.Kthread.NOT_FROM_INTERRUPT) {
            stays = !request.fromInterrupt && capacities.fits(request, request.prevCpu, view);
        }
        view.report(PlacementStep.KTHREAD, request.prevCpu, stays);
        return stays;
    }

    private int remembered(int recentCpu, int target, CpuView view) {
        int cpu = prevElsewhere >= 0 ? prevElsewhere : recentCpu;
        if (cpu < 0) {
            return SearchSteps.target(target, view);
        }
        view.report(PlacementStep.OTHER_CLUSTER, cpu, true);
        return cpu;
    }
}
