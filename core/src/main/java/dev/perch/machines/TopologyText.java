package dev.perch.machines;

import dev.perch.model.CpuMask;
import dev.perch.model.Topology;
import dev.perch.yaml.ScalarText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/**
 * The section {@code topology} of a machine file to be written; the counterpart of {@link TopologySection}.
 *
 * <p>What a file need not say is left out unless it has an origin of its own: the distances of a single node, capacities and a reclaim
 * distance that are the usual ones.
 */
final class TopologyText {
    private TopologyText() {}

    static SectionDraft section(Topology topology, OriginPaths origins) {
        SectionDraft section = new SectionDraft("topology", origins);
        section.value("cpus", FileNode.number(topology.cpuCount())).value("cores", sets(topology.cores()));
        if (topology.hasClusters()) {
            section.value("clusters", sets(topology.clusters()));
        }
        section.value("llcs", sets(topology.llcs()))
                .value("packages", sets(topology.packages()))
                .value("nodes", sets(topology.nodes()));
        if (topology.nodes().size() > 1 || section.isSourced("distances")) {
            section.value("distances", distances(topology));
        }
        if (topology.reclaimDistance() != Topology.USUAL_RECLAIM_DISTANCE || section.isSourced("reclaim-distance")) {
            section.value("reclaim-distance", FileNode.number(topology.reclaimDistance()));
        }
        boolean equal = topology.cpus().equals(having(topology, topology::capacity, Topology.FULL_CAPACITY));
        if (!equal || section.isSourced("capacities")) {
            section.value(
                    "capacities",
                    smaller(topology, topology::capacity, Topology.FULL_CAPACITY, "capacity", Integer::toString));
        }
        return section;
    }

    /** Sets that are runs of equal length are {@code every N}; a single set is listed, as are all others. */
    private static FileNode sets(List<CpuMask> sets) {
        int length = sets.getFirst().count();
        boolean runs = sets.size() > 1;
        for (int i = 0; i < sets.size(); i++) {
            runs = runs && sets.get(i).equals(CpuMask.range(i * length, (i + 1) * length - 1));
        }
        if (runs) {
            return new FileNode.Value("every " + length);
        }
        List<String> lists = sets.stream().map(CpuMask::toString).toList();
        boolean quoted = lists.stream().anyMatch(list -> list.contains(","));
        return new FileNode.Row(quoted ? lists.stream().map(ScalarText::quoted).toList() : lists);
    }

    private static FileNode distances(Topology topology) {
        int nodes = topology.nodes().size();
        List<FileNode> rows = new ArrayList<>();
        for (int from = 0; from < nodes; from++) {
            List<String> row = new ArrayList<>();
            for (int to = 0; to < nodes; to++) {
                row.add(Integer.toString(topology.nodeDistance(from, to)));
            }
            rows.add(new FileNode.Row(row));
        }
        return new FileNode.Rows(rows);
    }

    /**
     * The CPUs below the full measure, one entry a number, in the order of their first CPUs; all CPUs if none is below.
     *
     * @param key what the number is called
     */
    static FileNode smaller(
            Topology topology,
            IntUnaryOperator measure,
            int full,
            String key,
            java.util.function.IntFunction<String> text) {
        Map<Integer, CpuMask> byFirst = new TreeMap<>();
        for (int cpu = 0; cpu < topology.cpuCount(); cpu++) {
            CpuMask same = having(topology, measure, measure.applyAsInt(cpu));
            byFirst.put(same.first(), same);
        }
        if (byFirst.size() > 1) {
            byFirst.values().removeIf(cpus -> measure.applyAsInt(cpus.first()) == full);
        }
        List<FileNode> rows = new ArrayList<>();
        for (CpuMask cpus : byFirst.values()) {
            String list = cpus.toString();
            Map<String, FileNode> entry = new LinkedHashMap<>();
            entry.put("cpus", new FileNode.Value(list.contains(",") ? ScalarText.quoted(list) : list));
            entry.put(key, new FileNode.Value(text.apply(measure.applyAsInt(cpus.first()))));
            rows.add(new FileNode.Fields(entry, false));
        }
        return new FileNode.Rows(rows);
    }

    private static CpuMask having(Topology topology, IntUnaryOperator measure, int number) {
        int[] cpus = java.util.stream.IntStream.range(0, topology.cpuCount())
                .filter(cpu -> measure.applyAsInt(cpu) == number)
                .toArray();
        return CpuMask.of(cpus);
    }
}
