package dev.perch.audit;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.domain.DomainRules;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.fair.LoadWeights;
import dev.perch.kernel.placement.CpuView;
import dev.perch.kernel.placement.Placement;
import dev.perch.kernel.placement.PlacementListener;
import dev.perch.kernel.placement.PlacementRules;
import dev.perch.kernel.placement.WakeKind;
import dev.perch.kernel.placement.WakeRequest;
import dev.perch.kernel.wakeup.RemoteQueue;
import dev.perch.model.CpuMask;
import dev.perch.model.SchedEvents;
import dev.perch.model.Topology;
import java.util.List;

/**
 * Asks the placement rules of a kernel what they would have chosen, with the recorded machine's state as their view.
 *
 * <p>Loads are sums of the weights that the recorded priorities stand for; all tasks are in the root group. A wakeup lies in a wake list
 * from the interrupt that announces it until its CPU writes the wakeup record. Hard interrupt handlers do not give the sync hint; of
 * others no recording tells.
 */
final class EraRules implements StateListener {
    private static final int NICE_0_PRIO = 120;
    private static final int LOWEST_FAIR_PRIO = 100;
    private static final int HIGHEST_FAIR_PRIO = 139;

    private final AuditTasks tasks;
    private final AuditCpus cpus;
    private final EventCounts counts;
    private final PlacementRules rules;
    private final CpuView view;
    private final WakeRequest request = new WakeRequest();
    private final CpuMask all;
    private final int cpuCount;
    private final WakeupTracker tracker;
    private final RemoteQueue remoteQueue;
    private final boolean ipisRecorded;

    /**
     * @param partitions sets of CPUs with sched domains of their own; usually one, all CPUs
     * @param ipisRecorded whether the recording is known to have every interrupt, even before it has one
     */
    EraRules(Audit audit, Kernel kernel, Topology topology, List<CpuMask> partitions, boolean ipisRecorded) {
        this.ipisRecorded = ipisRecorded;
        tracker = audit.tracker();
        tasks = audit.tasks();
        cpus = audit.cpus();
        counts = audit.counts();
        SchedDomains domains = SchedDomains.build(
                topology, partitions, DomainRules.named(kernel.rules().schedDomains()));
        remoteQueue = RemoteQueue.of(kernel, domains);
        rules = Placement.rules(kernel, topology, domains);
        view = Placement.view(kernel, domains);
        all = topology.cpus();
        cpuCount = topology.cpuCount();
        request.kind = WakeKind.WAKE;
        cpus.ensureAll(cpuCount);
    }

    @Override
    public void begun(Wakeup wakeup) {
        if (wakeup.walk == null) {
            wakeup.walk = new RuleWalk();
        }
        wakeup.walk.start();
    }

    @Override
    public void choiceMayBegin(Wakeup wakeup) {
        RuleWalk walk = wakeup.walk;
        if (walk != null) {
            ask(wakeup, walk);
        }
    }

    @Override
    public void choiceMade(Wakeup wakeup) {
        late(wakeup);
    }

    @Override
    public void handedOver(Wakeup wakeup, int target) {
        late(wakeup);
        cpus.wakeList[target] = 1;
    }

    @Override
    public void beforeWakeup(Wakeup wakeup) {
        late(wakeup);
    }

    /** The choice has been made by now: asks again if anything has changed since it may have begun. */
    private void late(Wakeup wakeup) {
        RuleWalk walk = wakeup.walk;
        if (walk == null || !walk.asked || walk.lateSync != RuleWalk.NOTHING) {
            return;
        }
        int sync = walk.choiceSync;
        int notSync = walk.choiceNotSync;
        if (cpus.version != walk.version) {
            ask(wakeup, walk);
        }
        walk.lateSync = walk.choiceSync;
        walk.lateNotSync = walk.choiceNotSync;
        walk.choiceSync = sync;
        walk.choiceNotSync = notSync;
    }

    @Override
    public void afterWakeup(int target, int cpu, int wakerCpu) {
        if (cpu == target && wakerCpu != cpu) {
            cpus.wakeList[cpu] = 0;
        }
    }

    private void ask(Wakeup wakeup, RuleWalk walk) {
        walk.start();
        walk.asked = true;
        walk.version = cpus.version;
        if (wakeup.thisCpu < 0) {
            walk.missing = MissingInput.THIS_CPU;
            return;
        }
        if (wakeup.prevCpu < 0) {
            walk.missing = MissingInput.PREV_CPU;
            return;
        }
        fill();
        request.thisCpu = wakeup.thisCpu;
        request.prevCpu = wakeup.prevCpu;
        CpuMask allowed = tasks.affinity(wakeup.wakeeSlot);
        request.allow(allowed == null ? all : allowed);
        request.wakeeWeight = weight(wakeup.wakeeSlot);
        int current = cpus.current[wakeup.thisCpu];
        request.wakerWeight = current > 0 ? weight(current) : 0;
        boolean mayBeSync = (wakeup.context & SchedEvents.IN_HARDIRQ) == 0;
        walk.choiceNotSync = select(walk, false, !mayBeSync);
        walk.choiceSync = mayBeSync ? select(walk, true, true) : walk.choiceNotSync;
    }

    private int select(RuleWalk walk, boolean sync, boolean listen) {
        request.sync = sync;
        view.listenWith(listen ? walk.steps : PlacementListener.NONE);
        int chosen = rules.select(request, view);
        view.listenWith(PlacementListener.NONE);
        boolean hasIpis = ipisRecorded || counts.ipiSent > 0;
        for (int i = 0; i < view.probeCount; i++) {
            int cpu = view.probedCpu[i];
            if (cpus.lost.contains(cpu)) {
                walk.missing = MissingInput.LOST_EVENTS;
            } else if (!cpus.known.contains(cpu) && walk.missing == MissingInput.NONE) {
                walk.missing = MissingInput.CPU_STATE;
            }
            walk.wakeListInDoubt |= !hasIpis && onItsWay(cpu);
        }
        return chosen;
    }

    private boolean onItsWay(int cpu) {
        return cpus.pending[cpu] > 0
                && tracker.interrupts().onItsWayThroughWakeList(cpu, running(cpu), remoteQueue);
    }

    private int running(int cpu) {
        return cpus.queued[cpu] + (cpus.current[cpu] > 0 ? 1 : 0);
    }

    private void fill() {
        boolean allNice0 = tasks.allNice0;
        boolean hasIpis = ipisRecorded || counts.ipiSent > 0;
        for (int cpu = 0; cpu < cpuCount; cpu++) {
            int running = running(cpu);
            view.currentIdle[cpu] = cpus.current[cpu] == 0;
            view.nrRunning[cpu] = running;
            view.wakePending[cpu] = hasIpis ? cpus.wakeList[cpu] > 0 : onItsWay(cpu);
            view.load[cpu] = allNice0 ? (long) running * LoadWeights.NICE_0 : 0;
        }
        if (!allNice0) {
            for (int slot = 1; slot < tasks.size(); slot++) {
                byte state = tasks.state[slot];
                if (state == AuditTasks.QUEUED || state == AuditTasks.RUNNING) {
                    view.load[tasks.cpu[slot]] += weight(slot);
                }
            }
        }
    }

    private int weight(int slot) {
        int prio = tasks.prio[slot] < 0 ? NICE_0_PRIO : tasks.prio[slot];
        return prio >= LOWEST_FAIR_PRIO && prio <= HIGHEST_FAIR_PRIO ? LoadWeights.ofNice(prio - NICE_0_PRIO) : 0;
    }
}
