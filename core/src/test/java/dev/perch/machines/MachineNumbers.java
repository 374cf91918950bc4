package dev.perch.machines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.model.Cache;
import dev.perch.model.Cost;
import dev.perch.model.CostItem;
import dev.perch.model.CpuMask;
import dev.perch.model.Distance;
import dev.perch.model.Frequencies;
import dev.perch.model.HardwareModel;
import dev.perch.model.IdleState;
import dev.perch.model.Machine;
import dev.perch.model.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Everything that a machine says, number by number, each with the origin that holds for it: what two machines must have in common to be
 * the same. Read from the model, not from a file.
 */
public final class MachineNumbers {
    private final Machine machine;
    private final List<String> lines = new ArrayList<>();

    private MachineNumbers(Machine machine) {
        this.machine = machine;
    }

    /** One line a number: its path, the number, its origin. */
    public static List<String> of(Machine machine) {
        MachineNumbers numbers = new MachineNumbers(machine);
        numbers.topology(machine.topology());
        for (Cache cache : machine.caches()) {
            numbers.lines.add(cache.toString());
        }
        HardwareModel model = machine.model();
        if (model != null) {
            numbers.model(model);
        }
        return numbers.lines;
    }

    /** The second machine says what the first one says, with the same origins. */
    public static void assertSame(Machine actual, Machine expected) {
        assertThat(of(actual))
                .zipSatisfy(of(expected), (number, other) -> assertThat(number).isEqualTo(other));
    }

    private void add(String path, Object number) {
        String at = path;
        while (!machine.origins().containsKey(at) && Math.max(at.lastIndexOf('.'), at.lastIndexOf('[')) > 0) {
            at = at.substring(0, Math.max(at.lastIndexOf('.'), at.lastIndexOf('[')));
        }
        lines.add(path + " = " + number + " <- " + machine.origins().get(at));
    }

    /** A number that a file need not say when it is the usual one, which then has no origin. */
    private void addUnless(Object usual, String path, Object number) {
        if (number.equals(usual)) {
            lines.add(path + " = " + number);
        } else {
            add(path, number);
        }
    }

    private void topology(Topology topology) {
        lines.add("title = " + machine.title());
        add("topology.cpus", topology.cpuCount());
        add("topology.cores", topology.cores());
        addUnless(List.of(), "topology.clusters", topology.hasClusters() ? topology.clusters() : List.<CpuMask>of());
        add("topology.llcs", topology.llcs());
        add("topology.packages", topology.packages());
        add("topology.nodes", topology.nodes());
        for (int from = 0; from < topology.nodes().size(); from++) {
            for (int to = 0; to < topology.nodes().size(); to++) {
                String row = from + " to " + to + ": ";
                addUnless(row + 10, "topology.distances", row + topology.nodeDistance(from, to));
            }
        }
        addUnless(Topology.USUAL_RECLAIM_DISTANCE, "topology.reclaim-distance", topology.reclaimDistance());
        for (int cpu = 0; cpu < topology.cpuCount(); cpu++) {
            String row = "CPU " + cpu + ": ";
            addUnless(row + Topology.FULL_CAPACITY, "topology.capacities", row + topology.capacity(cpu));
        }
    }

    private void model(HardwareModel model) {
        for (CostItem item : CostItem.all()) {
            cost("costs." + item.key(), model.cost(item));
        }
        transfer(model);
        if (machine.topology().hasSmt()) {
            add("smt.busy", model.smt().busyMille());
            add("smt.polling", model.smt().pollingMille());
            add("smt.repartition-ns", model.smt().repartitionNs());
        }
        speeds(model);
        for (int i = 0; i < model.idleStates().size(); i++) {
            IdleState state = model.idleStates().get(i);
            String path = "idle.states[" + i + "].";
            add(path + "name", state.name());
            add(path + "exit-us", state.exitUs());
            add(path + "residency-us", state.residencyUs());
            add(path + "real-exit-ns", state.realExitNs());
            add(path + "votes", state.votes());
        }
        Frequencies clocks = model.frequencies();
        add("frequencies.domain", clocks.domain());
        addUnless(Frequencies.Policy.CPU, "frequencies.policy", clocks.policy());
        add("frequencies.nominal-khz", clocks.nominalKhz());
        add("frequencies.p-states-khz", clocks.pStatesKhz());
        addUnless(0, "frequencies.turbo.entry-khz", clocks.turboEntryKhz());
        addUnless(List.of(), "frequencies.turbo.bins-khz", clocks.turboBinsKhz());
        add("frequencies.transition-latency-us", clocks.transitionLatencyUs());
        model.workloads().keySet().stream().sorted().forEach(workload -> {
            lines.add("workload " + workload);
            model.workloads().getOrDefault(workload, java.util.Map.of()).keySet().stream()
                    .sorted()
                    .forEach(
                            name -> cost("workloads." + workload + "." + name, model.workloadCost("", workload, name)));
        });
    }

    /** Speeds have an origin if they are not what the capacities say. */
    private void speeds(HardwareModel model) {
        Topology topology = machine.topology();
        boolean said = IntStream.range(0, topology.cpuCount())
                .anyMatch(
                        cpu -> model.speedMille(cpu) != Math.max(1, Math.round(topology.capacity(cpu) * 1000 / 1024f)));
        for (int cpu = 0; cpu < topology.cpuCount(); cpu++) {
            String speed = "CPU " + cpu + ": " + model.speedMille(cpu);
            addUnless(said ? "" : speed, "speeds.list", speed);
        }
    }

    private void cost(String path, Cost cost) {
        add(path + ".core", cost.coreNs());
        add(path + ".wall", cost.wallNs());
        add(path + ".lines", cost.lines());
    }

    private void transfer(HardwareModel model) {
        Topology topology = machine.topology();
        add("transfer.hidden", model.transfer().hiddenPs());
        for (int a = 0; a < topology.cpuCount(); a++) {
            for (int b = 0; b < a; b++) {
                Distance distance = topology.distance(a, b);
                String path = distance == Distance.REMOTE
                        ? "transfer.remote." + topology.nodeDistance(topology.nodeOf(a), topology.nodeOf(b))
                        : "transfer." + distance.word();
                add(path, a + " to " + b + ": " + model.transfer().latencyPs(topology, a, b));
            }
        }
    }
}
