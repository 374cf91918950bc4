package dev.perch.audit.probes;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.model.ProbedDecision;

/**
 * The capacities that {@code wake_affine_weight} must have read, found from the terms that the probes print: no probe prints a capacity.
 *
 * <p>The waker's side is {@code (load(this) + load(p)) * 100 * capacity(prev)}, prev's is {@code (load(prev) - load(p)) * bias * capacity(this)}, one more
 * if sync; without WA_BIAS the percentages are left out. Loads and sides are recorded, so a capacity is known or there is none that explains
 * them. Prev's load is recorded a moment after the kernel read it: the one unexplained case that real recordings have. Source: placement.md 8.5, 8.6.
 */
final class AffineTerms {
    /** No capacity of 1 to {@value #FULL} explains the recorded side. */
    static final int UNEXPLAINED = -1;

    /** A CPU of its own; what is used where the load is 0, so that any capacity explains it. */
    static final int FULL = 1024;

    private static final int HUNDRED_PERCENT = 100;

    private final SchedDomains domains;
    private final boolean biased;

    AffineTerms(Kernel kernel, SchedDomains domains) {
        this.domains = domains;
        biased = kernel.has("WA_BIAS");
    }

    /** Capacity of prev. */
    int prevCapacity(ProbedDecision decision) {
        long load = decision.thisLoad + decision.wakeeLoad;
        return capacity(decision.thisEffective, load * (biased ? HUNDRED_PERCENT : 1));
    }

    /** Capacity of the waker's CPU. */
    int thisCapacity(ProbedDecision decision) {
        if (decision.prevCpu >= decision.loadCpus) {
            return UNEXPLAINED;
        }
        long load = decision.load[decision.prevCpu] - decision.wakeeLoad;
        long side = decision.prevEffective - (decision.sync ? 1 : 0);
        return capacity(side, load * (biased ? bias(decision.thisCpu, decision.prevCpu) : 1));
    }

    private static int capacity(long side, long load) {
        if (load == 0) {
            return side == 0 ? FULL : UNEXPLAINED;
        }
        long capacity = side / load;
        return capacity * load == side && capacity >= 1 && capacity <= FULL ? (int) capacity : UNEXPLAINED;
    }

    /** 100 and half of what the smallest wake-affine domain of both tolerates above it, percent. */
    private int bias(int thisCpu, int prevCpu) {
        for (SchedDomain d = domains.lowest(thisCpu); d != null; d = d.parent()) {
            if (d.has(DomainFlags.WAKE_AFFINE) && d.span().contains(prevCpu)) {
                return HUNDRED_PERCENT + (d.parameters().imbalancePercent() - HUNDRED_PERCENT) / 2;
            }
        }
        return HUNDRED_PERCENT;
    }
}
