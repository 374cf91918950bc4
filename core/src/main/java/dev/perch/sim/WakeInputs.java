package dev.perch.sim;

import dev.perch.kernel.KernelVersion;
import dev.perch.kernel.RuleSets;
import dev.perch.kernel.TaskTable;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.fair.Runqueue;
import dev.perch.kernel.load.IdleCores;
import dev.perch.kernel.load.IdleScanLimit;
import dev.perch.kernel.load.IdleTime;
import dev.perch.kernel.load.LoadTracking;
import dev.perch.kernel.load.ScanCost;
import dev.perch.kernel.load.WakeFlips;
import dev.perch.kernel.placement.CpuView;
import dev.perch.kernel.placement.WakeKind;
import dev.perch.kernel.placement.WakeRequest;
import dev.perch.model.CostItem;
import dev.perch.model.CpuMask;
import org.jspecify.annotations.Nullable;

/**
 * What the placement rules of a run remember from one wakeup to the next, and what they read of idle CPUs: whom tasks wake, where they ran
 * before, how long CPUs are idle and searches take, whether a cache has an idle core and how many of its CPUs are worth a look (spec
 * placement.md 4.2, 5.6, 5.7, 5.9, 7.2).
 *
 * <p>Nothing is kept for kernels before 3.11, whose rules read none of it. The idle threads are tasks of their own here, {@code
 * taskCount} + CPU: they are who wakes when an interrupt hits an idle CPU.
 */
final class WakeInputs {
    private final Run run;
    private final CpuView view;
    private final boolean kept;
    private final boolean agesIdleTime;
    /** Flips are counted by the class hook, which is not called for a task with one allowed CPU; before, for every wakeup. */
    private final boolean onlyPlacedFlip;

    private final @Nullable WakeFlips flips;
    private final int[] recent;
    private final @Nullable IdleCores idleCores;
    private final IdleCores.Cpus idle = this::isIdle;
    private final ScanCost scanCost;
    private final IdleScanLimit idleScanLimit;
    private final int[] llcSize;

    WakeInputs(Run run) {
        this.run = run;
        view = run.view;
        RuleSets rules = run.kernel.rules();
        LoadTracking tracking = LoadTracking.named(rules.loadTracking());
        kept = tracking.cpuLoads() != LoadTracking.CpuLoads.WEIGHT;
        agesIdleTime = tracking.idleTime() == IdleTime.Form.AGED;
        onlyPlacedFlip = run.kernel.version().compareTo(KernelVersion.parse("v4.7")) >= 0;
        int threads = run.taskCount + run.cpuCount;
        flips = tracking.flips() == LoadTracking.Flips.UNCOUNTED ? null : new WakeFlips(tracking.flips(), threads);
        recent = new int[kept ? threads : 0];
        idleCores = tracking.hasAverages() && run.topology.hasSmt()
                ? new IdleCores(run.topology, run.domains, view.hasIdleCores)
                : null;
        scanCost = new ScanCost(view.avgScanCost);
        idleScanLimit = new IdleScanLimit(view.nrIdleScan);
        llcSize = new int[run.cpuCount];
        for (int cpu = 0; cpu < run.cpuCount; cpu++) {
            SchedDomain llc = run.domains.llc(cpu);
            llcSize[cpu] = llc == null ? 1 : llc.weight();
            if (kept && llc != null) {
                // the machine has been up and idle for long when a run begins: its last balance saw no load
                idleScanLimit.idle(run.domains.llcId(cpu), llcSize[cpu]);
            }
            idleTimeChanged(cpu);
            view.wakeAvgIdle[cpu] = view.avgIdle[cpu];
        }
    }

    /** A new task begins on {@code cpu}. */
    void begin(int task, int cpu) {
        if (kept) {
            recent[task] = cpu;
            if (flips != null) {
                flips.begin(task, run.now);
            }
        }
    }

