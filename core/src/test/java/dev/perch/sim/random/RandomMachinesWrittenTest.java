package dev.perch.sim.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.machines.MachineNumbers;
import dev.perch.machines.MachineText;
import dev.perch.machines.Machines;
import dev.perch.model.Cache;
import dev.perch.model.CostItem;
import dev.perch.model.CpuMask;
import dev.perch.model.Distance;
import dev.perch.model.Frequencies;
import dev.perch.model.HardwareModel;
import dev.perch.model.LineTransfer;
import dev.perch.model.Machine;
import dev.perch.model.Origin;
import dev.perch.model.SmtSpeed;
import dev.perch.model.Topology;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drawn machines are read as they were written, with the origins that were drawn for them. */
class RandomMachinesWrittenTest {
    private static final int MACHINES = 150;
    private static final Path HOME = Path.of(System.getProperty("perch.home"));

    @TempDir
    private Path folder;

    @Test
    void drawnMachinesAreReadAsTheyWereWritten() throws Exception {
        RandomMachines machines = new RandomMachines(HOME);
        for (int seed = 1; seed <= MACHINES; seed++) {
            Draws draws = new Draws(seed);
            Machine machine = lawful(machines.draw(draws), draws);
            String yaml = MachineText.yaml(machine, List.of("seed " + seed));
            Machine read = Machines.find(
                    Files.writeString(folder.resolve("random.yaml"), yaml).toString(), HOME);
            MachineNumbers.assertSame(read, machine);
            assertThat(MachineText.yaml(read, List.of("seed " + seed))).isEqualTo(yaml);
        }
    }

    /** The machine without what a file refuses: latencies that shrink with distance, more turbo bins than cores, a polling sibling that slows most. */
    private static Machine lawful(Machine drawn, Draws draws) {
        Topology topology = drawn.topology();
        if (draws.once(2)) {
            topology = topology.withReclaimDistance(draws.between(10, 254));
        }
        HardwareModel model = drawn.requireModel();
        int[] speeds = new int[topology.cpuCount()];
        for (int cpu = 0; cpu < speeds.length; cpu++) {
            speeds[cpu] =
                    cpu == 0 ? HardwareModel.FULL_SPEED : draws.of(HardwareModel.FULL_SPEED, 1, model.speedMille(cpu));
        }
        model = new HardwareModel(
                        Arrays.stream(CostItem.all()).map(model::cost).toArray(dev.perch.model.Cost[]::new),
                        transfer(topology, draws),
                        new SmtSpeed(draws.between(1, 500), draws.between(500, 1000), draws.below(1000)),
                        model.idleStates(),
                        clocks(topology, model.frequencies(), draws),
                        model.workloads())
                .withSpeeds(speeds);
        List<Cache> caches = new ArrayList<>();
        topology.cores().forEach(core -> caches.add(new Cache(1, "data", 32, core)));
        topology.llcs().forEach(llc -> caches.add(new Cache(3, "unified", 8192, llc)));
        return new Machine("random", "drawn", "test", topology, caches, model, origins(model, draws));
    }

    private static LineTransfer transfer(Topology topology, Draws draws) {
        long[] near = new long[Distance.all().length];
        for (int i = 1; i < near.length; i++) {
            near[i] = near[i - 1] + draws.below(50_000);
        }
        int nodes = topology.nodes().size();
        long[][] remote = new long[nodes][nodes];
        int spread = draws.of(1, 1000); // 1: the distance alone tells
        for (int from = 0; from < nodes; from++) {
            for (int to = 0; to < from; to++) {
                remote[from][to] = 300_000 + 1000L * topology.nodeDistance(from, to) + draws.below(spread);
                remote[to][from] = remote[from][to];
            }
        }
        return new LineTransfer(draws.below(50_000), near, remote);
    }

    private static Frequencies clocks(Topology topology, Frequencies base, Draws draws) {
        int cores = 0;
        for (CpuMask pkg : topology.packages()) {
            cores = Math.max(cores, (int)
                    topology.cores().stream().filter(pkg::containsAll).count());
        }
        List<Integer> bins = base.turboBinsKhz();
        return new Frequencies(
                base.nominalKhz(),
                base.pStatesKhz(),
                base.turboEntryKhz(),
                bins.subList(0, Math.min(cores, bins.size())),
                base.transitionLatencyUs(),
                draws.of(Frequencies.Domain.values()),
                draws.of(Frequencies.Policy.values()));
    }

    /** One for each section, and some for what is in it. */
    private static Map<String, Origin> origins(HardwareModel model, Draws draws) {
        List<String> paths = new ArrayList<>();
        for (CostItem item : CostItem.all()) {
            paths.add("costs." + item.key());
            paths.add("costs." + item.key() + ".core");
        }
        for (int i = 0; i < model.idleStates().size(); i++) {
            paths.add("idle.states[" + i + "]");
            paths.add("idle.states[" + i + "].exit-us");
        }
        model.workloads().forEach((workload, costs) -> {
            paths.add("workloads." + workload);
            costs.keySet().forEach(cost -> paths.add("workloads." + workload + "." + cost));
        });
        paths.addAll(List.of(
                "topology.cores",
                "topology.nodes",
                "transfer.hidden",
                "transfer.remote",
                "smt.busy",
                "frequencies.turbo",
                "frequencies.turbo.bins-khz",
                "frequencies.domain",
                "frequencies.p-states-khz"));
        paths.sort(null);
        Map<String, Origin> origins = new LinkedHashMap<>();
        for (String section : List.of(
                "topology", "caches", "costs", "transfer", "smt", "speeds", "idle", "frequencies", "workloads")) {
            origins.put(section, origin(draws));
        }
        paths.stream().filter(_ -> draws.once(3)).forEach(path -> origins.put(path, origin(draws)));
        return origins;
    }

    private static Origin origin(Draws draws) {
        String word = draws.of("a", "b c", "long: \"words\" # and more, ");
        return new Origin(
                draws.of(Origin.Kind.values()),
                (word + " ").repeat(draws.of(1, 2, 9)).strip());
    }
}
