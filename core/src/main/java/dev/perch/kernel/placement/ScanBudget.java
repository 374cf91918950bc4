package dev.perch.kernel.placement;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.load.ScanCost;

/**
 * How many CPUs a scan may look at.
 *
 * <p>Features SIS_AVG_CPU (4.9 – 5.11, always on until 4.10), SIS_PROP (4.13 – 6.6) and SIS_UTIL (6.0+). Source: placement.md 5.3, 6.2,
 * 7.1. A scan counts down before each CPU and stops at 0, so one CPU fewer than the number given is looked at.
 */
final class ScanBudget {
    /** No limit. */
    static final int UNLIMITED = Integer.MAX_VALUE;

    /** SIS_UTIL forbids the scan. */
    static final int NO_SCAN = 1;

    private final SchedDomains domains;
    private final boolean gated;
    private final boolean gateRoundsUp;
    private final boolean proportional;
    private final boolean usesUpIdleTime;
    private final boolean byUtilization;

    ScanBudget(Kernel kernel, SchedDomains domains, SearchRules rules) {
        this.domains = domains;
        gated = switch (rules.gate) {
            case ALWAYS -> true;
            case BY_FEATURE -> kernel.has("SIS_AVG_CPU");
            case NEVER -> false;
        };
        gateRoundsUp = rules.proportional != SearchRules.Proportional.NONE;
        proportional = rules.proportional != SearchRules.Proportional.NONE && kernel.has("SIS_PROP");
        usesUpIdleTime = rules.proportional == SearchRules.Proportional.WAKE_AVERAGE_IDLE;
        byUtilization = rules.utilization && kernel.has("SIS_UTIL");
    }

    /** Whether SIS_PROP is in force, which from 5.12 on also means that scans are timed. */
    boolean proportional() {
        return proportional;
    }

    /** Whether the waker's CPU is expected to be idle for longer than a scan takes. */
    boolean worthwhile(int thisCpu, CpuView view) {
        if (!gated) {
            return true;
        }
        long cost = view.avgScanCost[thisCpu] + (gateRoundsUp ? 1 : 0);
        boolean given = view.avgIdle[thisCpu] / ScanCost.IDLE_FRACTION < cost;
        view.report(PlacementStep.SCAN_TOO_COSTLY, thisCpu, given);
        return !given;
    }

    /**
     * The number of CPUs to count down from, {@link #UNLIMITED} or {@link #NO_SCAN}. With a budget of SIS_PROP from 5.14 on, ages the idle
     * time of the waker's CPU to the present tick.
     *
     * @param cache LLC domain of {@code target}
     * @param coreWanted the scan is for a whole core, which SIS_PROP does not limit
     */
    int cpus(SchedDomain cache, int thisCpu, int target, boolean coreWanted, CpuView view) {
        int cpus = UNLIMITED;
        if (proportional && !coreWanted) {
            cpus = proportion(cache.weight(), thisCpu, view);
        }
        if (byUtilization) {
            cpus = view.nrIdleScan[domains.llcId(target)] + 1;
        }
        if (cpus != UNLIMITED) {
            view.report(PlacementStep.BUDGET, cpus - 1, cpus > NO_SCAN);
        }
        return cpus;
    }

    private int proportion(int weight, int thisCpu, CpuView view) {
        if (usesUpIdleTime) {
            age(thisCpu, view);
        }
        long idle = usesUpIdleTime ? view.wakeAvgIdle[thisCpu] : view.avgIdle[thisCpu] / ScanCost.IDLE_FRACTION;
        return (int) Math.min(ScanCost.budget(view.avgScanCost[thisCpu], weight, idle), UNLIMITED - 1);
    }

    private static void age(int cpu, CpuView view) {
        while (view.wakeStamp[cpu] < view.tick && view.wakeAvgIdle[cpu] > 0) {
            view.wakeStamp[cpu]++;
            view.wakeAvgIdle[cpu] >>= 1;
        }
    }
}
