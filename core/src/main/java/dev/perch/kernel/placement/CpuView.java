package dev.perch.kernel.placement;

import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.model.CpuMask;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What placement rules may look at, and the counter of what they touched.
 *
 * <p>The public arrays are indexed by CPU and kept up to date by the view's owner. Rules read them only through the methods, which
 * count: every look at another CPU's runqueue is a <i>probe</i> (an idle test, a load), every operation over whole masks a <i>mask
 * operation</i>. The owner turns the counts of a decision into time. The rules of these eras take no lock.
 */
public final class CpuView {
    /** The idle thread is on the CPU. */
    public final boolean[] currentIdle;

    /** Runnable tasks of all classes, the running one included, the idle thread not. */
    public final int[] nrRunning;

    /** The wake list is not empty: a remote wakeup has been queued there and not yet drained. */
    public final boolean[] wakePending;

    /** Sum of the load weights of the queued and running fair tasks, nice 0 = 1024. */
    public final long[] load;

    /** Capacity left for fair tasks, 1024 = a core of its own; set to the constant of machines without interrupt load, 8.6. */
    public final int[] capacity;

    /** CPUs probed in the last decision, in order, the first {@link #probeCount} entries; a CPU may appear more than once. */
    public int[] probedCpu;

    /** Number of probes in the last decision. */
    public int probeCount;

    /** Number of operations over whole masks in the last decision. */
    public int maskOperations;

    private final boolean currentOnly;
    private PlacementListener listener = PlacementListener.NONE;
    private boolean listening;

    /** A view of an idle machine. */
    public CpuView(SchedDomains domains, IdlePredicate predicate) {
        int cpus = domains.cpuCount();
        currentIdle = new boolean[cpus];
        nrRunning = new int[cpus];
        wakePending = new boolean[cpus];
        load = new long[cpus];
        capacity = new int[cpus];
        probedCpu = new int[4 * cpus];
        currentOnly = predicate == IdlePredicate.CURRENT_ONLY;
        Arrays.fill(currentIdle, true);
        for (int cpu = 0; cpu < cpus; cpu++) {
            capacity[cpu] = fullCapacity(domains.lowest(cpu));
        }
    }

    /** Capacity by placement.md 8.6 (until 4.20): SMT threads share 1178 (a gain of 15 %) evenly, other CPUs have 1024. */
    private static int fullCapacity(@Nullable SchedDomain lowest) {
        if (lowest == null || !lowest.has(DomainFlags.SHARE_CAPACITY)) {
            return 1024;
        }
        return 1178 / lowest.weight();
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
    }

    /** Whether {@code cpu} is idle by the era's predicate; a probe. */
    boolean idle(int cpu) {
        probe(cpu);
        boolean idle = currentIdle[cpu] && (currentOnly || nrRunning[cpu] == 0 && !wakePending[cpu]);
        report(PlacementStep.IDLE, cpu, idle);
        return idle;
    }

    /** Weight sum of {@code cpu}; a probe. */
    long load(int cpu) {
        probe(cpu);
        return load[cpu];
    }

    /** Whether the sets have a common CPU; a mask operation. */
    boolean intersect(CpuMask a, CpuMask b) {
        maskOperations++;
        return a.intersects(b);
    }

    void report(PlacementStep step, int cpu, boolean taken) {
        if (listening) {
            listener.step(step, cpu, taken);
        }
    }

    private void probe(int cpu) {
        if (probeCount == probedCpu.length) {
            probedCpu = Arrays.copyOf(probedCpu, 2 * probeCount);
        }
        probedCpu[probeCount++] = cpu;
    }
}
