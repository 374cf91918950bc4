package dev.perch.machines;

import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Topology;
import dev.perch.yaml.YamlDocument;
import dev.perch.yaml.YamlMap;
import dev.perch.yaml.YamlNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Several topologies in one file of JSON or YAML, by name, as tables of placement decisions bring them.
 *
 * <p>Each has {@code cpus}; {@code smt}, {@code llc}, {@code node} and perhaps {@code cluster}, lists of lists of CPU numbers in which
 * every CPU stands once; and, with several nodes, {@code node_distance}, the distance of any two. A node is a package.
 */
public final class TopologyTable {
    private static final int LOCAL = 10;

    private TopologyTable() {}

    /**
     * Reads a file.
     *
     * @throws InputException if it cannot be read, or is no such table; with file and line
     */
    public static Map<String, Topology> read(Path file) {
        Map<String, Topology> machines = new LinkedHashMap<>();
        YamlDocument.read(file).asMap().entries().forEach((name, node) -> machines.put(name, topology(node.asMap())));
        return Collections.unmodifiableMap(machines);
    }

    private static Topology topology(YamlMap machine) {
        int cpus = machine.integer("cpus", 1, CpuMask.MAX_CPUS);
        List<CpuMask> cores = sets(machine.value("smt"));
        List<CpuMask> llcs = sets(machine.value("llc"));
        List<CpuMask> nodes = sets(machine.value("node"));
        @Nullable
        List<CpuMask> clusters =
                machine.optional("cluster").map(TopologyTable::sets).orElse(null);
        int distance = machine.optional("node_distance")
                .map(value -> value.asScalar().integer(LOCAL + 1, 254))
                .orElse(LOCAL);
        if (nodes.size() > 1 && distance == LOCAL) {
            throw machine.error("there are " + nodes.size() + " nodes, but no node_distance");
        }
        machine.refuseOthers();
        try {
            return new Topology(cpus, cores, clusters, llcs, nodes, nodes, distances(nodes.size(), distance));
        } catch (InputException e) {
            throw machine.error(String.valueOf(e.getMessage()));
        }
    }

    private static List<CpuMask> sets(YamlNode node) {
        List<CpuMask> sets = new ArrayList<>();
        for (YamlNode set : node.asList()) {
            CpuMask mask = CpuMask.empty();
            for (YamlNode cpu : set.asList()) {
                mask = mask.or(CpuMask.of(cpu.asScalar().integer(0, CpuMask.MAX_CPUS - 1)));
            }
            sets.add(mask);
        }
        return sets;
    }

    private static int[][] distances(int nodes, int remote) {
        int[][] distances = new int[nodes][nodes];
        for (int from = 0; from < nodes; from++) {
            for (int to = 0; to < nodes; to++) {
                distances[from][to] = from == to ? LOCAL : remote;
            }
        }
        return distances;
    }
}
