package dev.perch.kernel.placement;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;

/**
 * First whether one of the two CPUs is idle (feature WA_IDLE), then which of them carries less load (WA_WEIGHT), else prev.
 *
 * <p>{@code wake_affine} with {@code wake_affine_idle} and {@code wake_affine_weight} of 4.14 and later. Source: placement.md 8.5.
 */
final class IdleThenLoadAffine implements WakeAffine {
    /** The forms, oldest first; each has what the earlier ones brought. */
    enum Form {
        /** 4.14, 4.15: an idle this CPU pulls from anywhere. */
        IDLE_PULLS,
        /** 4.16, 4.17: an idle this CPU counts inside the cache only, and yields to an idle prev. */
        IDLE_IN_CACHE,
        /** 4.18 – 5.4: equal loads stay. */
        STRICT,
        /** 5.5 – 5.10: loads with the share of blocked tasks. */
        BLOCKED_LOAD,
        /** 5.11 – 6.17: an idle prev is kept before loads are compared. */
        IDLE_PREV,
        /** 6.18, 6.19, late 6.12.y: tasks whose dequeue is delayed do not count beside a sync waker. */
        DELAYED_DEQUEUE;

        boolean has(Form since) {
            return compareTo(since) >= 0;
        }
    }

    private final SchedDomains domains;
    private final Form form;
    private final LoadTerm term;
    private final boolean asksIdle;
    private final boolean asksLoad;
    private final boolean biased;

    IdleThenLoadAffine(Kernel kernel, SchedDomains domains, Form form) {
        this.domains = domains;
        this.form = form;
        term = form.has(Form.BLOCKED_LOAD) ? LoadTerm.AVERAGE : LoadTerm.RUNNABLE;
        asksIdle = kernel.has("WA_IDLE");
        asksLoad = kernel.has("WA_WEIGHT");
        biased = kernel.has("WA_BIAS");
    }

    @Override
    public int target(SchedDomain domain, WakeRequest request, CpuView view) {
        if (asksIdle) {
            int cpu = idle(request, view);
            view.report(PlacementStep.WAKE_AFFINE_IDLE, cpu, cpu >= 0);
            if (cpu >= 0) {
                return WakeAffine.answer(cpu == request.thisCpu, request, view);
            }
        }
        boolean pulled = asksLoad && lessLoadHere(domain, request, view);
        return WakeAffine.answer(pulled, request, view);
    }

    /** The CPU that idleness decides for, or −1. */
    private int idle(WakeRequest request, CpuView view) {
        int thisCpu = request.thisCpu;
        int prevCpu = request.prevCpu;
        if (view.idle(thisCpu) && (!form.has(Form.IDLE_IN_CACHE) || domains.shareCache(thisCpu, prevCpu))) {
            return form.has(Form.IDLE_IN_CACHE) && view.idle(prevCpu) ? prevCpu : thisCpu;
        }
        if (request.sync && running(thisCpu, view) == 1) {
            return thisCpu;
        }
        return form.has(Form.IDLE_PREV) && view.idle(prevCpu) ? prevCpu : -1;
    }

    private int running(int cpu, CpuView view) {
        return view.nrRunning[cpu] - (form.has(Form.DELAYED_DEQUEUE) ? view.delayed[cpu] : 0);
    }

    /** This CPU with the wakee and, if it is about to sleep, without the waker, against prev without the wakee. */
    private boolean lessLoadHere(SchedDomain domain, WakeRequest request, CpuView view) {
        long thisLoad = term.of(view, request.thisCpu);
        if (request.sync) {
            if (request.wakerLoad > thisLoad) {
                view.compare(PlacementStep.WAKE_AFFINE_LOAD, thisLoad, request.wakerLoad);
                view.report(PlacementStep.WAKE_AFFINE_LOAD, request.thisCpu, true);
                return true;
            }
            thisLoad -= request.wakerLoad;
        }
        long prevLoad = term.of(view, request.prevCpu);
        long here = (thisLoad + request.wakeeLoad) * (biased ? 100 : 1) * view.capacity[request.prevCpu];
        long there = (prevLoad - request.wakeeLoad)
                * (biased ? WakeAffine.bias(domain) : 1)
                * view.capacity[request.thisCpu];
        if (form.has(Form.STRICT) && request.sync) {
            there++;
        }
        boolean pulled = form.has(Form.STRICT) ? here < there : here <= there;
        view.compare(PlacementStep.WAKE_AFFINE_LOAD, here, there);
        view.report(PlacementStep.WAKE_AFFINE_LOAD, request.thisCpu, pulled);
        return pulled;
    }
}
