package dev.perch.kernel.domain;

import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The scheduling domains of a machine under an era's rules: a chain for each CPU, and what the kernel caches of it. Immutable.
 *
 * <p>Lookups by CPU are single array accesses. A partition is the machine less its isolated CPUs, or the CPUs of an exclusive cpuset: CPUs of different partitions never share a
 * domain. CPUs outside all partitions have none. Source: placement.md 11.
 */
public final class SchedDomains {
    private final DomainRules rules;
    private final List<CpuMask> partitions;
    private final int[] partitionOf;
    private final @Nullable SchedDomain[] lowest;
    private final @Nullable SchedDomain[] llc;
    private final int[] llcId;
    private final int[] llcSize;
    private final @Nullable SchedDomain[] asymCapacity;
    private final int[] clusterId;
    private final int[] nodeOf;
    private final int[] capacity;
    private final boolean clustersActive;
    private final List<SchedDomain> all;

    private SchedDomains(Topology topology, List<CpuMask> partitions, DomainRules rules) {
        int cpus = topology.cpuCount();
        this.rules = rules;
        this.partitions = List.copyOf(partitions);
        partitionOf = partitionIndex(this.partitions, cpus);
        lowest = new SchedDomain[cpus];
        llc = new SchedDomain[cpus];
        llcId = new int[cpus];
        llcSize = new int[cpus];
        asymCapacity = new SchedDomain[cpus];
        clusterId = new int[cpus];
        nodeOf = new int[cpus];
        capacity = new int[cpus];
        List<DomainBuilder> builders = this.partitions.stream()
                .map(partition -> new DomainBuilder(topology, partition, rules))
                .toList();
        int visible = rules.since(DomainRules.FROM_5_14) ? DomainFlags.ASYM_CAPACITY_FULL : DomainFlags.ASYM_CAPACITY;
        boolean clusters = false;
        List<SchedDomain> found = new ArrayList<>();
        for (int cpu = 0; cpu < cpus; cpu++) {
            lowest[cpu] =
                    partitionOf[cpu] < 0 ? null : builders.get(partitionOf[cpu]).chain(cpu);
            for (SchedDomain d = lowest[cpu]; d != null; d = d.parent()) {
                d.setIndex(found.size());
                found.add(d);
            }
            llc[cpu] = highestSharingCache(lowest[cpu]);
            llcId[cpu] = llc[cpu] == null ? cpu : llc[cpu].span().first();
            llcSize[cpu] = llc[cpu] == null ? 1 : llc[cpu].weight();
            asymCapacity[cpu] = lowestWith(visible, lowest[cpu]);
            SchedDomain cluster = lowestWith(DomainFlags.CLUSTER, lowest[cpu]);
            clusters |= cluster != null;
            clusterId[cpu] = cluster == null ? llcId[cpu] : cluster.span().first();
            nodeOf[cpu] = topology.nodeOf(cpu);
            capacity[cpu] = topology.capacity(cpu);
        }
        clustersActive = clusters;
        all = List.copyOf(found);
    }

    /**
     * Builds the domains.
     *
     * @param partitions sets of CPUs without a common member; usually one, {@code topology.cpus()}
     * @throws InputException if a partition is empty, names a CPU that the machine lacks, or shares a CPU with another
     */
    public static SchedDomains build(Topology topology, List<CpuMask> partitions, DomainRules rules) {
        return new SchedDomains(topology, partitions, rules);
    }

    private static int[] partitionIndex(List<CpuMask> partitions, int cpus) {
        int[] index = new int[cpus];
        Arrays.fill(index, -1);
        for (int i = 0; i < partitions.size(); i++) {
            CpuMask partition = partitions.get(i);
            if (partition.isEmpty()) {
                throw new InputException("a cpuset without CPUs has no sched domains; name at least one CPU");
            }
            if (partition.last() >= cpus) {
                throw new InputException("cpuset " + partition + " names CPU " + partition.last()
                        + ", but the machine has only CPUs 0-" + (cpus - 1));
            }
            for (int cpu = partition.first(); cpu >= 0; cpu = partition.next(cpu + 1)) {
                if (index[cpu] >= 0) {
                    throw new InputException("CPU " + cpu + " is in cpuset " + partitions.get(index[cpu])
                            + " and in cpuset " + partition + "; exclusive cpusets have no CPU in common");
                }
                index[cpu] = i;
            }
        }
        return index;
    }

    private static @Nullable SchedDomain highestSharingCache(@Nullable SchedDomain lowest) {
        SchedDomain highest = null;
        for (SchedDomain d = lowest; d != null && d.has(DomainFlags.SHARE_CACHE); d = d.parent()) {
            highest = d;
        }
        return highest;
    }

    private static @Nullable SchedDomain lowestWith(int flag, @Nullable SchedDomain lowest) {
        SchedDomain domain = lowest;
        while (domain != null && !domain.has(flag)) {
            domain = domain.parent();
        }
        return domain;
    }

    public DomainRules rules() {
        return rules;
    }

    public int cpuCount() {
        return lowest.length;
    }

    /** The smallest domain of a CPU, from which {@link SchedDomain#parent} climbs; null if it has none. */
    public @Nullable SchedDomain lowest(int cpu) {
        return lowest[cpu];
    }

    /** The highest domain reached from the bottom through domains that share a cache ({@code sd_llc}); null if there is none. */
    public @Nullable SchedDomain llc(int cpu) {
        return llc[cpu];
    }

    /** Lowest CPU of the LLC domain ({@code sd_llc_id}); the CPU itself if it has none. */
    public int llcId(int cpu) {
        return llcId[cpu];
    }

    /** Number of CPUs of the LLC domain ({@code sd_llc_size}); 1 if there is none. */
    public int llcSize(int cpu) {
        return llcSize[cpu];
    }

    /** Whether two CPUs have the same LLC domain ({@code cpus_share_cache}). */
    public boolean shareCache(int a, int b) {
        return llcId[a] == llcId[b];
    }

    /**
     * The lowest domain of a CPU in which CPUs of unequal capacity are, from 5.14 on of all capacities of the partition
     * ({@code sd_asym_cpucapacity}); null if there is none, and before 4.9.
     */
    public @Nullable SchedDomain asymCapacity(int cpu) {
        return asymCapacity[cpu];
    }

    /** Lowest CPU of the lowest domain that is a cluster ({@code sd_share_id}, 6.7 on); {@link #llcId} where there is none. */
    public int clusterId(int cpu) {
        return clusterId[cpu];
    }

    /** Whether some CPU has a domain that is a cluster ({@code sched_cluster_active}, 6.7 on). */
    public boolean clustersActive() {
        return clustersActive;
    }

    /** Whether two CPUs are in one cluster; always true if {@link #clustersActive} is false. */
    public boolean sameCluster(int a, int b) {
        return !clustersActive || clusterId[a] == clusterId[b];
    }

    /** Number of a CPU's NUMA node. */
    public int nodeOf(int cpu) {
        return nodeOf[cpu];
    }

    /** What a CPU can do, of 1024 for the machine's largest ({@code arch_scale_cpu_capacity}). */
    public int capacity(int cpu) {
        return capacity[cpu];
    }

    public List<CpuMask> partitions() {
        return partitions;
    }

    /** The partition that a CPU is in; empty for an isolated CPU. */
    public CpuMask partitionOf(int cpu) {
        return partitionOf[cpu] < 0 ? CpuMask.empty() : partitions.get(partitionOf[cpu]);
    }

    /** Every domain, at its {@link SchedDomain#index}: CPU by CPU, each chain bottom-up. */
    public List<SchedDomain> all() {
        return all;
    }
}
