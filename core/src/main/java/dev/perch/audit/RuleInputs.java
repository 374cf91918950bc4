package dev.perch.audit;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.KernelVersion;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.fair.LoadWeights;
import dev.perch.kernel.load.IdleCores;
import dev.perch.kernel.load.LoadTracking;
import dev.perch.kernel.load.WakeFlips;
import dev.perch.kernel.placement.CpuView;
import dev.perch.kernel.placement.WakeRequest;
import dev.perch.model.CpuMask;
import dev.perch.model.SchedEvents;
import dev.perch.model.Topology;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What the rules of an era read of tasks and CPUs beyond what runs and waits where, rebuilt from the events as far as they tell: wake flips,
 * recently used CPUs, marks of idle cores, loads, the limit of scans.
 *
 * <p>A child takes over its parent's flips and last wakee; its recently used CPU is that of its parent at the fork. Of a task that was
 * there before the recording, flips are taken for 0, and the recently used CPU is unknown until it has been placed once.
 */
final class RuleInputs implements QueueListener {
    static final int UNKNOWN = -1;

    /** Where a CPU's average idle time begins; what searches cost is taken for nothing, so that it does not limit them. */
    private static final long AVERAGE_IDLE_NS = 1_000_000;

    private static final KernelVersion EXITING_DROPS_SYNC = KernelVersion.parse("v4.19");

    private final AuditTasks tasks;
    private final AuditCpus cpus;
    private final SchedDomains domains;
    private final CpuView view;
    private final int cpuCount;
    private final @Nullable WakeFlips flips;
    private final @Nullable AuditLoads loads;
    private final @Nullable ScanLimits scanLimits;
    private final IdleCores idleCores;
    private final IdleCores.Cpus idle = this::isIdle;
    private final boolean exitingDropsSync;
    private int[] recent = new int[0];

    RuleInputs(AuditTasks tasks, AuditCpus cpus, Kernel kernel, Topology topology, SchedDomains domains, CpuView view) {
        this.tasks = tasks;
        this.cpus = cpus;
        this.view = view;
        this.domains = domains;
        cpuCount = domains.cpuCount();
        LoadTracking tracking = LoadTracking.named(kernel.rules().loadTracking());
        flips = tracking.flips() == LoadTracking.Flips.UNCOUNTED ? null : new WakeFlips(tracking.flips(), cpuCount);
        for (int cpu = 0; flips != null && cpu < cpuCount; cpu++) {
            flips.beginUnknown(cpu);
        }
        loads = tracking.hasAverages() ? new AuditLoads(tasks, kernel, tracking, cpuCount) : null;
        scanLimits = loads != null && kernel.has("SIS_UTIL") ? new ScanLimits(loads, cpus, domains) : null;
        idleCores = new IdleCores(topology, domains);
        Arrays.fill(view.avgIdle, AVERAGE_IDLE_NS);
        Arrays.fill(view.wakeAvgIdle, AVERAGE_IDLE_NS / 2);
        exitingDropsSync = kernel.version().compareTo(EXITING_DROPS_SYNC) >= 0;
    }

    @Override
    public void moved(int slot, long ns) {
        if (loads != null) {
            loads.moved(slot, ns);
        }
    }

    @Override
    public void forked(int parent, int child, int cpu, long ns) {
        ensure(Math.max(parent, child) + 1);
        recent[child] = cpu;
        if (flips != null && parent >= 0) {
            flips.inherit(flipIndex(parent, cpu), flipIndex(child, cpu));
        }
        if (loads != null) {
            loads.forked(child);
        }
    }

    @Override
    public void pickedIdle(int cpu) {
        if (cpu < cpuCount) {
            idleCores.pickedIdle(cpu, idle);
        }
    }

    private boolean isIdle(int cpu) {
        return cpus.current[cpu] == 0 && cpus.queued[cpu] == 0 && cpus.wakeList[cpu] == 0;
    }

    private void ensure(int slots) {
        int had = recent.length;
        if (slots > had) {
            int to = Math.max(64, Math.max(slots, 2 * had));
            recent = Arrays.copyOf(recent, to);
            Arrays.fill(recent, had, to, UNKNOWN);
            if (flips != null) {
                flips.ensure(cpuCount + to);
                for (int slot = had; slot < to; slot++) {
                    flips.beginUnknown(cpuCount + slot);
                }
            }
        }
    }

    /** Each CPU has an idle thread of its own, which wakes tasks from interrupts. */
    private int flipIndex(int slot, int cpu) {
        return slot == 0 ? cpu : cpuCount + slot;
    }

    /** A CPU is about to be chosen for a wakee: the waker counts whom it wakes. */
    void placing(Wakeup wakeup) {
        ensure(Math.max(wakeup.wakerSlot, wakeup.wakeeSlot) + 1);
        if (flips != null && wakeup.wakerSlot >= 0 && wakeup.thisCpu >= 0 && isPlaced(wakeup)) {
            flips.record(flipIndex(wakeup.wakerSlot, wakeup.thisCpu), flipIndex(wakeup.wakeeSlot, 0), wakeup.ns);
        }
    }

    /** Whether the era counts wake flips. */
    boolean countsFlips() {
        return flips != null;
    }

