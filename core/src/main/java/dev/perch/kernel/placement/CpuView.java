package dev.perch.kernel.placement;

import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.load.FairCapacity;
import dev.perch.kernel.load.LoadTracking;
import dev.perch.model.CpuMask;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What placement rules may look at, and the counter of what they touched.
 *
 * <p>The public arrays are kept up to date by the view's owner, a simulation or the state rebuilt from a recording; an owner need not
 * fill what the kernel's rules do not read. They are indexed by CPU unless they say otherwise. Rules read other CPUs only through the
 * methods, which count: every look at another CPU's runqueue is a <i>probe</i> (an idle test, a load), every operation over whole masks
 * a <i>mask operation</i>. The owner turns the counts of a decision into time. The rules take no lock.
 */
public final class CpuView {
    /** The idle thread is on the CPU. */
    public final boolean[] currentIdle;

    /** Runnable tasks of all classes, the running one included, the idle thread not; from 6.12 with delayed ones. */
    public final int[] nrRunning;

    /** A remote wakeup has been queued there and not yet drained. */
    public final boolean[] wakePending;

    /** The host does not run this virtual CPU ({@code vcpu_is_preempted}), so that it is not available though idle; 4.18+, guests. */
    public final boolean[] vcpuPreempted;

    /** Fair tasks that are idle-class work, counted through all groups ({@code idle_h_nr_running}); 5.4+. */
    public final int[] schedIdle;

    /** Fair tasks that sleep but have not been dequeued yet ({@code sched_delayed}); 6.12+. */
    public final int[] delayed;

    /** Sum of the load weights of the queued and running fair tasks, nice 0 = 1024. */
    public final long[] load;

    /** PELT load average of the runnable fair tasks only ({@code runnable_load_avg}); 3.11 – 5.4. */
    public final long[] runnableLoad;

    /** PELT load average of the root fair queue, blocked tasks included ({@code cfs.avg.load_avg}). */
    public final long[] loadAvg;

    /** PELT runnable average of the root fair queue, 1024 = one always runnable task. */
    public final long[] runnableAvg;

    /** PELT utilisation of the root fair queue, 0–1024. */
    public final long[] utilAvg;

    /** Utilisation that is expected of the queued tasks ({@code util_est.enqueued}); 4.17+, 0 without UTIL_EST. */
    public final long[] utilEst;

    /** Capacity left for fair tasks, 1024 = a core of its own; set to the constant of machines without interrupt load, 8.6. */
    public final int[] capacity;

    /** Capacity of the CPU itself ({@code capacity_orig}), 1024 = the machine's fastest. */
    public final int[] originalCapacity;

    /** When the CPU last became idle, ns ({@code idle_stamp}); 0 if it is not idle. */
    public final long[] idleStamp;

    /** Exit latency of the idle state that the CPU is in, ns; −1 if unknown or in none. */
    public final int[] exitLatencyNs;

    /** Average idle time, ns ({@code avg_idle}); initially twice the migration cost. */
    public final long[] avgIdle;

    /** Average idle time as searches of 5.14 – 6.6 use it up, ns ({@code wake_avg_idle}). */
    public final long[] wakeAvgIdle;

    /** Tick in which {@link #wakeAvgIdle} was last set or aged ({@code wake_stamp}). */
    public final long[] wakeStamp;

    /**
     * Average cost of a search from this CPU over its LLC, ns ({@code avg_scan_cost} of the waker's LLC domain). The owner folds in what
     * {@link #timedScanProbes} tells.
     */
    public final long[] avgScanCost;

    /** Whether the LLC is believed to have an idle core ({@code has_idle_cores}); indexed by the LLC's lowest CPU. */
    public final boolean[] hasIdleCores;

    /** CPUs that SIS_UTIL lets a search visit ({@code nr_idle_scan}); indexed by the LLC's lowest CPU. */
    public final int[] nrIdleScan;

    /** Current tick, as {@link #wakeStamp} counts. */
    public long tick;

