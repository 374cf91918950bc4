package dev.perch.trace;

import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who shares what, in the lists in which a kernel tells it and a recording keeps it: perf as features of a perf.data, Perch as text in a
 * trace.dat. A {@link Topology} is made of them so:
 *
 * <ul>
 *   <li>The LLC is the highest level of cache that keeps data.
 *   <li>Clusters are the CPUs that share a second-level cache, where that is more than a core and less than the LLC (x86 builds its cluster
 *       domain so).
 *   <li>CPUs below the highest that are in no list (they were offline) stand alone.
 *   <li>Node distances are not in the lists: remote counts as 20.
 * </ul>
 *
 * <p>As text it has a line for each list: {@code cores 0 1}, {@code packages 0-1}, {@code nodes 0-1}, and for each level
 * {@code cache LEVEL 0-1}. Other lines are left alone.
 *
 * <p>Limitation: without a list of caches there is no topology, since who shares the LLC is then not known.
 */
public record ListedTopology(
        List<CpuMask> cores, List<CpuMask> packages, List<CpuMask> nodes, List<SharedCache> caches) {
    private static final int LOCAL = 10;
    private static final int REMOTE = 20;
    private static final Pattern LINE = Pattern.compile("(?m)^(cores|packages|nodes|cache ([0-9]{1,2})) ([-,0-9 ]+)$");

    /** A cache that keeps data, and the CPUs that share it. */
    public record SharedCache(int level, CpuMask cpus) {}

    public ListedTopology {
        cores = List.copyOf(cores);
        packages = List.copyOf(packages);
        nodes = List.copyOf(nodes);
        caches = List.copyOf(caches);
    }

    /**
     * The lists in a text.
     *
     * @throws InputException one of them is not in the kernel's list format
     */
    public static ListedTopology parse(String text) {
        List<CpuMask> cores = new ArrayList<>();
        List<CpuMask> packages = new ArrayList<>();
        List<CpuMask> nodes = new ArrayList<>();
        List<SharedCache> caches = new ArrayList<>();
        Matcher line = LINE.matcher(text);
        while (line.find()) {
            List<CpuMask> sets = Stream.of(line.group(3).strip().split(" +"))
                    .map(CpuMask::parse)
                    .toList();
            switch (line.group(1)) {
                case "cores" -> cores.addAll(sets);
                case "packages" -> packages.addAll(sets);
                case "nodes" -> nodes.addAll(sets);
                default -> {
                    int level = Integer.parseInt(line.group(2));
                    sets.forEach(set -> caches.add(new SharedCache(level, set)));
                }
            }
        }
        return new ListedTopology(cores, packages, nodes, caches);
    }

    /** The lists as text, each line with a line feed. */
    public String text() {
        StringBuilder text = new StringBuilder();
        line(text, "cores", cores);
        line(text, "packages", packages);
        line(text, "nodes", nodes);
        caches.stream()
                .mapToInt(SharedCache::level)
                .distinct()
                .sorted()
                .forEach(level -> line(text, "cache " + level, level(level)));
        return text.toString();
    }

    private static void line(StringBuilder text, String name, List<CpuMask> sets) {
        if (!sets.isEmpty()) {
            text.append(name);
            sets.forEach(set -> text.append(' ').append(set.toString().replace(" ", "")));
            text.append('\n');
        }
    }

    /** The topology, or null if the lists contradict each other or tell no cores or caches. */
    public @Nullable Topology topology() {
        int lastLevel = caches.stream().mapToInt(SharedCache::level).max().orElse(0);
        if (lastLevel == 0 || cores.isEmpty()) {
            return null;
        }
        int count = 0;
        for (List<CpuMask> sets : List.of(cores, packages, nodes)) {
            for (CpuMask set : sets) {
                count = Math.max(count, set.last() + 1);
            }
        }
        List<CpuMask> llcs = complete(level(lastLevel), count);
        List<CpuMask> allCores = complete(cores, count);
        List<CpuMask> clusters = complete(level(2), count);
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

    private List<CpuMask> level(int level) {
        List<CpuMask> sets = new ArrayList<>();
        for (SharedCache cache : caches) {
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
