package dev.perch.machines;

import dev.perch.model.Cache;
import dev.perch.model.CpuMask;
import dev.perch.model.HardwareModel;
import dev.perch.model.Machine;
import dev.perch.model.Topology;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A machine as text for people: topology, caches, distances between nodes, and what things cost with the origin of each number. At most
 * {@value #WIDTH} columns, unless a title or a CPU list is longer.
 */
public final class TopologyDrawing {
    static final int WIDTH = 112;

    private final Machine machine;
    private final List<String> lines = new ArrayList<>();
    private final Footnotes footnotes;

    private TopologyDrawing(Machine machine) {
        this.machine = machine;
        footnotes = new Footnotes(machine.origins());
    }

    /** The whole text, with a line end after each line. */
    public static String draw(Machine machine) {
        return new TopologyDrawing(machine).text();
    }

    private String text() {
        lines.add(machine.name() + ": " + machine.title());
        lines.add("source: " + machine.source());
        heading("Topology " + footnotes.among("topology"));
        TopologyTree.draw(machine.topology()).forEach(line -> lines.add("  " + line));
        capacities().forEach((capacity, cpus) -> lines.add("  capacity " + capacity + ": CPUs " + cpus));
        if (!machine.caches().isEmpty()) {
            heading("Caches " + footnotes.among("caches"));
            lines.addAll(caches());
        }
        if (machine.topology().nodes().size() > 1) {
            heading("Distances between nodes, 10 = local, far above " + machine.topology().reclaimDistance() + " "
                    + footnotes.of("topology.distances"));
            lines.addAll(nodeTable());
        }
        HardwareModel model = machine.model();
        if (model == null) {
            heading("No costs: this source knows only the topology");
        } else {
            lines.addAll(new ModelTables(machine.topology(), model, footnotes).lines());
        }
        heading("Where the numbers come from");
        lines.addAll(footnotes.lines());
        return String.join("\n", lines) + "\n";
    }

    private void heading(String text) {
        lines.add("");
        lines.add(text.strip());
    }

    /** The CPUs of each capacity, small to large; nothing if all are equal. */
    private SortedMap<Integer, CpuMask> capacities() {
        Topology topology = machine.topology();
        SortedMap<Integer, CpuMask> capacities = new TreeMap<>();
        for (int cpu = 0; cpu < topology.cpuCount(); cpu++) {
            capacities.merge(topology.capacity(cpu), CpuMask.of(cpu), CpuMask::or);
        }
        return capacities.size() > 1 ? capacities : new TreeMap<>();
    }

    private List<String> caches() {
        record Kind(int level, String type, int sizeKib, int sharers) {}
        Map<Kind, Integer> counts = new LinkedHashMap<>();
        for (Cache cache : machine.caches()) {
            counts.merge(
                    new Kind(
                            cache.level(),
                            cache.type(),
                            cache.sizeKib(),
                            cache.shared().count()),
                    1,
                    Integer::sum);
        }
        TextTable table = new TextTable(false, "level", "KiB", "how many", "CPUs each");
        counts.forEach((kind, count) -> table.row(List.of(
                "L" + kind.level + " " + kind.type,
                kind.sizeKib == 0 ? "?" : Integer.toString(kind.sizeKib),
                Integer.toString(count),
                Integer.toString(kind.sharers))));
        return table.lines();
    }

    private List<String> nodeTable() {
        Topology topology = machine.topology();
        return byNode(topology, (from, to) -> Integer.toString(topology.nodeDistance(from, to)));
    }

    /** What stands in a cell of a table from node to node. */
    interface Cell {
        String text(int from, int to);
    }

    static List<String> byNode(Topology topology, Cell cell) {
        int nodes = topology.nodes().size();
        List<String> heading = new ArrayList<>(List.of("node"));
        for (int to = 0; to < nodes; to++) {
            heading.add(Integer.toString(to));
        }
        TextTable table = new TextTable(false, heading.toArray(String[]::new));
        for (int from = 0; from < nodes; from++) {
            List<String> row = new ArrayList<>(List.of(Integer.toString(from)));
            for (int to = 0; to < nodes; to++) {
                row.add(cell.text(from, to));
            }
            table.row(row);
        }
        return table.lines();
    }

    /** Adds {@code text} after {@code first}, broken at blanks and indented to the same column. */
    static void wrap(String first, String text, List<String> lines) {
        String indent = " ".repeat(first.length());
        StringBuilder line = new StringBuilder(first);
        boolean empty = true;
        for (String word : text.split(" ", -1)) {
            if (!empty && line.length() + 1 + word.length() > WIDTH) {
                lines.add(line.toString());
                line = new StringBuilder(indent);
                empty = true;
            }
            line.append(empty ? "" : " ").append(word);
            empty = false;
        }
        lines.add(line.toString());
    }
}
