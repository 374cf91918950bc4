package dev.perch.audit;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.domain.DomainRules;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.placement.CpuView;
import dev.perch.kernel.placement.Placement;
import dev.perch.kernel.placement.PlacementListener;
import dev.perch.kernel.placement.PlacementRules;
import dev.perch.kernel.placement.WakeKind;
import dev.perch.kernel.placement.WakeRequest;
import dev.perch.kernel.wakeup.RemoteQueue;
import dev.perch.model.CpuMask;
import dev.perch.model.TaskState;
import dev.perch.model.Topology;
import java.util.List;

/**
 * Asks the placement rules of a kernel what they would have chosen, with the recorded machine's state as their view.
 *
 * <p>Asks at two moments, when the kernel may have begun to choose and when the choice shows, and for both values of the sync hint, of which no
 * recording tells; hard interrupt handlers do not give it. A wakeup lies in a wake list from the interrupt that announces it until its CPU
 * writes the wakeup record. A CPU of which nothing has been recorded yet is taken for idle, since an idle one writes nothing. Where the rules choose otherwise than recorded, {@link Alternatives} looks for an input that would explain it.
 */
final class EraRules implements StateListener {
    private final AuditTasks tasks;
    private final AuditCpus cpus;
    private final EventCounts counts;
    private final PlacementRules rules;
    private final CpuView view;
    private final WakeRequest request = new WakeRequest();
    private final InputsRead read = new InputsRead();
    private final RuleInputs inputs;
    private final Alternatives alternatives;
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
        inputs = new RuleInputs(tasks, cpus, kernel, topology, domains, view);
        alternatives = new Alternatives(rules, view, request, read, domains);
        all = topology.cpus();
        cpuCount = topology.cpuCount();
        request.kind = WakeKind.WAKE;
        cpus.ensureAll(cpuCount);
        audit.listenWith(inputs);
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
            inputs.placing(wakeup);
            ask(wakeup, walk, wakeup.ns);
        }
    }

    @Override
    public void choiceMade(Wakeup wakeup, int target) {
        decided(wakeup, target);
    }

    @Override
    public void handedOver(Wakeup wakeup, int target) {
        decided(wakeup, target);
        cpus.wakeList[target] = 1;
    }

    @Override
    public void beforeWakeup(Wakeup wakeup, int target) {
        decided(wakeup, target);
    }

    @Override
    public void afterWakeup(int target, int cpu, int wakerCpu) {
        if (cpu == target && wakerCpu != cpu) {
            cpus.wakeList[cpu] = 0;
        }
    }

    /** {@code target} has been chosen by now: asks again if anything has changed since the choice may have begun, and keeps what it left. */
    private void decided(Wakeup wakeup, int target) {
        RuleWalk walk = wakeup.walk;
        if (walk == null || !walk.asked || walk.decided || wakeup.wakeeWas != Wakeup.WAS_ASLEEP) {
            return;
        }
        walk.decided = true;
        if (wakeup.thisCpu < 0 || wakeup.prevCpu < 0) {
            return;
        }
        int sync = walk.choiceSync;
        int notSync = walk.choiceNotSync;
        if (cpus.version != walk.version) {
            ask(wakeup, walk, wakeup.ns);
        }
        walk.lateSync = walk.choiceSync;
        walk.lateNotSync = walk.choiceNotSync;
        walk.choiceSync = sync;
        walk.choiceNotSync = notSync;
        boolean withHint = inputs.mayBeSync(wakeup) && (walk.chooses(target, true) || !walk.chooses(target, false));
        keep(wakeup, walk, withHint);
        boolean with = walk.chooses(target, true);
        boolean without = walk.chooses(target, false);
        if (!with || !without) {
            prepare(wakeup, wakeup.ns);
            inputs.fillLoads(request, wakeup, wakeup.ns);
            boolean mayBeSync = inputs.mayBeSync(wakeup);
            int recent = inputs.recent(wakeup.wakeeSlot);
            walk.doubtful = with == without
                    ? alternatives.explain(target, mayBeSync, recent)
                    : alternatives.explainWith(target, without, recent);
            if (with == without) {
                inputs.learn(walk.doubtful, alternatives, request, wakeup);
            }
        }
    }

    /** Keeps what the decision has changed of the rules' own state. */
    private void keep(Wakeup wakeup, RuleWalk walk, boolean withHint) {
        inputs.setRecent(wakeup.wakeeSlot, withHint ? walk.recentSync : walk.recentNotSync);
        int wakers = withHint ? walk.wakerRecentSync : walk.wakerRecentNotSync;
        if (wakers != RuleInputs.UNKNOWN) {
            inputs.setRecent(wakeup.wakerSlot, wakers);
        }
        int cleared = withHint ? walk.clearedSync : walk.clearedNotSync;
        if (cleared >= 0) {
            inputs.noIdleCore(cleared);
        }
    }

    private void ask(Wakeup wakeup, RuleWalk walk, long ns) {
        boolean decided = walk.decided;
        walk.start();
        walk.decided = decided;
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
        prepare(wakeup, ns);
        walk.uninterruptible = tasks.leftState[wakeup.wakeeSlot] == TaskState.DISK_SLEEP;
        walk.wakerFlips = inputs.countsFlips() ? request.wakerFlips : -1;
        walk.wakeeFlips = request.wakeeFlips;
        walk.recentCpu = inputs.recent(wakeup.wakeeSlot);
        boolean mayBeSync = inputs.mayBeSync(wakeup);
        walk.choiceNotSync = select(walk, wakeup, false, !mayBeSync);
        walk.recentNotSync = recentAfter(wakeup);
        walk.wakerRecentNotSync = wakerRecentAfter(wakeup);
        walk.clearedNotSync = read.markCleared;
        walk.choiceSync = mayBeSync ? select(walk, wakeup, true, true) : walk.choiceNotSync;
        walk.recentSync = recentAfter(wakeup);
        walk.wakerRecentSync = wakerRecentAfter(wakeup);
        walk.clearedSync = read.markCleared;
    }

    /** A recently used CPU that was not known and has not been replaced stays unknown. */
    private int recentAfter(Wakeup wakeup) {
        return inputs.recent(wakeup.wakeeSlot) == RuleInputs.UNKNOWN && !read.recent
                ? RuleInputs.UNKNOWN
                : request.recentCpu;
    }

    /** The waker's recently used CPU if the rules have written it, as some eras do. */
    private int wakerRecentAfter(Wakeup wakeup) {
        return wakeup.wakerSlot > 0 ? request.wakerRecentCpu : RuleInputs.UNKNOWN;
    }

    private void prepare(Wakeup wakeup, long ns) {
        inputs.fill(request, wakeup, ns);
        CpuMask allowed = tasks.affinity(wakeup.wakeeSlot);
        request.allow(allowed == null ? all : allowed);
        inputs.fill(ns);
        boolean hasIpis = ipisRecorded || counts.ipiSent > 0;
        for (int cpu = 0; cpu < cpuCount; cpu++) {
            view.currentIdle[cpu] = cpus.current[cpu] == 0 || !cpus.known.contains(cpu) && !cpus.lost.contains(cpu);
            view.nrRunning[cpu] = inputs.running(cpu);
            view.wakePending[cpu] = hasIpis ? cpus.wakeList[cpu] > 0 : onItsWay(cpu);
        }
    }

    private int select(RuleWalk walk, Wakeup wakeup, boolean sync, boolean listen) {
        request.sync = sync;
        int recent = inputs.recent(wakeup.wakeeSlot);
        request.recentCpu = recent == RuleInputs.UNKNOWN ? request.prevCpu : recent;
        request.wakerRecentCpu = RuleInputs.UNKNOWN;
        read.start(listen ? walk.steps : PlacementListener.NONE);
        view.listenWith(read);
        int chosen = rules.select(request, view);
        if (read.loads && !walk.loadsCompared) {
            chosen = againWithLoads(walk, wakeup, recent, listen);
        }
        view.listenWith(PlacementListener.NONE);
        walk.usesRecent |= read.recent;
        if (read.scanLimit) {
            walk.scanLimited = true;
            walk.scanLimit = inputs.scanLimit(request.prevCpu);
        }
        if (read.markCleared >= 0) {
            view.hasIdleCores[read.markCleared] = true;
        }
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

    /** The rules compare loads, which have not been worked out for this wakeup yet: asks again with them. */
    private int againWithLoads(RuleWalk walk, Wakeup wakeup, int recent, boolean listen) {
        inputs.fillLoads(request, wakeup, wakeup.ns);
        walk.loadsCompared = true;
        walk.wakerLoad = request.wakerLoad;
        walk.wakeeLoad = request.wakeeLoad;
        walk.thisLoad = view.loadAvg[request.thisCpu];
        walk.prevLoad = view.loadAvg[request.prevCpu];
        if (read.markCleared >= 0) {
            view.hasIdleCores[read.markCleared] = true;
        }
        if (listen) {
            walk.steps.clear();
        }
        request.recentCpu = recent == RuleInputs.UNKNOWN ? request.prevCpu : recent;
        read.start(listen ? walk.steps : PlacementListener.NONE);
        return rules.select(request, view);
    }

    private boolean onItsWay(int cpu) {
        return cpus.pending[cpu] > 0
                && tracker.interrupts().onItsWayThroughWakeList(cpu, inputs.running(cpu), remoteQueue);
    }
}
