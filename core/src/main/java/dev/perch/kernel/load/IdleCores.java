package dev.perch.kernel.load;

import dev.perch.kernel.domain.SchedDomains;
import dev.perch.model.CpuMask;
import dev.perch.model.Topology;

/**
 * Whether a last-level cache is believed to have a core of which all threads are idle ({@code has_idle_cores}, {@code
 * __update_idle_core}, {@code set_idle_cores} of Linux 4.9 and later; spec: placement.md 5.9).
 *
 * <p>It is a belief: true until a search for such a core fails, even after the last one has become busy; false until a CPU goes idle on an
 * idle core, even if a search failed only because its task was not allowed everywhere. Without SMT, or without a cache domain, false.
 */
public final class IdleCores {
    /** Who can say whether a CPU is idle, by the era's predicate. */
    public interface Cpus {
        boolean idle(int cpu);
    }

    private static final int NONE = -1;

    private final boolean smtActive;
    private final CpuMask[] threads;
    private final int[] llc;
    private final boolean[] has;

    /** No core believed idle. */
    public IdleCores(Topology topology, SchedDomains domains) {
        this(topology, domains, new boolean[topology.cpuCount()]);
    }

    /**
     * Beliefs that are kept in {@code has}, where placement rules read and clear them.
     *
     * @param has by the lowest CPU of each cache
     */
    public IdleCores(Topology topology, SchedDomains domains, boolean[] has) {
        this.has = has;
        int cpus = topology.cpuCount();
        threads = new CpuMask[cpus];
        llc = new int[cpus];
        for (int cpu = 0; cpu < cpus; cpu++) {
            threads[cpu] = topology.smt(cpu);
            llc[cpu] = domains.llc(cpu) == null ? NONE : domains.llcId(cpu);
        }
        smtActive = topology.hasSmt();
    }

    /** Whether the cache of {@code cpu} is believed to have an idle core. */
    public boolean of(int cpu) {
        return llc[cpu] != NONE && has[llc[cpu]];
    }

    /** {@code cpu} picks its idle thread; looks at the other threads of its core unless the belief is true already. */
    public void pickedIdle(int cpu, Cpus cpus) {
        if (!smtActive || llc[cpu] == NONE || has[llc[cpu]]) {
            return;
        }
        CpuMask core = threads[cpu];
        for (int thread = core.first(); thread >= 0; thread = core.next(thread + 1)) {
            if (thread != cpu && !cpus.idle(thread)) {
                return;
            }
        }
        has[llc[cpu]] = true;
    }

    /** A search of the cache of {@code cpu} has found no idle core. */
    public void noneFound(int cpu) {
        if (llc[cpu] != NONE) {
            has[llc[cpu]] = false;
        }
    }

    /** Sets the belief of the cache of {@code cpu}, as a recording or a user states it. */
    public void set(int cpu, boolean believed) {
        if (llc[cpu] != NONE) {
            has[llc[cpu]] = believed;
        }
    }
}
