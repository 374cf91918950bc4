package dev.perch.audit.probes;

import dev.perch.audit.PerCpuThreadName;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.placement.CpuView;
import dev.perch.kernel.placement.WakeKind;
import dev.perch.kernel.placement.WakeRequest;
import dev.perch.model.CpuMask;
import dev.perch.model.ProbedDecision;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.Topology;
import java.util.Arrays;

/**
 * Shows the placement rules a probed decision as the kernel saw it. Nothing is allocated a decision, but for affinities not seen lately.
 *
 * <p>Limitations: whether the waker is a kernel thread bound to its CPU is told from its name. Of an affinity 64 CPUs are recorded.
 */
final class ProbedView {
    private static final int RECORDED_AFFINITY = 64;
    private static final int MASKS = 16;

    private final CpuView view;
    private final SchedDomains domains;
    private final TaskNames names;
    private final CpuMask all;
    private final WakeRequest request = new WakeRequest();
    private final byte[] name = new byte[PerCpuThreadName.LENGTH];
    private final long[] maskBits = new long[MASKS];
    private final CpuMask[] masks = new CpuMask[MASKS];
    private int nextMask;

    ProbedView(CpuView view, SchedDomains domains, Topology topology, TaskNames names) {
        this.view = view;
        this.domains = domains;
        this.names = names;
        all = topology.cpus();
        Arrays.fill(masks, CpuMask.empty());
    }

    CpuView cpus() {
        return view;
    }

    WakeRequest request() {
        return request;
    }

    /** Whether the affinity of the wakee is recorded in full. */
    boolean knowsAffinity(ProbedDecision decision) {
        return domains.cpuCount() <= RECORDED_AFFINITY || decision.allowedCount >= all.count();
    }

    /** Whether the idle-core hint and the scan limit of the LLC of {@code cpu} are recorded. */
    boolean knowsShared(ProbedDecision decision, int cpu) {
        return decision.hasIdleCores[domains.llcId(cpu)] >= 0;
    }

    /**
     * Sets view and request to what the snapshot of {@code decision} shows, loads and capacities to what its load probes show.
     *
     * @param terms finds the capacities
     */
    void show(ProbedDecision decision, AffineTerms terms) {
        int cpus = decision.cpus;
        for (int cpu = 0; cpu < cpus; cpu++) {
            view.currentIdle[cpu] = decision.running[cpu] == 0;
            view.nrRunning[cpu] = decision.nrRunning[cpu];
            view.wakePending[cpu] = decision.wakePending[cpu] != 0;
            view.schedIdle[cpu] = decision.schedIdle[cpu];
            view.delayed[cpu] =
                    decision.runnableCpus == cpus ? decision.fairQueued[cpu] - decision.fairRunnable[cpu] : 0;
            view.loadAvg[cpu] = cpu < decision.loadCpus ? decision.load[cpu] : 0;
            view.capacity[cpu] = AffineTerms.FULL;
            view.hasIdleCores[cpu] = decision.hasIdleCores[cpu] > 0;
            view.nrIdleScan[cpu] = decision.nrIdleScan[cpu];
        }
        loads(decision, terms);
        request.kind = WakeKind.WAKE;
        request.thisCpu = decision.thisCpu;
        request.prevCpu = decision.prevCpu;
        request.sync = decision.sync;
        request.currentCpu = (decision.flags & ProbedDecision.WF_CURRENT_CPU) != 0;
        request.fromInterrupt = (decision.context & (SchedEvents.IN_HARDIRQ | SchedEvents.IN_SOFTIRQ)) != 0;
        int length = names.copyName(decision.current, name, 0, name.length);
        request.wakerIsPerCpuKthread = PerCpuThreadName.cpu(name, length) == decision.thisCpu;
        request.allowed = affinity(decision);
        request.allowedCount = decision.allowedCount;
        request.wakeeFlips = (int) Math.min(decision.wakeeFlips, Integer.MAX_VALUE);
        request.wakerFlips = (int) Math.min(decision.wakerFlips, Integer.MAX_VALUE);
        request.recentCpu = decision.recentCpu;
    }

    private void loads(ProbedDecision decision, AffineTerms terms) {
        request.wakeeLoad = decision.hasWakeeLoad ? decision.wakeeLoad : 0;
        request.wakerLoad = decision.hasWakerLoad ? decision.wakerLoad : 0;
        if (decision.hasWakerLoad) {
            view.loadAvg[decision.thisCpu] = decision.thisLoadBefore;
        } else if (decision.hasWakeeLoad) {
            view.loadAvg[decision.thisCpu] = decision.thisLoad;
        }
        if (decision.hasEffectiveLoads) {
            view.capacity[decision.prevCpu] = Math.max(terms.prevCapacity(decision), 1);
            view.capacity[decision.thisCpu] = Math.max(terms.thisCapacity(decision), 1);
        }
    }

    private CpuMask affinity(ProbedDecision decision) {
        if (domains.cpuCount() > RECORDED_AFFINITY) {
            return all;
        }
        long bits = decision.allowed;
        for (int i = 0; i < MASKS; i++) {
            if (maskBits[i] == bits && !masks[i].isEmpty()) {
                return masks[i];
            }
        }
        int[] cpus = new int[Long.bitCount(bits)];
        int count = 0;
        for (long rest = bits; rest != 0; rest &= rest - 1) {
            cpus[count++] = Long.numberOfTrailingZeros(rest);
        }
        CpuMask mask = CpuMask.of(cpus).and(all);
        maskBits[nextMask] = bits;
        masks[nextMask] = mask;
        nextMask = (nextMask + 1) % MASKS;
        return mask;
    }
}
