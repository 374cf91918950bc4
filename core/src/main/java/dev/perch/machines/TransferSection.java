package dev.perch.machines;

import dev.perch.model.Distance;
import dev.perch.model.LineTransfer;
import dev.perch.model.Topology;
import dev.perch.yaml.YamlList;
import dev.perch.yaml.YamlNode;
import dev.perch.yaml.YamlScalar;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The section {@code transfer} of a machine file: what a cache line from another CPU takes, in nanoseconds one way.
 *
 * <p>A latency stands for each distance that the topology has and for no other. Between nodes it is given by the firmware's distance
 * ({@code remote: {12: 80.5}}) or, where that does not tell hops apart, as a table from node to node.
 *
 * <p>Checked, each with the line: latencies do not shrink with distance; the table is square and symmetric.
 */
final class TransferSection {
    private static final double MAX_NS = 1_000_000;

    private final Sourced section;
    private final Topology topology;

    private TransferSection(Sourced section, Topology topology) {
        this.section = section;
        this.topology = topology;
    }

    static LineTransfer read(Sourced section, Topology topology) {
        return new TransferSection(section, topology).transfer();
    }

    private LineTransfer transfer() {
        long hidden = picoseconds(section.scalar("hidden"));
        Set<Distance> present = distances();
        long[] near = new long[Distance.REMOTE.ordinal()];
        Distance nearer = Distance.CPU;
        for (Distance distance : EnumSet.range(Distance.SMT, Distance.NODE)) {
            String key = distance.word();
            long latency = near[nearer.ordinal()];
            if (!present.contains(distance)) {
                refuse(key);
            } else {
                YamlScalar scalar = section.scalar(key);
                latency = picoseconds(scalar);
                if (latency < near[nearer.ordinal()]) {
                    throw scalar.error(
                            "transfer." + key + " is less than transfer." + nearer.word(),
                            "; latencies grow with distance");
                }
                nearer = distance;
            }
            near[distance.ordinal()] = latency;
        }
        int nodes = topology.nodes().size();
        long[][] remote = new long[nodes][nodes];
        if (present.contains(Distance.REMOTE)) {
            remote = remote(near[nearer.ordinal()], nearer);
        } else {
            refuse(Distance.REMOTE.word());
        }
        section.map().refuseOthers();
        return new LineTransfer(hidden, near, remote);
    }

    private Set<Distance> distances() {
        Set<Distance> present = EnumSet.noneOf(Distance.class);
        for (int a = 0; a < topology.cpuCount(); a++) {
            for (int b = a + 1; b < topology.cpuCount(); b++) {
                present.add(topology.distance(a, b));
            }
        }
        return present;
    }

    private void refuse(String key) {
        if (section.has(key)) {
            throw section.map()
                    .errorAt(
                            key,
                            "transfer." + key + " is given, but no two CPUs of this machine are that far apart",
                            "; remove it");
        }
    }

    private long[][] remote(long least, Distance nearest) {
        YamlNode node = section.map().value("remote");
        boolean table = node instanceof YamlList || section.map().map("remote").has("value");
        long[][] remote = table ? table(section.list("remote")) : byDistance(section.section("remote"));
        for (int from = 0; from < remote.length; from++) {
            for (int to = 0; to < remote.length; to++) {
                if (from == to) {
                    continue;
                }
                String pair = "transfer.remote from node " + from + " to node " + to;
                if (remote[from][to] < least) {
                    throw node.error(
                            pair + " is less than transfer." + nearest.word(), "; latencies grow with distance");
                }
                for (int other = 0; other < remote.length; other++) {
                    if (other != from
                            && topology.nodeDistance(from, to) > topology.nodeDistance(from, other)
                            && remote[from][to] < remote[from][other]) {
                        throw node.error(
                                pair + " is less than to node " + other + ", which is nearer by topology.distances",
                                "; latencies grow with distance");
                    }
                }
            }
        }
        return remote;
    }

    private long[][] table(YamlList rows) {
        int nodes = topology.nodes().size();
        long[][] remote = new long[nodes][nodes];
        if (rows.size() != nodes) {
            throw rows.error("transfer.remote has " + rows.size() + " rows for " + nodes + " nodes");
        }
        for (int from = 0; from < nodes; from++) {
            YamlList row = rows.get(from).asList();
            if (row.size() != nodes) {
                throw row.error("transfer.remote, row of node " + from + ", has " + row.size() + " numbers for " + nodes
                        + " nodes");
            }
            for (int to = 0; to < nodes; to++) {
                remote[from][to] = picoseconds(row.get(to).asScalar());
                if (to < from && remote[from][to] != remote[to][from]) {
                    throw row.error(
                            "transfer.remote from node " + from + " to node " + to + " differs from the way back");
                }
            }
        }
        return remote;
    }

    private long[][] byDistance(Sourced map) {
        int nodes = topology.nodes().size();
        Map<Integer, Long> latencies = new LinkedHashMap<>();
        Set<Integer> wanted = new TreeSet<>();
        for (int from = 0; from < nodes; from++) {
            for (int to = 0; to < from; to++) {
                wanted.add(topology.nodeDistance(from, to));
            }
        }
        for (int distance : wanted) {
            latencies.put(distance, picoseconds(map.scalar(Integer.toString(distance))));
        }
        map.map().refuseOthers();
        long[][] remote = new long[nodes][nodes];
        for (int from = 0; from < nodes; from++) {
            for (int to = 0; to < nodes; to++) {
                remote[from][to] = latencies.getOrDefault(topology.nodeDistance(from, to), 0L);
            }
        }
        return remote;
    }

    private static long picoseconds(YamlScalar scalar) {
        double ns = scalar.decimal();
        if (ns < 0 || ns > MAX_NS) {
            throw scalar.error(scalar.path() + " is " + scalar + ", but must be from 0 to 1000000 nanoseconds");
        }
        return Math.round(ns * 1000);
    }
}
