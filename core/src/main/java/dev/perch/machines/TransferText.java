package dev.perch.machines;

import dev.perch.model.Distance;
import dev.perch.model.LineTransfer;
import dev.perch.model.Topology;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The section {@code transfer} of a machine file to be written; the counterpart of {@link TransferSection}.
 *
 * <p>Latencies between nodes are given by the nodes' distance if that tells them apart, and else as a table.
 */
final class TransferText {
    private final Topology topology;
    private final LineTransfer transfer;

    private TransferText(Topology topology, LineTransfer transfer) {
        this.topology = topology;
        this.transfer = transfer;
    }

    static SectionDraft section(Topology topology, LineTransfer transfer, OriginPaths origins) {
        return new TransferText(topology, transfer).section(new SectionDraft("transfer", origins));
    }

    private SectionDraft section(SectionDraft section) {
        section.value("hidden", ns(transfer.hiddenPs()));
        near().forEach((distance, ps) -> section.value(distance.word(), ns(ps)));
        if (topology.nodes().size() > 1) {
            Map<Integer, Long> byDistance = byDistance();
            if (byDistance.isEmpty()) {
                section.value("remote", table());
            } else {
                SectionDraft remote = section.section("remote");
                byDistance.forEach((distance, ps) -> remote.value(Integer.toString(distance), ns(ps)));
            }
        }
        return section;
    }

    /** The latency over each distance within a node that two CPUs have. */
    private Map<Distance, Long> near() {
        Map<Distance, Long> near = new EnumMap<>(Distance.class);
        for (int a = 0; a < topology.cpuCount(); a++) {
            for (int b = a + 1; b < topology.cpuCount(); b++) {
                Distance distance = topology.distance(a, b);
                if (distance != Distance.REMOTE) {
                    near.put(distance, transfer.latencyPs(distance));
                }
            }
        }
        return near;
    }

    private long between(int from, int to) {
        return from == to
                ? 0
                : transfer.latencyPs(
                        topology,
                        topology.nodes().get(from).first(),
                        topology.nodes().get(to).first());
    }

    /** Empty if two pairs of nodes are equally far apart, but not equally slow. */
    private Map<Integer, Long> byDistance() {
        Map<Integer, Long> latencies = new TreeMap<>();
        int nodes = topology.nodes().size();
        for (int from = 0; from < nodes; from++) {
            for (int to = 0; to < nodes; to++) {
                if (from != to) {
                    Long earlier = latencies.putIfAbsent(topology.nodeDistance(from, to), between(from, to));
                    if (earlier != null && earlier != between(from, to)) {
                        return Map.of();
                    }
                }
            }
        }
        return latencies;
    }

    private FileNode table() {
        int nodes = topology.nodes().size();
        List<FileNode> rows = new ArrayList<>();
        for (int from = 0; from < nodes; from++) {
            List<String> row = new ArrayList<>();
            for (int to = 0; to < nodes; to++) {
                row.add(ns(between(from, to)).yaml());
            }
            rows.add(new FileNode.Row(row));
        }
        return new FileNode.Rows(rows);
    }

    private static FileNode.Value ns(long ps) {
        return new FileNode.Value(thousandths(ps));
    }

    /** A number in thousandths as a decimal number, with no more decimals than it needs. */
    static String thousandths(long number) {
        return BigDecimal.valueOf(number, 3).stripTrailingZeros().toPlainString();
    }
}
