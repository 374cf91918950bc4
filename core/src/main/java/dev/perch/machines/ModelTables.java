package dev.perch.machines;

import dev.perch.model.Cost;
import dev.perch.model.CostItem;
import dev.perch.model.Distance;
import dev.perch.model.Frequencies;
import dev.perch.model.HardwareModel;
import dev.perch.model.IdleState;
import dev.perch.model.LineTransfer;
import dev.perch.model.Topology;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The tables of a hardware model: costs, line transfers, SMT, idle states, clocks. */
final class ModelTables {
    private final Topology topology;
    private final HardwareModel model;
    private final Footnotes footnotes;
    private final List<String> lines = new ArrayList<>();

    ModelTables(Topology topology, HardwareModel model, Footnotes footnotes) {
        this.topology = topology;
        this.model = model;
        this.footnotes = footnotes;
    }

    List<String> lines() {
        costs();
        transfer();
        smt();
        idle();
        frequencies();
        return lines;
    }

    private void heading(String text) {
        lines.add("");
        lines.add(text.strip());
    }

    private void costs() {
        heading("Costs: ns at " + ghz(model.frequencies().nominalKhz())
                + " GHz, ns of wall time, cache lines from another CPU");
        TextTable table = new TextTable(true, "step", "core", "wall", "lines", "origin");
        for (CostItem item : CostItem.all()) {
            table.row(row(item.key(), model.cost(item), footnotes.withKind("costs." + item.key())));
        }
        for (Map.Entry<String, Map<String, Cost>> workload : new TreeMap<>(model.workloads()).entrySet()) {
            for (Map.Entry<String, Cost> cost : new TreeMap<>(workload.getValue()).entrySet()) {
                String path = "workloads." + workload.getKey() + "." + cost.getKey();
                table.row(row(workload.getKey() + " " + cost.getKey(), cost.getValue(), footnotes.withKind(path)));
            }
        }
        lines.addAll(table.lines());
    }

    private static List<String> row(String name, Cost cost, String origin) {
        return List.of(name, number(cost.coreNs()), number(cost.wallNs()), number(cost.lines()), origin);
    }

    private static String number(int value) {
        return value == 0 ? "-" : Integer.toString(value);
    }

    private void transfer() {
        LineTransfer transfer = model.transfer();
        heading("Cache line from another CPU, ns one way; the first " + ns(transfer.hiddenPs()) + " of each are hidden "
                + footnotes.of("transfer.hidden"));
        TextTable table = new TextTable(true, "distance", "ns", "waited for", "such as", "origin");
        Map<Distance, int[]> examples = examples();
        examples.forEach((distance, pair) -> {
            if (distance != Distance.REMOTE) {
                table.row(List.of(
                        distance.word(),
                        ns(transfer.latencyPs(topology, pair[0], pair[1])),
                        ns(transfer.exposedPs(topology, pair[0], pair[1])),
                        "CPU " + pair[0] + " to " + pair[1],
                        footnotes.of("transfer." + distance.word())));
            }
        });
        lines.addAll(table.lines());
        if (examples.containsKey(Distance.REMOTE)) {
            lines.add("  remote " + footnotes.among("transfer.remote"));
            lines.addAll(TopologyDrawing.byNode(topology, (from, to) -> {
                int a = topology.nodes().get(from).first();
                int b = topology.nodes().get(to).first();
                return from == to ? "-" : ns(transfer.latencyPs(topology, a, b));
            }));
        }
    }

    /** For each distance the first pair of CPUs that is so far apart. */
    private Map<Distance, int[]> examples() {
        Map<Distance, int[]> examples = new EnumMap<>(Distance.class);
        for (int a = 0; a < topology.cpuCount(); a++) {
            for (int b = a + 1; b < topology.cpuCount(); b++) {
                if (!examples.containsKey(topology.distance(a, b))) {
                    examples.put(topology.distance(a, b), new int[] {a, b});
                }
            }
        }
        return examples;
    }

    private void smt() {
        if (topology.hasSmt()) {
            heading("Speed of a hardware thread, 1 = alone on its core");
            lines.add("  sibling executes " + mille(model.smt().busyMille()) + " " + footnotes.of("smt.busy")
                    + ", sibling polls " + mille(model.smt().pollingMille()) + " " + footnotes.of("smt.polling")
                    + ", each change costs " + model.smt().repartitionNs() + " ns "
                    + footnotes.of("smt.repartition-ns"));
        }
    }

    private void idle() {
        heading("Idle states");
        TextTable table = new TextTable(true, "state", "exit us", "residency us", "real exit ns", "votes", "origin");
        for (int i = 0; i < model.idleStates().size(); i++) {
            IdleState state = model.idleStates().get(i);
            table.row(List.of(
                    state.name(),
                    Integer.toString(state.exitUs()),
                    Integer.toString(state.residencyUs()),
                    Integer.toString(state.realExitNs()),
                    state.votes() ? "yes" : "no",
                    footnotes.among("idle.states[" + i + "]")));
        }
        lines.addAll(table.lines());
    }

    private void frequencies() {
        Frequencies frequencies = model.frequencies();
        heading("Clocks " + footnotes.among("frequencies"));
        lines.add("  one clock for each " + owner(frequencies.domain()) + ", the highest request wins; a change takes "
                + frequencies.transitionLatencyUs() + " us by firmware"
                + switch (frequencies.policy()) {
                    case CPU -> "";
                    case DOMAIN -> "; its CPUs share one request";
                });
        TopologyDrawing.wrap("  P-states, MHz  ", mhz(frequencies.pStatesKhz()), lines);
        if (!frequencies.turboBinsKhz().isEmpty()) {
            TopologyDrawing.wrap(
                    "  turbo, MHz     ",
                    mhz(frequencies.turboBinsKhz()) + " with 1, 2, … active cores, requested as "
                            + frequencies.turboEntryKhz() + " kHz",
                    lines);
        }
    }

    private static String owner(Frequencies.Domain domain) {
        return switch (domain) {
            case CORE -> "core";
            case CLUSTER -> "cluster";
            case LLC -> "LLC";
            case PACKAGE -> "package";
        };
    }

    private static String mhz(List<Integer> khz) {
        return String.join(
                " ", khz.stream().map(value -> Integer.toString(value / 1000)).toList());
    }

    /** Three decimals. */
    private static String ghz(int khz) {
        return khz / 1_000_000 + "." + padded(khz / 1000 % 1000);
    }

    private static String mille(int mille) {
        return mille == 1000 ? "1" : "0." + padded(mille).replaceFirst("0+$", "");
    }

    private static String padded(int value) {
        return Integer.toString(1000 + value).substring(1);
    }

    /** Nanoseconds with one decimal. */
    private static String ns(long picoseconds) {
        long tenths = (picoseconds + 50) / 100;
        return tenths / 10 + "." + tenths % 10;
    }
}
