package dev.perch.kernel;

import dev.perch.model.CpuMask;
import dev.perch.model.Topology;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The topologies that the idle-search vectors and the worked examples of the specification are about. */
public final class TestMachines {
    private static final Map<String, Topology> ALL = read();

    private TestMachines() {}

    /** E5620, Q6600, 2xNHM, K16, FLAT8, ADJ8 or CCX16. */
    public static Topology named(String name) {
        return Objects.requireNonNull(ALL.get(name), name);
    }

    public static Map<String, Topology> all() {
        return ALL;
    }

    /** The lines of a test resource that are neither empty nor comments. */
    public static List<String> lines(String resource) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(TestMachines.class.getResourceAsStream(resource), resource),
                StandardCharsets.UTF_8))) {
            return reader.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Nodes of the given CPUs, each a package with one LLC, without SMT; distances as given. */
    public static Topology nodes(int cpusPerNode, int[][] distances) {
        List<CpuMask> nodes = new ArrayList<>();
        for (int node = 0; node < distances.length; node++) {
            nodes.add(CpuMask.range(node * cpusPerNode, (node + 1) * cpusPerNode - 1));
        }
        int cpus = cpusPerNode * distances.length;
        return new Topology(cpus, singles(cpus), null, nodes, nodes, nodes, distances);
    }

    public static List<CpuMask> singles(int cpus) {
        List<CpuMask> singles = new ArrayList<>();
        for (int cpu = 0; cpu < cpus; cpu++) {
            singles.add(CpuMask.of(cpu));
        }
        return singles;
    }

    private static Map<String, Topology> read() {
        Map<String, Topology> machines = new TreeMap<>();
        for (String line : lines("/placement/machines.txt")) {
            String[] part = line.split(" \\| ");
            List<CpuMask> nodes = sets(part[4]);
            machines.put(
                    part[0],
                    new Topology(
                            Integer.parseInt(part[1]),
                            sets(part[2]),
                            part[5].equals("-") ? null : sets(part[5]),
                            sets(part[3]),
                            nodes,
                            nodes,
                            distances(nodes.size(), part[6].equals("-") ? 10 : Integer.parseInt(part[6]))));
        }
        return machines;
    }

    private static List<CpuMask> sets(String text) {
        return Arrays.stream(text.split(" ")).map(CpuMask::parse).toList();
    }

    private static int[][] distances(int nodes, int remote) {
        int[][] distances = new int[nodes][nodes];
        for (int a = 0; a < nodes; a++) {
            for (int b = 0; b < nodes; b++) {
                distances[a][b] = a == b ? 10 : remote;
            }
        }
        return distances;
    }
}