    /** CPUs probed in the last decision, in order, the first {@link #probeCount} entries; a CPU may appear more than once. */
    public int[] probedCpu;

    /** Number of probes in the last decision. */
    public int probeCount;

    /** Number of operations over whole masks in the last decision. */
    public int maskOperations;

    /**
     * Number of CPUs that the last decision's timed scan looked at, or −1 if there is no time to account for: no scan was made, its
     * budget ran out before it found a CPU or had looked at all, or the era does not time scans (from 5.12 only with SIS_PROP, and
     * never one for a whole core).
     *
     * <p>With {@code time} the duration of so many probes, the owner then does {@code avgScanCost[this] += (time - avgScanCost[this]) / 8},
     * where {@code this} is the waker's CPU, and from 5.14 to 6.6 also {@code wakeAvgIdle[this] -= min(wakeAvgIdle[this], time)}. The
     * halving of {@link #wakeAvgIdle} by ticks is done by the rules.
     */
    public int timedScanProbes;

    /** Where the probes of the timed scan begin in {@link #probedCpu}, if there is one. */
    public int timedScanFirst;

    /** What the last decision's scan of a last-level cache came to. */
    public ScanResult scan = ScanResult.NONE;

    /** Who knows what load in task groups does to the root queue; kernels to 4.12 ask. */
    public EffectiveLoads groups = EffectiveLoads.NONE;

    private final boolean currentOnly;
    private final boolean asksHost;
    private PlacementListener listener = PlacementListener.NONE;
    private boolean listening;

    /** A view of an idle machine. */
    CpuView(SchedDomains domains, IdlePredicate predicate, LoadTracking.Capacity rule) {
        int cpus = domains.cpuCount();
        currentIdle = new boolean[cpus];
        nrRunning = new int[cpus];
        wakePending = new boolean[cpus];
        vcpuPreempted = new boolean[cpus];
        schedIdle = new int[cpus];
        delayed = new int[cpus];
        load = new long[cpus];
        runnableLoad = new long[cpus];
        loadAvg = new long[cpus];
        runnableAvg = new long[cpus];
        utilAvg = new long[cpus];
        utilEst = new long[cpus];
        capacity = new int[cpus];
        originalCapacity = new int[cpus];
        idleStamp = new long[cpus];
        exitLatencyNs = new int[cpus];
        avgIdle = new long[cpus];
        wakeAvgIdle = new long[cpus];
        wakeStamp = new long[cpus];
        avgScanCost = new long[cpus];
        hasIdleCores = new boolean[cpus];
        nrIdleScan = new int[cpus];
        probedCpu = new int[4 * cpus];
        currentOnly = predicate == IdlePredicate.CURRENT_ONLY;
        asksHost = predicate.asksHost();
        Arrays.fill(currentIdle, true);
        Arrays.fill(exitLatencyNs, -1);
        for (int cpu = 0; cpu < cpus; cpu++) {
            originalCapacity[cpu] = domains.capacity(cpu);
            capacity[cpu] = capacity(rule, domains.lowest(cpu), originalCapacity[cpu]);
        }
    }

    /** What a CPU has for fair tasks while nothing else takes of it; 8.6. */
    private static int capacity(LoadTracking.Capacity rule, @Nullable SchedDomain lowest, int original) {
        return switch (rule) {
            case SMT_SHARE -> {
                boolean smt = lowest != null && lowest.has(DomainFlags.SHARE_CAPACITY);
                int share = FairCapacity.shared(lowest != null && smt ? lowest.weight() : 1, FairCapacity.WHOLE, 0);
                yield Math.max(1, share * original / FairCapacity.WHOLE);
            }
            case OF_ARCHITECTURE -> FairCapacity.left(original, 0, 0);
        };
    }

    /** The probes of a scan end here whose first one is given: it counts as timed. */
    void timed(int first) {
        timedScanFirst = first;
        timedScanProbes = probeCount - first;
    }

