package dev.perch.machines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.model.Cost;
import dev.perch.model.CostItem;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Machine;
import dev.perch.model.Origin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MachineFileTest {
    /** Two packages, each a node with two cores of two threads and one LLC. */
    private static final String GOOD = """
            title: a box
            topology:
              origin: "measured: by hand"
              cpus: 8
              cores: [0-1, 2-3, 4-5, 6-7]
              llcs: [0-3, 4-7]
              packages: every 4
              nodes: [0-3, 4-7]
              distances:
                - [10, 20]
                - [20, 10]
            caches:
              origin: "published: data sheet"
              list:
                - {level: 1, type: data, kib: 32, shared-by: core}
                - {level: 3, type: unified, kib: 8192, shared-by: llc}
            costs:
              origin: "assumed: a round number"
              probe: {core: 10}
              mask-op: {core: 10}
              runqueue-lock: {core: 10}
              enqueue: {core: 100, lines: {value: 4, origin: "measured: counted"}}
              preemption-check: {core: 10}
              dequeue: {core: 10}
              pick: {core: 10}
              switch-process: {core: 10}
              switch-thread: {core: 10}
              switch-idle: {core: 10}
              ipi-send: {core: 10}
              ipi-delivery: {wall: 600}
              ipi-handler: {core: 10}
              idle-entry: {core: 10}
              idle-exit: {core: 10, origin: "calibrated: matrix 3->1"}
              tick-stop: {core: 10}
              tick-restart: {core: 10}
              tick: {core: 10}
              balance-probe: {core: 10}
              balance-move: {core: 10}
              migration-refill: {core: 0, wall: 700, lines: 27}
              governor-sample: {core: 10}
              clock-change: {wall: 0}
            transfer:
              origin: "published: somewhere"
              hidden: 5.5
              smt: 7.1
              llc: 40
              remote: {20: 90.25}
            smt: {busy: 0.6, polling: 0.95, repartition-ns: 150, origin: "assumed: usual"}
            idle:
              origin: "published: table"
              states:
                - {name: C1, exit-us: 2, residency-us: 2, real-exit-ns: 700, votes: true}
                - {name: C6, exit-us: 80, residency-us: 200, real-exit-ns: 40000, votes: false}
            frequencies:
              origin: "published: table"
              domain: package
              nominal-khz: 2000000
              p-states-khz: [1000000, 2000000]
              turbo: {entry-khz: 2001000, bins-khz: [2600000, 2400000]}
              transition-latency-us: 10
            workloads:
              tcp-rr:
                origin: "assumed: start"
                message: {core: 2000}
            """;

    @TempDir
    private Path folder;

    private Machine read(String text) throws IOException {
        return MachineFile.read(Files.writeString(folder.resolve("box.yaml"), text));
    }

    @Test
    void readsEverySection() throws Exception {
        Machine machine = read(GOOD);
        assertThat(machine.name()).isEqualTo("box");
        assertThat(machine.title()).isEqualTo("a box");
        assertThat(machine.topology().packages()).containsExactly(CpuMask.range(0, 3), CpuMask.range(4, 7));
        assertThat(machine.topology().nodeDistance(0, 1)).isEqualTo(20);
        assertThat(machine.caches()).hasSize(6);
        var model = machine.requireModel();
        assertThat(model.cost(CostItem.ENQUEUE)).isEqualTo(new Cost(100, 0, 4));
        assertThat(model.cost(CostItem.MIGRATION_REFILL)).isEqualTo(new Cost(0, 700, 27));
        assertThat(model.transfer().hiddenPs()).isEqualTo(5_500);
        assertThat(model.transfer().latencyPs(machine.topology(), 0, 4)).isEqualTo(90_250);
        assertThat(model.smt().busyMille()).isEqualTo(600);
        assertThat(model.smt().pollingMille()).isEqualTo(950);
        assertThat(model.smt().repartitionNs()).isEqualTo(150);
        assertThat(model.idleStates()).hasSize(2);
        assertThat(model.idleStates().get(1).realExitNs()).isEqualTo(40_000);
        assertThat(model.frequencies().turboBinsKhz()).containsExactly(2600000, 2400000);
        assertThat(model.workloadCost("box", "tcp-rr", "message")).isEqualTo(Cost.core(2000));
    }

    @Test
    void anOriginHoldsForEverythingBelowUnlessSomethingHasItsOwn() throws Exception {
        var origins = read(GOOD).origins();
        assertThat(origins)
                .containsEntry("costs.enqueue", new Origin(Origin.Kind.ASSUMED, "a round number"))
                .containsEntry("costs.enqueue.lines", new Origin(Origin.Kind.MEASURED, "counted"))
                .containsEntry("costs.idle-exit", new Origin(Origin.Kind.CALIBRATED, "matrix 3->1"))
                .containsEntry("transfer.remote.20", new Origin(Origin.Kind.PUBLISHED, "somewhere"))
                .containsEntry("smt.busy", new Origin(Origin.Kind.ASSUMED, "usual"))
                .doesNotContainKey("costs.enqueue.core");
    }

    @Test
    void aFileWithoutModelSectionsIsATopology() throws Exception {
        Machine machine = read(GOOD.substring(0, GOOD.indexOf("costs:")));
        assertThat(machine.model()).isNull();
        assertThatThrownBy(machine::requireModel)
                .isInstanceOf(InputException.class)
                .hasMessageContaining("no costs");
    }

    @Test
    void capacitiesAndTheReclaimDistanceAreRead() throws Exception {
        Machine plain = read(GOOD);
        assertThat(plain.topology().capacity(7)).isEqualTo(1024);
        assertThat(plain.topology().reclaimDistance()).isEqualTo(30);
        String text = GOOD.replace(
                "  cpus: 8\n",
                "  cpus: 8\n  reclaim-distance: 32\n  capacities:\n    - {cpus: \"0-1,4\", capacity: 446}\n    - {cpus: 5, capacity: 700}\n");
        Machine machine = read(text);
        assertThat(java.util.stream.IntStream.range(0, 8).map(machine.topology()::capacity))
                .containsExactly(446, 446, 1024, 1024, 446, 700, 1024, 1024);
        assertThat(machine.topology().reclaimDistance()).isEqualTo(32);
        assertThat(machine.origins()).containsKeys("topology.capacities", "topology.reclaim-distance");
        assertThat(TopologyDrawing.draw(machine))
                .contains("  capacity 446: CPUs 0-1,4\n", "  capacity 700: CPUs 5\n", "far above 32");
        assertThat(ShippedMachinesTest.schema().validate(ShippedMachinesTest.json(text)))
                .isEmpty();
    }

    @Test
    void theExampleOfTheseTestsMatchesTheSchema() throws Exception {
        assertThat(ShippedMachinesTest.schema().validate(ShippedMachinesTest.json(GOOD)))
                .isEmpty();
    }

    /** What is replaced by what, the line of the message, its text, and whether the schema alone finds it too. */
    static Stream<Arguments> mistakes() {
        return Stream.of(
                // structure
                mistake("title: a box\n", "", 1, "missing key 'title'", true),
                mistake("title:", "titel:", 1, "missing key 'title'", true),
                mistake("  cpus: 8\n", "", 2, "missing key 'cpus' in topology", true),
                mistake("cpus: 8", "cpus: 0", 4, "topology.cpus is 0, but must be at least 1", true),
                mistake("nodes:", "nods:", 2, "missing key 'nodes' in topology", true),
                mistake("smt: {", "sm: {", 1, "missing key 'smt'", true),
                mistake(
                        "busy: 0.6,",
                        "busy: 0.6, bus: 1,",
                        48,
                        "unknown key 'bus' in smt",
                        "; did you mean 'busy'?",
                        true),
                mistake("workloads:", "workload:", 61, "unknown key 'workload'", "; did you mean 'workloads'?", true),
                // origins
                mistake(
                        "  origin: \"assumed: a round number\"\n",
                        "",
                        18,
                        "no origin for costs.probe",
                        WRITE_ORIGIN,
                        false),
                mistake(
                        "\"measured: by hand\"",
                        "guessed",
                        3,
                        "topology.origin 'guessed' does not say where the number comes from",
                        "; write one of measured, published, calibrated, assumed, a colon, and the source or the reason",
                        true),
                mistake(
                        "\"measured: by hand\"",
                        "\"measured:\"",
                        3,
                        "topology.origin 'measured:' does not say where the number comes from",
                        "; write one of measured, published, calibrated, assumed, a colon, and the source or the reason",
                        true),
                // topology
                mistake(
                        "  cpus: 8\n",
                        "  cpus: 8\n  capacities: [{cpus: 0-3, capacity: 0}]\n",
                        5,
                        "topology.capacities[0].capacity is 0, but must be at least 1",
                        true),
                mistake(
                        "  cpus: 8\n",
                        "  cpus: 8\n  capacities: [{cpus: 4-8, capacity: 512}]\n",
                        5,
                        "topology.capacities[0] names CPUs '4-8', but the machine has CPUs 0-7",
                        false),
                mistake(
                        "  cpus: 8\n",
                        "  cpus: 8\n  capacities:\n    - {cpus: 0-3, capacity: 512}\n    - {cpus: 3, capacity: 256}\n",
                        7,
                        "topology.capacities[1] names CPU 3, which has a capacity already",
                        false),
                mistake(
                        "  cpus: 8\n",
                        "  cpus: 8\n  capacities: [{cpus: 0-7, capacity: 512}]\n",
                        5,
                        "no CPU has capacity 1024",
                        "; the largest CPUs have it",
                        false),
                mistake(
                        "  cpus: 8\n",
                        "  cpus: 8\n  reclaim-distance: 300\n",
                        5,
                        "topology.reclaim-distance is 300, but must be at most 254",
                        true),
                mistake("[0-1, 2-3, 4-5, 6-7]", "[0-1, 2-3, 4-5, 7]", 5, "CPU 6 in no core", false),
                mistake("[0-1, 2-3, 4-5, 6-7]", "[0-1, 2-3]", 5, "CPUs 4-7 in no core", false),
                mistake(
                        "[0-1, 2-3, 4-5, 6-7]",
                        "[0-1, 1-3, 4-5, 6-7]",
                        5,
                        "core 1 (1-3) names CPU 1, which is in an earlier one already",
                        false),
                mistake(
                        "llcs: [0-3, 4-7]",
                        "llcs: [0-3, 4-8]",
                        6,
                        "LLC 1 (4-8) names CPU 8, but topology.cpus is 8",
                        false),
                mistake("llcs: [0-3, 4-7]", "llcs: [0-3, 4-7, '']", 6, "LLC 2 has no CPU", true),
                mistake(
                        "llcs: [0-3, 4-7]",
                        "llcs: [0-x]",
                        6,
                        "topology.llcs[0]: CPU list '0-x': 'x' is not a CPU number; write numbers and ranges, as in 0-3,8",
                        true),
                mistake("llcs: [0-3, 4-7]", "llcs: [0-2, 3-7]", 5, "core 1 (2-3) does not lie inside one LLC", false),
                mistake(
                        "nodes: [0-3, 4-7]",
                        "nodes: [0-4, 5-7]",
                        5,
                        "core 2 (4-5) does not lie inside one node",
                        false),
                mistake(
                        "packages: every 4",
                        "packages: [0-1, 2-7]",
                        6,
                        "LLC 0 (0-3) does not lie inside one package",
                        false),
                mistake(
                        "packages: every 4",
                        "packages: every 3",
                        7,
                        "topology.packages: 8 CPUs cannot be divided into runs of 3",
                        false),
                mistake(
                        "packages: every 4",
                        "packages: each 4",
                        7,
                        "topology.packages cannot be 'each 4'",
                        "; write a list of CPU lists, or every N for runs of N CPUs",
                        true),
                mistake(
                        "  nodes: [0-3, 4-7]\n",
                        "  clusters: [0-1, 2-5, 6-7]\n  nodes: [0-3, 4-7]\n",
                        8,
                        "cluster 1 (2-5) does not lie inside one LLC",
                        false),
                mistake("- [20, 10]", "- [21, 10]", 10, "distance from node 0 to node 1 is 20, but 21 back", false),
                mistake("- [20, 10]", "- [20, 11]", 11, "distance of node 1 to itself is 11", "; local is 10", false),
                mistake(
                        "- [10, 20]",
                        "- [10, 10]",
                        10,
                        "distance from node 0 to node 1 is 10, which means local",
                        false),
                mistake("    - [20, 10]\n", "", 9, "topology.distances has 1 rows for 2 nodes", false),
                mistake("- [20, 10]", "- [20]", 11, "topology.distances[1] has 1 numbers for 2 nodes", false),
                // caches
                mistake("level: 3,", "level: 0,", 16, "caches.list[1].level is 0, but must be at least 1", true),
                mistake(
                        "level: 1,",
                        "level: 4,",
                        16,
                        "caches.list[1] comes after a cache of a higher level or with more CPUs",
                        "; write them from near to far",
                        false),
                mistake(
                        "shared-by: llc",
                        "shared-by: ll",
                        16,
                        "caches.list[1].shared-by cannot be 'll'",
                        "; did you mean 'llc'?",
                        true),
                // costs
                mistake("  pick: {core: 10}\n", "", 17, "costs lacks pick", true),
                mistake(
                        "  tick: {core: 10}\n  balance-probe: {core: 10}\n",
                        "",
                        17,
                        "costs lacks tick, balance-probe",
                        true),
                mistake("  pick:", "  pik:", 25, "unknown cost 'pik'", "; did you mean 'pick'?", true),
                mistake(
                        "pick: {core: 10}",
                        "pick: {corr: 10}",
                        25,
                        "unknown key 'corr' in costs.pick",
                        "; did you mean 'core'?",
                        true),
                mistake(
                        "pick: {core: 10}",
                        "pick: {}",
                        25,
                        "costs.pick says no cost",
                        "; write core, wall (nanoseconds) or lines",
                        true),
                mistake(
                        "pick: {core: 10}",
                        "pick: {core: -1}",
                        25,
                        "costs.pick.core is -1, but must be at least 0",
                        true),
                mistake(
                        "pick: {core: 10}",
                        "pick: {core: 1.5}",
                        25,
                        "costs.pick.core must be a whole number, not '1.5'",
                        true),
                mistake(
                        "pick: {core: 10}",
                        "pick: 10",
                        25,
                        "costs.pick must be a map of keys and values, not '10'",
                        true),
                // transfer
                mistake("hidden: 5.5", "hidden: fast", 44, "transfer.hidden must be a number, not 'fast'", true),
                mistake("  llc: 40\n", "", 42, "missing key 'llc' in transfer", false),
                mistake(
                        "llc: 40",
                        "llc: 4",
                        46,
                        "transfer.llc is less than transfer.smt",
                        "; latencies grow with distance",
                        false),
                mistake(
                        "  llc: 40\n",
                        "  cluster: 30\n  llc: 40\n",
                        46,
                        "transfer.cluster is given, but no two CPUs of this machine are that far apart",
                        "; remove it",
                        false),
                mistake(
                        "{20: 90.25}",
                        "{20: 39}",
                        47,
                        "transfer.remote from node 0 to node 1 is less than transfer.llc",
                        "; latencies grow with distance",
                        false),
                mistake("{20: 90.25}", "{21: 90.25}", 47, "missing key '20' in transfer.remote", false),
                mistake("{20: 90.25}", "[[0, 90]]", 47, "transfer.remote has 1 rows for 2 nodes", false),
                mistake(
                        "{20: 90.25}",
                        "[[0, 90], [91, 0]]",
                        47,
                        "transfer.remote from node 1 to node 0 differs from the way back",
                        false),
                mistake(
                        "{20: 90.25}",
                        "[[0, 90], [90]]",
                        47,
                        "transfer.remote, row of node 1, has 1 numbers for 2 nodes",
                        false),
                // smt
                mistake(
                        "busy: 0.6",
                        "busy: 60",
                        48,
                        "smt.busy is 60, but must be a speed from 0.001 to 1, where 1 is that of the thread alone",
                        true),
                mistake(
                        "polling: 0.95",
                        "polling: 0.5",
                        48,
                        "smt.polling is less than smt.busy",
                        "; a spinning sibling takes no more than an executing one",
                        false),
                // idle
                mistake(
                        "exit-us: 80",
                        "exit-us: 2",
                        53,
                        "idle state C6 is deeper than C1, but its exit-us is not larger",
                        false),
                mistake(
                        "residency-us: 200",
                        "residency-us: 1",
                        53,
                        "idle state C6 is deeper than C1, but its residency-us is smaller",
                        false),
                mistake(
                        "real-exit-ns: 40000",
                        "real-exit-ns: 400",
                        53,
                        "idle state C6 is deeper than C1, but its real-exit-ns is smaller",
                        false),
                mistake(
                        "700, votes: true}\n    - {name: C6, exit-us: 80, residency-us: 200, real-exit-ns: 40000, votes: false",
                        "700, votes: false}\n    - {name: C6, exit-us: 80, residency-us: 200, real-exit-ns: 40000, votes: true",
                        53,
                        "idle state C6 is deeper than C1, but only the deeper one votes",
                        false),
                mistake(
                        "votes: true",
                        "votes: maybe",
                        52,
                        "idle.states[0].votes must be true or false, not 'maybe'",
                        true),
                // frequencies
                mistake(
                        "domain: package",
                        "domain: socket",
                        56,
                        "frequencies.domain cannot be 'socket'",
                        "; known are core, cluster, llc, package",
                        true),
                mistake(
                        "[1000000, 2000000]",
                        "[2000000, 1000000]",
                        58,
                        "frequencies.p-states-khz[1] (1000000) is not above the one before it",
                        "; write them ascending",
                        false),
                mistake(
                        "nominal-khz: 2000000",
                        "nominal-khz: 1500000",
                        57,
                        "frequencies.nominal-khz (1500000) is none of p-states-khz",
                        false),
                mistake("[1000000, 2000000]", "[]", 58, "frequencies.p-states-khz is empty", true),
                mistake(
                        "entry-khz: 2001000",
                        "entry-khz: 2000000",
                        59,
                        "frequencies.turbo.entry-khz (2000000) is not above the highest P-state (2000000)",
                        false),
                mistake(
                        "[2600000, 2400000]",
                        "[2600000, 1900000]",
                        59,
                        "frequencies.turbo.bins-khz[1] (1900000) is below the highest P-state (2000000)",
                        false),
                mistake(
                        "[2600000, 2400000]",
                        "[2400000, 2600000]",
                        59,
                        "frequencies.turbo.bins-khz[1] (2600000) is above the bin for fewer active cores",
                        false),
                mistake(
                        "[2600000, 2400000]",
                        "[2600000, 2400000, 2400000]",
                        59,
                        "frequencies.turbo.bins-khz has 3 bins, but a package has 2 cores",
                        false),
                // workloads
                mistake(
                        "message: {core: 2000}",
                        "message: {}",
                        64,
                        "workloads.tcp-rr.message says no cost",
                        "; write core, wall (nanoseconds) or lines",
                        true));
    }

    private static final String WRITE_ORIGIN =
            "; write origin: \"measured|published|calibrated|assumed: …\" into it or into the map around it";

    private static Arguments mistake(String good, String bad, int line, String message, boolean schema) {
        return mistake(good, bad, line, message, "", schema);
    }

    private static Arguments mistake(String good, String bad, int line, String message, String remedy, boolean schema) {
        return Arguments.of(good, bad, line, message, remedy, schema);
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void refusesAMistakeWithTheLine(String good, String bad, int line, String message, String remedy, boolean schema)
            throws Exception {
        assertThat(GOOD).contains(good);
        String text = GOOD.replace(good, bad);
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(InputException.class)
                .hasMessage(message + " (" + folder.resolve("box.yaml") + ":" + line + ")" + remedy);
        assertThat(ShippedMachinesTest.schema()
                        .validate(ShippedMachinesTest.json(text))
                        .isEmpty())
                .as("the schema alone finds nothing")
                .isEqualTo(!schema);
    }

    @Test
    void smtSpeedsAreRefusedWhereThereIsNoSmt() {
        String text =
                GOOD.replace("cores: [0-1, 2-3, 4-5, 6-7]", "cores: every 1").replace("  smt: 7.1\n", "");
        assertThatThrownBy(() -> read(text))
                .hasMessageContaining("smt is given, but every core has one thread (")
                .hasMessageEndingWith(":47); remove it");
    }

    @Test
    void aMachineWithOneNodeNeedsNoDistances() throws Exception {
        String text = GOOD.replace("nodes: [0-3, 4-7]", "nodes: [0-7]")
                .replace("  distances:\n    - [10, 20]\n    - [20, 10]\n", "")
                .replace("remote: {20: 90.25}", "node: 90");
        assertThat(read(text).topology().nodes()).isEqualTo(List.of(CpuMask.range(0, 7)));
    }
}
