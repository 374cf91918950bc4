package dev.perch.trace.perfdata;

import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Topology;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Topology} from the lists that perf writes.
 *
 * <ul>
 *   <li>The LLC is the highest level of cache that keeps data.
 *   <li>Clusters are the CPUs that share a second-level cache, where that is more than a core and less than the LLC (x86 builds its cluster
 *       domain so).
 *   <li>CPUs below the highest that are in no list (they were offline) stand alone.
 *   <li>perf does not write node distances: remote counts as 20.
 * </ul>
 *
 * <p>Limitation: without a list of caches there is no topology, since who shares the LLC is then not known.
 */
final class PerfTopology {
    private static final int LOCAL = 10;
    private static final int REMOTE = 20;

    private PerfTopology() {}

    /** The topology, or null if the lists contradict each other or tell no caches. */
    static @Nullable Topology of(
            List<CpuMask> cores, List<CpuMask> packages, List<CpuMask> nodes, List<PerfFeatures.SharedCache> caches) {
        int lastLevel =
                caches.stream().mapToInt(PerfFeatures.SharedCache::level).max().orElse(0);
        if (lastLevel == 0) {
            return null;
        }
        int count = 0;
        for (List<CpuMask> sets : List.of(cores, packages, nodes)) {
            for (CpuMask set : sets) {
                count = Math.max(count, set.last() + 1);
            }
        }
        List<CpuMask> llcs = complete(level(caches, lastLevel), count);
        List<CpuMask> allCores = complete(cores, count);
        List<CpuMask> clusters = complete(level(caches, 2), count);
        List<CpuMask> allNodes = nodes.isEmpty() ? List.of(CpuMask.range(0, count - 1)) : withRest(nodes, count);
        try {
            return new Topology(
                    count,
                    allCores,
                    areClusters(clusters, allCores, llcs) ? clusters : null,
                    llcs,
                    complete(packages, count),
                    allNodes,
                    distances(allNodes.size()));
        } catch (InputException _) {
            return null;
        }
    }

    private static List<CpuMask> level(List<PerfFeatures.SharedCache> caches, int level) {
        List<CpuMask> sets = new ArrayList<>();
        for (PerfFeatures.SharedCache cache : caches) {
            if (cache.level() == level && !cache.cpus().isEmpty() && !sets.contains(cache.cpus())) {
                sets.add(cache.cpus());
            }
        }
        return sets;
    }

    /** The sets, and one for each CPU that is in none. */
    private static List<CpuMask> complete(List<CpuMask> sets, int count) {
        List<CpuMask> all = new ArrayList<>(sets);
        CpuMask rest = rest(sets, count);
        for (int cpu = rest.first(); cpu >= 0; cpu = rest.next(cpu + 1)) {
            all.add(CpuMask.of(cpu));
        }
        return all;
    }

    /** Nodes keep their numbers: CPUs that are in none go to the first. */
    private static List<CpuMask> withRest(List<CpuMask> nodes, int count) {
        List<CpuMask> all = new ArrayList<>(nodes);
        all.set(0, nodes.getFirst().or(rest(nodes, count)));
        return all;
    }

    private static CpuMask rest(List<CpuMask> sets, int count) {
        CpuMask rest = CpuMask.range(0, count - 1);
        for (CpuMask set : sets) {
            rest = rest.minus(set);
        }
        return rest;
    }

    private static boolean areClusters(List<CpuMask> clusters, List<CpuMask> cores, List<CpuMask> llcs) {
        boolean moreThanCores = clusters.stream().anyMatch(cluster -> !cores.contains(cluster));
        boolean lessThanLlcs = clusters.stream().anyMatch(cluster -> !llcs.contains(cluster));
        boolean wholeCores =
                cores.stream().allMatch(core -> clusters.stream().anyMatch(cluster -> cluster.containsAll(core)));
        return moreThanCores && lessThanLlcs && wholeCores;
    }

    private static int[][] distances(int nodes) {
        int[][] distances = new int[nodes][nodes];
        for (int from = 0; from < nodes; from++) {
            for (int to = 0; to < nodes; to++) {
                distances[from][to] = from == to ? LOCAL : REMOTE;
            }
        }
        return distances;
    }
}