    /** A wakeup, or a new task, is about to be placed: says what the rules may read of it besides what all kernels' rules read. */
    void describe(WakeRequest request, int cpu, int wakee, boolean fromInterrupt) {
        if (!kept) {
            return;
        }
        int current = run.cpus.current[cpu];
        int waker = threadOn(cpu);
        view.tick = run.interrupts.jiffies();
        request.fromInterrupt = fromInterrupt;
        request.wakerIsPerCpuKthread = run.programs.perCpuKthread[current];
        if (flips != null) {
            if (request.kind == WakeKind.WAKE && (!onlyPlacedFlip || request.allowedCount > 1)) {
                flips.record(waker, wakee, run.now);
            }
            request.wakerFlips = flips.of(waker);
            request.wakeeFlips = flips.of(wakee);
        }
        request.recentCpu = recent[wakee];
        request.wakerRecentCpu = recent[waker];
        run.loads.describe(request, wakee, current);
    }

    /** The rules have decided: keeps what they remember, and accounts for the time of their scan. */
    void decided(WakeRequest request, int cpu, int wakee) {
        if (!kept) {
            return;
        }
        recent[wakee] = request.recentCpu;
        recent[threadOn(cpu)] = request.wakerRecentCpu;
        if (view.timedScanProbes >= 0) {
            long time = scanNs(cpu);
            scanCost.fold(cpu, time);
            if (agesIdleTime) {
                view.wakeAvgIdle[cpu] -= Math.min(view.wakeAvgIdle[cpu], time);
            }
        }
    }

    private int threadOn(int cpu) {
        int current = run.cpus.current[cpu];
        return current == TaskTable.IDLE_TASK ? run.taskCount + cpu : current;
    }

    /** How long the timed scan takes at the present speed of the CPU that made it. */
    private long scanNs(int cpu) {
        int count = view.timedScanProbes;
        long wall = (long) count * run.costs.wallNs(CostItem.PROBE);
        for (int probe = view.timedScanFirst; probe < view.timedScanFirst + count; probe++) {
            wall += run.costs.lineNs(CostItem.PROBE, view.probedCpu[probe], cpu);
        }
        return wall + run.processors.wallNs(cpu, (long) count * run.costs.coreNs(CostItem.PROBE));
    }

    /** A wakeup has been put on a CPU's queue. */
    void activated(int cpu, boolean wasIdle) {
        if (kept && wasIdle) {
            idleTimeChanged(cpu);
            if (agesIdleTime) {
                view.wakeAvgIdle[cpu] = view.avgIdle[cpu] / 2;
                view.wakeStamp[cpu] = run.interrupts.jiffies();
            }
        }
    }

    /** An idle period of a CPU has begun, or ended, or been called off. */
    void idleTimeChanged(int cpu) {
        IdleTime idleTime = run.runqueues[cpu].idleTime();
        view.avgIdle[cpu] = idleTime.average();
        view.idleStamp[cpu] = idleTime.stamped() ? idleTime.since() : 0;
    }

    /** How often a task has changed whom it wakes, as far as that is counted and not forgotten. */
    int flipsOf(int task) {
        return flips == null ? 0 : flips.of(task);
    }

    /** A CPU has picked its idle thread. */
    void pickedIdle(int cpu) {
        if (idleCores != null) {
            idleCores.pickedIdle(cpu, idle);
        }
    }

    private boolean isIdle(int cpu) {
        return run.cpus.isIdle(cpu) && view.nrRunning[cpu] == 0 && !view.wakePending[cpu];
    }

    /**
     * Balancing has taken the statistics of a domain, and was not of the newly idle kind: sets how many CPUs of the cache are worth a look
     * if the domain is as large as the cache ({@code update_idle_cpu_scan}).
     *
     * @param cpu that balances
     */
    void statisticsTaken(int cpu, CpuMask span, int imbalancePercent) {
        if (kept && span.count() == llcSize[cpu] && llcSize[cpu] > 1) {
            long utilSum = 0;
            for (int other = span.first(); other >= 0; other = span.next(other + 1)) {
                utilSum += run.loads.cpuUtil(other);
            }
            idleScanLimit.update(run.domains.llcId(cpu), utilSum, llcSize[cpu], imbalancePercent);
        }
    }

    /** Whether a CPU's queue counts the time it has been idle; before a wakeup is put on it. */
    boolean isIdleTimed(int cpu) {
        Runqueue runqueue = run.runqueues[cpu];
        return kept && runqueue.idleTime().stamped();
    }
}
