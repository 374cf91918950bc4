package dev.perch.kernel.domain;

import dev.perch.model.CpuMask;
import dev.perch.model.Topology;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The level table of an era for one partition: what each level spans for each CPU, before any level is dropped.
 *
 * <p>Source: placement.md 11.1 (kernel functions {@code sched_init_numa}, {@code sd_numa_mask}, {@code cpu_coregroup_mask}). Limitations:
 * the kernel's debug mode, in which older kernels too collect all distances, is off. A cache that spans several nodes counts only within the
 * node.
 */
final class LevelSpans {
    private final Topology topology;
    private final CpuMask partition;
    private final List<DomainLevel> levels = new ArrayList<>();
    private final List<Integer> distances = new ArrayList<>();
    private final CpuMask[][] spans;
    private final int[] top;

    LevelSpans(Topology topology, CpuMask partition, DomainRules rules) {
        this.topology = topology;
        this.partition = partition;
        for (DomainLevel level : rules.levels(topology)) {
            for (int distance : level == DomainLevel.NUMA ? numaDistances(rules) : List.of(0)) {
                levels.add(level);
                distances.add(distance);
            }
        }
        spans = new CpuMask[levels.size()][topology.cpuCount()];
        top = new int[topology.cpuCount()];
        for (int position = 0; position < spans.length; position++) {
            fill(position);
        }
        for (int cpu = partition.first(); cpu >= 0; cpu = partition.next(cpu + 1)) {
            while (top[cpu] < spans.length - 1 && !spans[top[cpu]][cpu].equals(partition)) {
                top[cpu]++;
            }
        }
    }

    private void fill(int position) {
        Map<CpuMask, CpuMask> seen = new HashMap<>();
        CpuMask[] ofNode = new CpuMask[topology.nodes().size()];
        for (int cpu = partition.first(); cpu >= 0; cpu = partition.next(cpu + 1)) {
            int node = topology.nodeOf(cpu);
            if (ofNode[node] == null) {
                ofNode[node] = nodes(position, node);
            }
            CpuMask span =
                    mask(levels.get(position), cpu, ofNode[node]).and(ofNode[node]).and(partition);
            spans[position][cpu] = seen.computeIfAbsent(span, one -> one);
        }
    }

    private CpuMask mask(DomainLevel level, int cpu, CpuMask nodes) {
        return switch (level) {
            case SMT -> topology.smt(cpu);
            case CLS -> topology.cluster(cpu);
            case MC -> topology.llc(cpu);
            case PKG, LOCAL_NODE, NODE, ALLNODES, NUMA -> nodes;
        };
    }

    /** All CPUs of the nodes that a level of a CPU in node {@code from} reaches. */
    private CpuMask nodes(int position, int from) {
        return switch (levels.get(position)) {
            case SMT, CLS, MC, PKG, LOCAL_NODE -> topology.nodes().get(from);
            case NODE -> nearestNodes(from);
            case ALLNODES -> topology.cpus();
            case NUMA -> nodesWithin(from, distances.get(position));
        };
    }

    private SortedSet<Integer> numaDistances(DomainRules rules) {
        SortedSet<Integer> found = new TreeSet<>();
        int count = topology.nodes().size();
        for (int from = 0; from < (rules.since(DomainRules.FROM_5_12) ? count : 1); from++) {
            for (int to = 0; to < count; to++) {
                if (from != to) {
                    found.add(topology.nodeDistance(from, to));
                }
            }
        }
        return found;
    }

    private CpuMask nodesWithin(int from, int distance) {
        CpuMask cpus = CpuMask.empty();
        for (int node = 0; node < topology.nodes().size(); node++) {
            if (topology.nodeDistance(from, node) <= distance) {
                cpus = cpus.or(topology.nodes().get(node));
            }
        }
        return cpus;
    }

    /** The node and the nearest others; of equally near ones those whose numbers follow its own come first, wrapping. */
    private CpuMask nearestNodes(int from) {
        int count = topology.nodes().size();
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            order.add((from + i) % count);
        }
        order.sort(Comparator.comparingInt(node -> topology.nodeDistance(from, node)));
        CpuMask cpus = CpuMask.empty();
        for (int node : order.subList(0, Math.min(count, DomainRules.NODES_PER_DOMAIN))) {
            cpus = cpus.or(topology.nodes().get(node));
        }
        return cpus;
    }

    DomainLevel level(int position) {
        return levels.get(position);
    }

    /** Distance that a NUMA level reaches to; 0 for the others. */
    int distance(int position) {
        return distances.get(position);
    }

    CpuMask span(int position, int cpu) {
        return spans[position][cpu];
    }

    /** Position of the highest level that is built for a CPU: the first that spans the partition, or the last. */
    int top(int cpu) {
        return top[cpu];
    }

    int count() {
        return spans.length;
    }
}
