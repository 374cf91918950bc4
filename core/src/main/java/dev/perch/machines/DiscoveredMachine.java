package dev.perch.machines;

import dev.perch.model.Cache;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Machine;
import dev.perch.model.Origin;
import dev.perch.model.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/**
 * Makes a machine without costs from what an operating system or a tool tells about each CPU.
 *
 * <p>The last-level cache is the data or unified cache of the highest level, cut at the package, as {@code cpu_llc_shared_mask} of Linux
 * is on x86. A cluster is what the source calls so, or else the CPUs that share an L2, if that is more than a core and less than the
 * last-level cache. What the source does not tell is assumed and stands in {@link Machine#origins} as such.
 *
 * <p>Limitation: CPU numbers must have no gaps, so a machine with an offline CPU below its highest online one is refused.
 */
final class DiscoveredMachine {
    /**
     * What a source tells about one CPU; an empty set where it tells nothing.
     *
     * @param core hardware threads of its core, itself included
     * @param cluster as the source calls it
     * @param pkg the CPUs of its socket
     * @param caches that it sees
     * @param capacity 1 to 1024; 1024 if not told
     */
    record CpuFacts(CpuMask core, CpuMask cluster, CpuMask pkg, List<Cache> caches, int capacity) {}

    /**
     * One NUMA node.
     *
     * @param cpus may be empty: memory only
     * @param distances to the nodes in number order, this one included; empty if not told
     */
    record NodeFacts(CpuMask cpus, List<Integer> distances) {}

    private final String source;
    private final List<CpuFacts> cpus;
    private final CpuMask all;
    private final Map<String, Origin> origins = new LinkedHashMap<>();

    private DiscoveredMachine(String source, List<CpuFacts> cpus) {
        this.source = source;
        this.cpus = cpus;
        all = CpuMask.range(0, cpus.size() - 1);
    }

    /**
     * Makes the machine.
     *
     * @param name as the user gave it
     * @param source what was read, for people
     * @param cpus by CPU number
     * @param nodes by node number; empty if the source does not tell
     * @throws InputException no CPU, gaps in the numbers, or sets that contradict each other
     */
    static Machine make(
            String name, String source, SortedMap<Integer, CpuFacts> cpus, SortedMap<Integer, NodeFacts> nodes) {
        refuseGaps(source, cpus);
        return new DiscoveredMachine(source, List.copyOf(cpus.values())).machine(name, nodes);
    }

    private static void refuseGaps(String source, SortedMap<Integer, CpuFacts> cpus) {
        if (cpus.isEmpty()) {
            throw new InputException(source + " tells of no CPU");
        }
        CpuMask present =
                CpuMask.of(cpus.keySet().stream().mapToInt(Integer::intValue).toArray());
        CpuMask missing = CpuMask.range(0, cpus.lastKey()).minus(present);
        if (!missing.isEmpty()) {
            boolean one = missing.count() == 1;
            throw new InputException((one ? "CPU " : "CPUs ") + missing + " of " + source + (one ? " is" : " are")
                    + " offline or missing, and gaps in the CPU numbers are not supported; bring "
                    + (one ? "it" : "them")
                    + " online, or write a machine file");
        }
    }

    private Machine machine(String name, SortedMap<Integer, NodeFacts> told) {
        origins.put("topology", new Origin(Origin.Kind.MEASURED, "read from " + source));
        List<CpuMask> cores = new ArrayList<>();
        List<CpuMask> clusters = new ArrayList<>();
        List<CpuMask> llcs = new ArrayList<>();
        List<CpuMask> packages = new ArrayList<>();
        for (int cpu = 0; cpu < cpus.size(); cpu++) {
            CpuFacts facts = cpus.get(cpu);
            cores.add(orElse(facts.core, CpuMask.of(cpu), "cores", "no siblings told: every CPU is a core"));
            packages.add(orElse(facts.pkg, all, "packages", "no packages told: all CPUs are one"));
            llcs.add(llc(facts, cores.getLast(), packages.getLast()));
            clusters.add(cluster(facts, cores.getLast(), llcs.getLast()));
        }
        List<NodeFacts> nodes = nodes(told);
        try {
            Topology topology = new Topology(
                            cpus.size(),
                            distinct(cores),
                            clusters.equals(cores) ? null : distinct(clusters),
                            distinct(llcs),
                            distinct(packages),
                            nodes.stream().map(NodeFacts::cpus).toList(),
                            distances(nodes))
                    .withCapacities(cpus.stream().mapToInt(CpuFacts::capacity).toArray());
            List<Cache> caches = caches();
            if (!caches.isEmpty()) {
                origins.put("caches", new Origin(Origin.Kind.MEASURED, "read from " + source));
            }
            return new Machine(name, title(topology), source, topology, caches, null, origins);
        } catch (InputException e) {
            throw new InputException(source + " contradicts itself: " + e.getMessage(), e);
        }
    }

