package dev.perch.kernel.placement;

import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.model.CpuMask;
import dev.perch.model.CpuScratch;
import org.jspecify.annotations.Nullable;

/**
 * What a search does where CPUs differ in capacity (big.LITTLE, hybrids with scaling): whether a task fits a CPU, and the scan for an
 * idle CPU that it fits, or for the one with the most capacity.
 *
 * <p>{@code select_idle_capacity}, {@code task_fits_capacity} (5.7 – 6.0), {@code util_fits_cpu} (6.1+). Source: placement.md 5.8.
 * Limitation: nothing throttles, so that the capacity which the minimum clamp is compared with is the CPU's own.
 */
final class Capacities {
    private final @Nullable SchedDomain[] asymmetric;
    private final boolean some;
    private final boolean scanOnly;
    private final boolean threeValued;
    private final int startAfter;
    private final CpuScratch left;

    Capacities(SchedDomains domains, SearchRules rules) {
        asymmetric = new SchedDomain[domains.cpuCount()];
        boolean found = false;
        for (int cpu = 0; cpu < asymmetric.length && rules.capacity != SearchRules.Capacity.IGNORED; cpu++) {
            asymmetric[cpu] = domains.lowestWith(cpu, DomainFlags.ASYM_CAPACITY);
            found |= asymmetric[cpu] != null;
        }
        some = found;
        scanOnly = rules.capacity == SearchRules.Capacity.SCAN_ONLY;
        threeValued = rules.threeValuedFit;
        startAfter = rules.capacityAfterTarget ? 1 : 0;
        left = new CpuScratch(domains.cpuCount());
    }

    /** Whether the scan is the whole search. */
    boolean scanOnly(int target) {
        return scanOnly && asymmetric[target] != null;
    }

    /** Whether the scan stands in for those of the last-level cache. */
    boolean replaceScans(int target) {
        return !scanOnly && asymmetric[target] != null;
    }

    /** Whether a step may take {@code cpu}, which has been probed, for the task; always on a machine of equal CPUs. */
    boolean fits(WakeRequest request, int cpu, CpuView view) {
        if (!some || scanOnly) {
            return true;
        }
        boolean fits = fit(request, cpu, view) > 0;
        view.report(PlacementStep.FITS, cpu, fits);
        return fits;
    }

    /** The first idle CPU that the task fits, else the idle one that comes closest, else −1. */
    int scan(WakeRequest request, int target, CpuView view) {
        SchedDomain domain = asymmetric[target];
        if (domain == null) {
            return -1;
        }
        CpuMask span = domain.span();
        left.setAnd(span, request.allowed);
        view.maskOperations++;
        int start = target + startAfter;
        int best = -1;
        int bestFit = 0;
        long bestCapacity = 0;
        for (int cpu = left.firstWrapped(span, start); cpu >= 0; cpu = left.nextWrapped(span, start, cpu)) {
            if (!view.idleOrSchedIdle(cpu)) {
                continue;
            }
            int fit = fit(request, cpu, view);
            view.report(PlacementStep.FITS, cpu, fit > 0);
            if (fit > 0) {
                best = cpu;
                break;
            }
            long capacity = fit == CapacityFit.BUT_FOR_MINIMUM ? view.originalCapacity[cpu] : view.capacity[cpu];
            if (fit < bestFit || fit == bestFit && capacity > bestCapacity) {
                best = cpu;
                bestFit = fit;
                bestCapacity = capacity;
            }
        }
        view.report(PlacementStep.CAPACITY_SCAN, best, best >= 0);
        return best;
    }

    /** 1 if the task fits the CPU, {@link CapacityFit#BUT_FOR_MINIMUM} (6.1+), or 0. */
    private int fit(WakeRequest request, int cpu, CpuView view) {
        if (threeValued) {
            return CapacityFit.of(request, cpu, view);
        }
        return CapacityFit.fits(request, view.capacity[cpu]) ? 1 : 0;
    }
}