    /** Whether a fair task that may run on more than one CPU, as far as known, is woken. */
    private boolean isPlaced(Wakeup wakeup) {
        CpuMask allowed = tasks.affinity(wakeup.wakeeSlot);
        return (allowed == null || allowed.count() > 1)
                && tasks.boundByName(wakeup.wakeeSlot) < 0
                && AuditLoads.weight(tasks, wakeup.wakeeSlot) > 0;
    }

    /** Whether the waker can have said that it would sleep soon. */
    boolean mayBeSync(Wakeup wakeup) {
        return (wakeup.context & SchedEvents.IN_HARDIRQ) == 0
                && !(exitingDropsSync && wakeup.wakerSlot > 0 && tasks.isExited(wakeup.wakerSlot));
    }

    /** Fills the request with what is known of waker and wakee. */
    void fill(WakeRequest request, Wakeup wakeup, long ns) {
        int wakee = wakeup.wakeeSlot;
        int current = cpus.current[wakeup.thisCpu];
        request.thisCpu = wakeup.thisCpu;
        request.prevCpu = wakeup.prevCpu;
        request.fromInterrupt = (wakeup.context & (SchedEvents.IN_HARDIRQ | SchedEvents.IN_SOFTIRQ)) != 0;
        request.wakerIsPerCpuKthread = current > 0 && tasks.boundByName(current) == wakeup.thisCpu;
        request.wakeeWeight = AuditLoads.weight(tasks, wakee);
        request.wakerWeight = current > 0 ? AuditLoads.weight(tasks, current) : 0;
        request.wakeeLoad = request.wakeeWeight;
        request.wakerLoad = request.wakerWeight;
        int waker = wakeup.wakerSlot >= 0 ? wakeup.wakerSlot : Math.max(0, current);
        if (flips != null) {
            request.wakeeFlips = flips.of(flipIndex(wakee, 0));
            request.wakerFlips = flips.of(flipIndex(waker, wakeup.thisCpu));
        }
    }

    /** Fills the loads that the affine decision compares; the kernel works them out only then. */
    void fillLoads(WakeRequest request, Wakeup wakeup, long ns) {
        if (loads == null) {
            return;
        }
        int thisCpu = wakeup.thisCpu;
        int prevCpu = wakeup.prevCpu;
        int current = cpus.current[thisCpu];
        loads.tick(thisCpu, current, ns);
        request.wakeeLoad = loads.taskLoad(wakeup.wakeeSlot, ns);
        request.wakerLoad = current > 0 ? loads.taskLoad(current, ns) : 0;
        fillLoads(thisCpu, loads);
        fillLoads(prevCpu, loads);
    }

    private void fillLoads(int cpu, AuditLoads averages) {
        view.loadAvg[cpu] = averages.load(cpu);
        view.runnableLoad[cpu] = averages.runnableLoad(cpu);
    }

    /** A choice tells of an input that was only estimated: it is corrected. */
    void learn(MissingInput input, Alternatives alternatives, WakeRequest request, Wakeup wakeup) {
        if (input == MissingInput.SCAN_DEPTH && scanLimits != null) {
            scanLimits.learn(domains.llcId(request.prevCpu), alternatives.scanLimit(), wakeup.ns);
        } else if (input == MissingInput.FLIPS && flips != null && wakeup.wakerSlot >= 0) {
            flips.halve(flipIndex(wakeup.wakerSlot, wakeup.thisCpu), wakeup.ns);
        }
    }

    /** The recently used CPU of a task, {@link #UNKNOWN} before it has been placed. */
    int recent(int slot) {
        return recent[slot];
    }

    void setRecent(int slot, int cpu) {
        recent[slot] = cpu;
    }

    /** A search of that cache has found no idle core. */
    void noIdleCore(int llc) {
        idleCores.noneFound(llc);
    }

    /** How many CPUs a search in the cache of {@code cpu} may look at, as estimated. */
    int scanLimit(int cpu) {
        return view.nrIdleScan[domains.llcId(cpu)];
    }

    /** Fills the view with what is kept beside the CPUs' own state. */
    void fill(long ns) {
        for (int cpu = 0; cpu < cpuCount; cpu++) {
            view.hasIdleCores[cpu] = idleCores.of(cpu);
        }
        if (scanLimits != null) {
            scanLimits.fill(view.nrIdleScan, ns);
        }
        if (loads == null) {
            fillWeights();
        }
    }

    /** Eras without averages of queues: loads are sums of weights, which also stand for the first averages of 3.11 to 4.2. */
    private void fillWeights() {
        boolean allNice0 = tasks.allNice0;
        for (int cpu = 0; cpu < cpuCount; cpu++) {
            view.load[cpu] = allNice0 ? (long) running(cpu) * LoadWeights.NICE_0 : 0;
        }
        if (!allNice0) {
            for (int slot = 1; slot < tasks.size(); slot++) {
                byte state = tasks.state[slot];
                if (state == AuditTasks.QUEUED || state == AuditTasks.RUNNING) {
                    view.load[tasks.cpu[slot]] += AuditLoads.weight(tasks, slot);
                }
            }
        }
        System.arraycopy(view.load, 0, view.runnableLoad, 0, cpuCount);
    }

    /** Tasks that run or wait on a CPU. */
    int running(int cpu) {
        return cpus.queued[cpu] + (cpus.current[cpu] > 0 ? 1 : 0);
    }
}