    private CpuMask orElse(CpuMask told, CpuMask assumed, String key, String assumption) {
        CpuMask known = told.and(all);
        if (known.isEmpty()) {
            assume(key, assumption);
            return assumed;
        }
        return known;
    }

    private void assume(String key, String text) {
        origins.put("topology." + key, new Origin(Origin.Kind.ASSUMED, text));
    }

    private CpuMask llc(CpuFacts cpu, CpuMask core, CpuMask pkg) {
        return cpu.caches.stream()
                .filter(DiscoveredMachine::holdsData)
                .max(Comparator.comparingInt(Cache::level))
                .map(last -> last.shared().and(all).or(core).and(pkg))
                .orElseGet(() -> {
                    assume("llcs", "no cache information: LLC = package");
                    return pkg;
                });
    }

    private static boolean holdsData(Cache cache) {
        return !cache.type().equals("instruction");
    }

    private CpuMask cluster(CpuFacts cpu, CpuMask core, CpuMask llc) {
        CpuMask called = cpu.cluster.and(llc);
        CpuMask cluster = called.minus(core).isEmpty()
                ? cpu.caches.stream()
                        .filter(cache -> cache.level() == 2 && holdsData(cache))
                        .findFirst()
                        .map(cache -> cache.shared().and(llc))
                        .orElse(core)
                : called;
        boolean between = cluster.containsAll(core) && !cluster.equals(llc);
        return between ? cluster : core;
    }

    private static List<CpuMask> distinct(List<CpuMask> sets) {
        return List.copyOf(new LinkedHashSet<>(sets));
    }

    /** The nodes with CPUs. Memory-only nodes place no task; that they are left out, and gaps closed, is said in the origins. */
    private List<NodeFacts> nodes(SortedMap<Integer, NodeFacts> told) {
        List<Integer> numbers = List.copyOf(told.keySet());
        List<Integer> kept = new ArrayList<>();
        List<NodeFacts> nodes = new ArrayList<>();
        told.forEach((number, node) -> {
            CpuMask present = node.cpus.and(all);
            if (!present.isEmpty()) {
                kept.add(number);
                nodes.add(new NodeFacts(present, node.distances));
            }
        });
        if (nodes.isEmpty()) {
            assume("nodes", "no NUMA nodes told: all CPUs are one");
            return List.of(new NodeFacts(all, List.of(10)));
        }
        if (nodes.size() < numbers.size() || kept.getLast() >= nodes.size()) {
            String text = "of nodes " + listed(numbers) + " those with CPUs, " + listed(kept) + ", numbered from 0";
            origins.put("topology.nodes", new Origin(Origin.Kind.MEASURED, text));
        }
        return nodes.stream()
                .map(node -> new NodeFacts(node.cpus, columns(node.distances, numbers, kept)))
                .toList();
    }

    /** The distances to the nodes that were kept; empty if they were not told for every node. */
    private static List<Integer> columns(List<Integer> distances, List<Integer> numbers, List<Integer> kept) {
        return distances.size() == numbers.size()
                ? kept.stream()
                        .map(number -> distances.get(numbers.indexOf(number)))
                        .toList()
                : List.of();
    }

    private static String listed(List<Integer> numbers) {
        return CpuMask.of(numbers.stream().mapToInt(Integer::intValue).toArray())
                .toString();
    }

    private int[][] distances(List<NodeFacts> nodes) {
        if (nodes.stream().allMatch(node -> node.distances.size() == nodes.size())) {
            return nodes.stream()
                    .map(node ->
                            node.distances.stream().mapToInt(Integer::intValue).toArray())
                    .toArray(int[][]::new);
        }
        assume("distances", "no distances told: 10 local, 20 remote");
        int[][] distances = new int[nodes.size()][nodes.size()];
        for (int from = 0; from < nodes.size(); from++) {
            Arrays.fill(distances[from], 20);
            distances[from][from] = 10;
        }
        return distances;
    }

    private List<Cache> caches() {
        Set<Cache> caches = new LinkedHashSet<>();
        cpus.forEach(cpu -> caches.addAll(cpu.caches));
        Comparator<Cache> order = Comparator.comparingInt(Cache::level)
                .thenComparing(Cache::type)
                .thenComparingInt(cache -> cache.shared().first());
        return caches.stream().sorted(order).toList();
    }

    private static String title(Topology topology) {
        int threads = topology.cores().stream().mapToInt(CpuMask::count).max().orElse(1);
        return counted(topology.cpuCount(), "CPU") + ": "
                + counted(topology.nodes().size(), "node") + ", "
                + counted(topology.packages().size(), "package") + ", "
                + counted(topology.llcs().size(), "LLC") + ", "
                + counted(topology.cores().size(), "core") + (threads > 1 ? " with up to " + threads + " threads" : "");
    }

    private static String counted(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }
}
