package dev.perch.machines;

import dev.perch.model.CpuMask;
import dev.perch.model.Topology;
import java.util.ArrayList;
import java.util.List;

/**
 * A topology as an indented tree. Sets with the same CPUs share a line; so do the cores of a set, and the last sets above them, where there
 * are many.
 *
 * <pre>
 * package 0             CPUs 0-63
 * ├─ node 0 = LLC 0     CPUs 0-31
 * │  └─ clusters 0-7    CPUs 0-31: 4 cores with one thread each, 0-3 … 28-31
 * </pre>
 */
final class TopologyTree {
    private static final int CORES_DRAWN_EACH = 16;
    private static final int SETS_DRAWN_EACH = 4;

    private final Topology topology;
    private final List<Level> levels;
    private final List<String> lines = new ArrayList<>();

    private record Level(String word, List<CpuMask> sets) {}

    private TopologyTree(Topology topology) {
        this.topology = topology;
        List<Level> nested = new ArrayList<>();
        Level nodes = new Level("node", topology.nodes());
        Level packages = new Level("package", topology.packages());
        boolean packagesInNodes =
                packages.sets.stream().allMatch(set -> nodes.sets.stream().anyMatch(node -> node.containsAll(set)));
        nested.add(packagesInNodes ? nodes : packages);
        nested.add(packagesInNodes ? packages : nodes);
        nested.add(new Level("LLC", topology.llcs()));
        if (topology.hasClusters()) {
            nested.add(new Level("cluster", topology.clusters()));
        }
        nested.add(new Level("core", topology.cores()));
        levels = nested;
    }

    static List<String> draw(Topology topology) {
        TopologyTree tree = new TopologyTree(topology);
        List<CpuMask> roots = tree.levels.getFirst().sets;
        for (CpuMask root : roots) {
            tree.set(root, 0, "", "");
        }
        return tree.lines;
    }

    /**
     * Draws one set and what is in it.
     *
     * @param level its index in {@link #levels}
     * @param first what stands before its own line
     * @param rest what stands before the lines below
     */
    private void set(CpuMask cpus, int level, String first, String rest) {
        StringBuilder label = new StringBuilder(label(cpus, level));
        int last = level;
        while (last + 1 < levels.size() && levels.get(last + 1).sets.contains(cpus)) {
            last++;
            label.append(" = ").append(label(cpus, last));
        }
        int below = last + 1;
        if (below >= levels.size()) {
            line(first + label, cpus, "");
            return;
        }
        List<CpuMask> children = inside(cpus, below);
        if (levels.get(below).word.equals("core") && !drawnEach(children)) {
            line(first + label, cpus, ": " + manyCores(children, true));
            return;
        }
        line(first + label, cpus, "");
        if (alike(children, below)) {
            String range = levels.get(below).word + "s " + index(children.getFirst(), below) + "-"
                    + index(children.getLast(), below);
            String each = manyCores(inside(children.getFirst(), below + 1), false);
            line(
                    rest + "└─ " + range,
                    cpus,
                    ": " + each + " each, " + children.getFirst() + " … " + children.getLast());
            return;
        }
        for (int i = 0; i < children.size(); i++) {
            boolean end = i == children.size() - 1;
            set(children.get(i), below, rest + (end ? "└─ " : "├─ "), rest + (end ? "   " : "│  "));
        }
    }

    private boolean drawnEach(List<CpuMask> cores) {
        return topology.cores().size() <= CORES_DRAWN_EACH && cores.size() > 1;
    }

    /** Whether sets can share a line: many, the last ones above the cores, of equal size, and numbered one after the other. */
    private boolean alike(List<CpuMask> sets, int level) {
        boolean aboveCores = level == levels.size() - 2;
        boolean oneAfterTheOther = index(sets.getLast(), level) - index(sets.getFirst(), level) == sets.size() - 1;
        return aboveCores
                && sets.size() > SETS_DRAWN_EACH
                && oneAfterTheOther
                && sets.stream()
                                .map(set -> set.count() + " in "
                                        + inside(set, level + 1).size())
                                .distinct()
                                .count()
                        == 1;
    }

    private static String manyCores(List<CpuMask> cores, boolean naming) {
        int least = cores.stream().mapToInt(CpuMask::count).min().orElse(1);
        int most = cores.stream().mapToInt(CpuMask::count).max().orElse(1);
        String threads =
                most == 1 ? "one thread" : least == most ? most + " threads" : least + " to " + most + " threads";
        String which =
                most == 1 || !naming ? "" : ", " + cores.getFirst() + (cores.size() > 1 ? " … " + cores.getLast() : "");
        return cores.size() + (cores.size() == 1 ? " core with " : " cores with ") + threads + which;
    }

    private String label(CpuMask cpus, int level) {
        return levels.get(level).word + " " + index(cpus, level);
    }

    private int index(CpuMask cpus, int level) {
        return levels.get(level).sets.indexOf(cpus);
    }

    private List<CpuMask> inside(CpuMask cpus, int level) {
        return levels.get(level).sets.stream().filter(cpus::intersects).toList();
    }

    private void line(String label, CpuMask cpus, String more) {
        String list = (cpus.count() == 1 ? "CPU " : "CPUs ") + cpus;
        lines.add(label + " ".repeat(Math.max(2, 36 - label.length())) + list + more);
    }
}
