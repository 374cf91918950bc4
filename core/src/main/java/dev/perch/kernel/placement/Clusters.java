package dev.perch.kernel.placement;

import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;

/**
 * Which CPUs are of one cluster ({@code cpus_share_resources}), 6.7+. Source: placement.md 7.5. Without clusters all CPUs count as of one.
 */
final class Clusters {
    /** Lowest CPU of the cluster domain, else of the LLC, by CPU. */
    private final int[] id;

    private final boolean active;

    /** @param known the era knows clusters */
    Clusters(SchedDomains domains, boolean known) {
        id = new int[domains.cpuCount()];
        boolean some = false;
        for (int cpu = 0; cpu < id.length; cpu++) {
            SchedDomain cluster = domains.lowestWith(cpu, DomainFlags.CLUSTER);
            some |= cluster != null;
            id[cpu] = cluster == null ? domains.llcId(cpu) : cluster.span().first();
        }
        active = known && some;
    }

    /** Whether searches take clusters into account on this machine ({@code sched_cluster_active}). */
    boolean active() {
        return active;
    }

    boolean same(int a, int b) {
        return !active || id[a] == id[b];
    }
}
