package dev.perch.machines;

import dev.perch.model.Cost;
import dev.perch.model.CostItem;
import dev.perch.model.Frequencies;
import dev.perch.model.HardwareModel;
import dev.perch.model.IdleState;
import dev.perch.model.Topology;
import dev.perch.yaml.ScalarText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The sections of a machine file that make its hardware model, to be written; the counterpart of {@link ModelSections} and
 * {@link SpeedSection}.
 */
final class ModelText {
    /** Workloads and their costs in the order in which docs/machine-file.md tells of them; others follow by name. */
    private static final List<String> WORKLOADS =
            List.of("tcp-rr", "pipe", "system-calls", "tbench", "schbench", "oltp", "semaphore");

    private static final List<String> COSTS = List.of(
            "message",
            "tail",
            "pipe-write",
            "pipe-read",
            "pipe-mutex",
            "socket-send",
            "socket-receive",
            "crossing",
            "futex",
            "sleep",
            "fork-process",
            "fork-thread",
            "exit-process",
            "exit-thread",
            "kib",
            "crossing-kib",
            "handling",
            "matrix",
            "statement",
            "client",
            "log-write",
            "work");

    private final Topology topology;
    private final HardwareModel model;
    private final OriginPaths origins;

    ModelText(Topology topology, HardwareModel model, OriginPaths origins) {
        this.topology = topology;
        this.model = model;
        this.origins = origins;
    }

    SectionDraft costs() {
        SectionDraft section = new SectionDraft("costs", origins);
        for (CostItem item : CostItem.all()) {
            section.entry(item.key(), cost("costs." + item.key(), model.cost(item)));
        }
        return section;
    }

    /** The parts that are not zero or have another origin than the whole; {@code core} if there is none. */
    private Map<String, FileNode> cost(String path, Cost cost) {
        Map<String, Integer> parts = new LinkedHashMap<>();
        parts.put("core", cost.coreNs());
        parts.put("wall", cost.wallNs());
        parts.put("lines", cost.lines());
        Map<String, FileNode> written = new LinkedHashMap<>();
        parts.forEach((key, number) -> {
            if (number != 0 || !origins.holdingAt(path + "." + key).equals(origins.holdingAt(path))) {
                written.put(key, FileNode.number(number));
            }
        });
        if (written.isEmpty()) {
            written.put("core", FileNode.number(0));
        }
        return written;
    }

    SectionDraft transfer() {
        return TransferText.section(topology, model.transfer(), origins);
    }

    SectionDraft smt() {
        return new SectionDraft("smt", origins)
                .value("busy", decimal(model.smt().busyMille()))
                .value("polling", decimal(model.smt().pollingMille()))
                .value("repartition-ns", FileNode.number(model.smt().repartitionNs()));
    }

    /** Whether the speeds are other ones than those that a file without them has: what the capacities say. */
    boolean saysSpeeds() {
        int[] usual = HardwareModel.speedsOf(topology);
        for (int cpu = 0; cpu < usual.length; cpu++) {
            if (usual[cpu] != model.speedMille(cpu)) {
                return true;
            }
        }
        return origins.at("speeds.list").isPresent();
    }

    SectionDraft speeds() {
        return new SectionDraft("speeds", origins)
                .value(
                        "list",
                        TopologyText.smaller(
                                topology,
                                model::speedMille,
                                HardwareModel.FULL_SPEED,
                                "speed",
                                TransferText::thousandths));
    }

    SectionDraft idle() {
        List<Map<String, FileNode>> states = new ArrayList<>();
        for (IdleState state : model.idleStates()) {
            Map<String, FileNode> fields = new LinkedHashMap<>();
            fields.put("name", new FileNode.Value(ScalarText.word(state.name())));
            fields.put("exit-us", FileNode.number(state.exitUs()));
            fields.put("residency-us", FileNode.number(state.residencyUs()));
            fields.put("real-exit-ns", FileNode.number(state.realExitNs()));
            fields.put("votes", new FileNode.Value(Boolean.toString(state.votes())));
            states.add(fields);
        }
        SectionDraft section = new SectionDraft("idle", origins);
        section.entries("states", states);
        return section;
    }

    SectionDraft frequencies() {
        Frequencies clocks = model.frequencies();
        SectionDraft section = new SectionDraft("frequencies", origins);
        section.value("domain", word(clocks.domain()));
        if (clocks.policy() != Frequencies.Policy.CPU || section.isSourced("policy")) {
            section.value("policy", word(clocks.policy()));
        }
        section.value("nominal-khz", FileNode.number(clocks.nominalKhz()))
                .value("p-states-khz", row(clocks.pStatesKhz()));
        if (clocks.turboEntryKhz() > 0) {
            section.section("turbo")
                    .value("entry-khz", FileNode.number(clocks.turboEntryKhz()))
                    .value("bins-khz", row(clocks.turboBinsKhz()));
        }
        return section.value("transition-latency-us", FileNode.number(clocks.transitionLatencyUs()));
    }

    SectionDraft workloads() {
        SectionDraft section = new SectionDraft("workloads", origins);
        sorted(model.workloads(), WORKLOADS).forEach((workload, costs) -> {
            SectionDraft below = section.section(workload);
            sorted(costs, COSTS)
                    .forEach((name, cost) -> below.entry(name, cost("workloads." + workload + "." + name, cost)));
        });
        return section;
    }

    private static <V> Map<String, V> sorted(Map<String, V> byName, List<String> order) {
        Comparator<String> place =
                Comparator.comparingInt(name -> order.contains(name) ? order.indexOf(name) : order.size());
        Map<String, V> sorted = new LinkedHashMap<>();
        byName.entrySet().stream()
                .sorted(Map.Entry.comparingByKey(place.thenComparing(Comparator.naturalOrder())))
                .forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
        return sorted;
    }

    private static FileNode row(List<Integer> numbers) {
        return new FileNode.Row(
                numbers.stream().map(number -> Integer.toString(number)).toList());
    }

    private static FileNode word(Enum<?> choice) {
        return new FileNode.Value(choice.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    private static FileNode decimal(int mille) {
        return new FileNode.Value(TransferText.thousandths(mille));
    }
}