    /** Who hears the steps of decisions from now on; {@link PlacementListener#NONE} to stop. */
    public void listenWith(PlacementListener listener) {
        this.listener = listener;
        listening = !listener.equals(PlacementListener.NONE);
    }

    /** Starts the counts of a new decision. */
    void begin() {
        probeCount = 0;
        maskOperations = 0;
        timedScanProbes = -1;
        scan = ScanResult.NONE;
    }

    /** The scan may look at no more CPUs. */
    void budgetSpent(int next) {
        scan = ScanResult.BUDGET_SPENT;
        report(PlacementStep.BUDGET_SPENT, next, true);
    }

    /** A scan of a last-level cache is over: {@code found} is the idle CPU, or negative. */
    void scanned(int found) {
        if (found >= 0) {
            scan = ScanResult.FOUND;
        } else if (scan == ScanResult.NONE) {
            scan = ScanResult.NOTHING_IDLE;
        }
    }

    /** Whether {@code cpu} is idle by the era's predicate ({@code idle_cpu}, {@code available_idle_cpu}); a probe. */
    public boolean idle(int cpu) {
        probe(cpu);
        boolean idle = isIdle(cpu);
        report(PlacementStep.IDLE, cpu, idle);
        return idle;
    }

    /** Whether {@code cpu} is idle or runs only SCHED_IDLE work ({@code sched_idle_cpu}), 5.4+; a probe. */
    public boolean idleOrSchedIdle(int cpu) {
        probe(cpu);
        boolean idle = isIdle(cpu);
        report(PlacementStep.IDLE, cpu, idle);
        return idle || schedIdle(cpu);
    }

    /** Whether {@code cpu}, which has been probed already, runs only SCHED_IDLE work. */
    public boolean schedIdle(int cpu) {
        boolean only = nrRunning[cpu] > 0 && nrRunning[cpu] == schedIdle[cpu];
        if (only) {
            report(PlacementStep.SCHED_IDLE, cpu, true);
        }
        return only;
    }

    private boolean isIdle(int cpu) {
        return currentIdle[cpu]
                && (currentOnly || nrRunning[cpu] == 0 && !wakePending[cpu])
                && !(asksHost && vcpuPreempted[cpu]);
    }

    /** Weight sum of {@code cpu}; a probe. */
    public long load(int cpu) {
        probe(cpu);
        return load[cpu];
    }

    /** PELT load of the runnable tasks of {@code cpu}; a probe. */
    public long runnableLoad(int cpu) {
        probe(cpu);
        return runnableLoad[cpu];
    }

    /** PELT load of {@code cpu}, blocked tasks included; a probe. */
    public long loadAvg(int cpu) {
        probe(cpu);
        return loadAvg[cpu];
    }

    /** By how much the load of the root queue of {@code cpu} changes; see {@link EffectiveLoads#effectiveLoad}. */
    long effectiveLoad(int group, int cpu, long onCpu, long inGroup) {
        return group == EffectiveLoads.ROOT ? onCpu : groups.effectiveLoad(group, cpu, onCpu, inGroup);
    }

    /** Whether the sets have a common CPU; a mask operation. */
    public boolean intersect(CpuMask a, CpuMask b) {
        maskOperations++;
        return a.intersects(b);
    }

    /** A step has been done; for explanations. */
    public void report(PlacementStep step, int cpu, boolean taken) {
        if (listening) {
            listener.step(step, cpu, taken);
        }
    }

    /** Tells the numbers that a step compares, before the step itself; for explanations. */
    void compare(PlacementStep step, long left, long right) {
        if (listening) {
            listener.compared(step, left, right);
        }
    }

    /** A look at the runqueue of {@code cpu}. */
    void probe(int cpu) {
        if (probeCount == probedCpu.length) {
            probedCpu = Arrays.copyOf(probedCpu, 2 * probeCount);
        }
        probedCpu[probeCount++] = cpu;
    }
}
