package dev.perch.report.observe;

import dev.perch.model.CpuMask;
import dev.perch.model.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * CPUs in the order in which they lie in the machine, taken together where there are too many to show each.
 *
 * <p>The finest of CPU, core, cluster, last-level cache and node of which there are at most {@value #MOST}. Without a topology,
 * neighbours by number are taken together.
 *
 * @param kind what a group is, in the singular: {@code CPU}, {@code core}, {@code LLC}
 * @param groups in order
 * @param borders for each group whether a new last-level cache begins with it, or a new core where all share one cache
 * @param borderKind what begins there, such as {@code LLC}; empty if nothing is known to
 */
public record CpuGroups(String kind, List<Group> groups, List<Boolean> borders, String borderKind) {
    /** No more groups than this. */
    public static final int MOST = 64;

    public CpuGroups {
        groups = List.copyOf(groups);
        borders = List.copyOf(borders);
    }

    /**
     * CPUs that are shown as one.
     *
     * @param label such as {@code 5}, or {@code LLC 2} for several CPUs
     */
    public record Group(String label, CpuMask cpus) {}

    /** Groups that hold all of {@code cpus}. */
    public static CpuGroups of(CpuMask cpus, @Nullable Topology topology) {
        if (topology == null || !topology.cpus().containsAll(cpus)) {
            return byNumber(cpus);
        }
        int[] ordered = ordered(cpus, topology);
        if (ordered.length <= MOST) {
            return byKind("CPU", ordered, cpu -> cpu, topology);
        }
        CpuGroups cores = byKind("core", ordered, topology::coreOf, topology);
        if (topology.hasSmt() && cores.groups.size() <= MOST) {
            return cores;
        }
        CpuGroups clusters = byKind("cluster", ordered, topology::clusterOf, topology);
        if (topology.hasClusters() && clusters.groups.size() <= MOST) {
            return clusters;
        }
        CpuGroups llcs = byKind("LLC", ordered, topology::llcOf, topology);
        return llcs.groups.size() <= MOST ? llcs : byKind("node", ordered, topology::nodeOf, topology);
    }

    private static int[] ordered(CpuMask cpus, Topology topology) {
        List<Integer> list = new ArrayList<>();
        for (int cpu : cpus.toArray()) {
            list.add(cpu);
        }
        list.sort((a, b) -> {
            int order = Integer.compare(topology.nodeOf(a), topology.nodeOf(b));
            order = order != 0 ? order : Integer.compare(topology.llcOf(a), topology.llcOf(b));
            order = order != 0 ? order : Integer.compare(topology.clusterOf(a), topology.clusterOf(b));
            order = order != 0 ? order : Integer.compare(topology.coreOf(a), topology.coreOf(b));
            return order != 0 ? order : Integer.compare(a, b);
        });
        return list.stream().mapToInt(Integer::intValue).toArray();
    }

    private static CpuGroups byKind(String kind, int[] ordered, IntUnaryOperator groupOf, Topology topology) {
        boolean oneLlc = topology.llcs().size() == 1;
        List<Group> groups = new ArrayList<>();
        List<Boolean> borders = new ArrayList<>();
        int border = -1;
        int last = -1;
        for (int cpu : ordered) {
            int group = groupOf.applyAsInt(cpu);
            if (group == last) {
                Group before = groups.removeLast();
                groups.add(new Group(before.label, before.cpus.or(CpuMask.of(cpu))));
                continue;
            }
            groups.add(new Group(kind.equals("CPU") ? Integer.toString(cpu) : kind + " " + group, CpuMask.of(cpu)));
            int now = oneLlc ? topology.coreOf(cpu) : topology.llcOf(cpu);
            borders.add(border >= 0 && now != border);
            border = now;
            last = group;
        }
        boolean separated = kind.equals("CPU") || !oneLlc && !kind.equals("LLC") && !kind.equals("node");
        String borderKind = !separated ? "" : oneLlc ? (topology.hasSmt() ? "core" : "") : "LLC";
        return new CpuGroups(
                kind,
                groups,
                borderKind.isEmpty() ? groups.stream().map(group -> false).toList() : borders,
                borderKind);
    }

    private static CpuGroups byNumber(CpuMask cpus) {
        int[] all = cpus.toArray();
        int together = (all.length + MOST - 1) / MOST;
        List<Group> groups = new ArrayList<>();
        for (int i = 0; i < all.length; i += Math.max(1, together)) {
            CpuMask mask = CpuMask.empty();
            for (int j = i; j < Math.min(all.length, i + together); j++) {
                mask = mask.or(CpuMask.of(all[j]));
            }
            groups.add(new Group(mask.toString(), mask));
        }
        return new CpuGroups(
                together <= 1 ? "CPU" : "block of " + together + " CPUs",
                groups,
                groups.stream().map(group -> false).toList(),
                "");
    }

    /** Whether a group may hold more than one CPU. */
    public boolean areSums() {
        return !kind.equals("CPU");
    }
}
