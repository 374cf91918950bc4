package dev.perch.kernel.placement;

import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.model.CpuScratch;

/**
 * The first idle CPU of the last-level cache, upward from the busy target itself, as far as the budget reaches.
 *
 * <p>{@code select_idle_cpu} of 4.9 – 5.11. Source: placement.md 5.3. Until 5.4 forbidden CPUs consume budget too. In 5.4 a CPU with
 * only SCHED_IDLE work is remembered, but handed out only if the budget ends, not if the whole cache was looked at. Sets
 * {@link CpuView#timedScanProbes} unless the budget ended the scan.
 */
final class CpuScan {
    private final SchedDomains domains;
    private final ScanBudget budget;
    private final boolean wholeSpan;
    private final boolean schedIdleCounts;
    private final boolean schedIdleRemembered;
    private final CpuScratch left;

    CpuScan(SchedDomains domains, ScanBudget budget, SearchRules rules) {
        this.domains = domains;
        this.budget = budget;
        wholeSpan = rules.walk == SearchRules.Walk.SPAN;
        schedIdleCounts = rules.schedIdle == SearchRules.SchedIdle.IDLE;
        schedIdleRemembered = rules.schedIdle == SearchRules.SchedIdle.REMEMBERED;
        left = new CpuScratch(domains.cpuCount());
    }

    /** The CPU found, or −1. */
    int scan(SchedDomain cache, WakeRequest request, int target, CpuView view) {
        if (domains.llc(request.thisCpu) == null) {
            return -1;
        }
        if (!budget.worthwhile(request.thisCpu, view)) {
            view.scan = ScanResult.BUDGET_SPENT;
            return -1;
        }
        int budgetLeft = budget.cpus(cache, request.thisCpu, target, false, view);
        if (wholeSpan) {
            left.set(cache.span());
        } else {
            left.setAnd(cache.span(), request.allowed);
            view.maskOperations++;
        }
        int before = view.probeCount;
        int remembered = -1;
        int cpu = left.firstWrapped(cache.span(), target);
        while (cpu >= 0) {
            if (--budgetLeft == 0) {
                view.budgetSpent(cpu);
                break;
            }
            if (request.allowed.contains(cpu)) {
                if (schedIdleCounts ? view.idleOrSchedIdle(cpu) : view.idle(cpu)) {
                    break;
                }
                if (schedIdleRemembered && remembered < 0 && view.schedIdle(cpu)) {
                    remembered = cpu;
                }
            }
            cpu = left.nextWrapped(cache.span(), target, cpu);
        }
        int found = budgetLeft == 0 ? remembered : cpu;
        if (budgetLeft != 0) {
            view.timed(before);
        }
        view.report(PlacementStep.CPU_SCAN, found, found >= 0);
        return found;
    }
}
