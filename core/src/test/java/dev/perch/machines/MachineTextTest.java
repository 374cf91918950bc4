package dev.perch.machines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.model.Cache;
import dev.perch.model.Cost;
import dev.perch.model.CostItem;
import dev.perch.model.CpuMask;
import dev.perch.model.Distance;
import dev.perch.model.Frequencies;
import dev.perch.model.HardwareModel;
import dev.perch.model.IdleState;
import dev.perch.model.InputException;
import dev.perch.model.LineTransfer;
import dev.perch.model.Machine;
import dev.perch.model.Origin;
import dev.perch.model.SmtSpeed;
import dev.perch.model.Topology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written is read as the same machine again, and looks as a person would write it. */
class MachineTextTest {
    private static final Path HOME = Path.of(System.getProperty("perch.home"));
    private static final Origin MEASURED = new Origin(Origin.Kind.MEASURED, "by hand");
    private static final Origin GUESSED = new Origin(Origin.Kind.ASSUMED, "a round number");
    private static final Origin COUNTED = new Origin(Origin.Kind.MEASURED, "counted");

    @TempDir
    private Path folder;

    static Stream<String> names() {
        return ShippedMachinesTest.names();
    }

    private Machine again(Machine machine) throws Exception {
        String yaml = MachineText.yaml(machine, List.of());
        assertThat(ShippedMachinesTest.schema().validate(ShippedMachinesTest.json(yaml)))
                .isEmpty();
        return MachineFile.read(Files.writeString(folder.resolve(machine.name() + ".yaml"), yaml));
    }

    @ParameterizedTest
    @MethodSource("names")
    void aShippedMachineIsReadAsItWasWritten(String name) throws Exception {
        Machine machine = Machines.find(name, HOME);
        Machine read = again(machine);
        MachineNumbers.assertSame(read, machine);
        assertThat(read.origins()).isEqualTo(machine.origins());
    }

    @ParameterizedTest
    @MethodSource("names")
    void whatWasReadIsWrittenInTheSameBytes(String name) throws Exception {
        Machine machine = Machines.find(name, HOME);
        String first = MachineText.yaml(machine, List.of("a line"));
        assertThat(MachineText.yaml(machine, List.of("a line"))).isEqualTo(first);
        assertThat(MachineText.yaml(again(machine), List.of("a line"))).isEqualTo(first);
        assertThat(first.lines())
                .allSatisfy(
                        line -> assertThat(line).hasSizeLessThanOrEqualTo(130).doesNotEndWith(" "));
    }

    static Stream<Path> resources() throws Exception {
        return Stream.of("/hwloc", "/recordings").flatMap(MachineTextTest::descriptions);
    }

    private static Stream<Path> descriptions(String resource) {
        try {
            return descriptionsIn(HwlocXmlTest.resource(resource)).stream();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Path> descriptionsIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".xml") || file.endsWith("machine/topology.txt"))
                    .sorted()
                    .toList();
        }
    }

    /** Trees, threads, nodes and capacities as real machines and hwloc have them. */
    @ParameterizedTest
    @MethodSource("resources")
    void aMachineOfWhichOnlyTheTopologyIsKnownIsReadAsItWasWritten(Path description) throws Exception {
        Machine found = Machines.find(description.toString(), HOME);
        // an emulator gives threads caches of their own, which no file can say
        List<Cache> caches = found.caches().stream()
                .filter(cache -> found.topology().cores().stream().anyMatch(cache.shared()::containsAll))
                .toList();
        Machine named = new Machine(
                "box", found.title(), found.source(), found.topology(), caches, found.model(), found.origins());
        Machine read = again(named);
        assertThat(read.model()).isNull();
        MachineNumbers.assertSame(read, named);
    }

    @Test
    void topologiesOfAllRecordingsAreReadAsTheyWereWritten() throws Exception {
        String recordings = System.getProperty("perch.recordings", "");
        Assumptions.assumeFalse(recordings.isEmpty(), "name a folder of recordings: -Dperch.recordings=FOLDER");
        for (Path description : descriptionsIn(Path.of(recordings))) {
            aMachineOfWhichOnlyTheTopologyIsKnownIsReadAsItWasWritten(description);
        }
    }

    /** Four CPUs: a core of two threads, two smaller cores; one node. */
    private static Topology small() {
        return new Topology(
                        4,
                        List.of(CpuMask.range(0, 1), CpuMask.of(2), CpuMask.of(3)),
                        null,
                        List.of(CpuMask.range(0, 3)),
                        List.of(CpuMask.range(0, 3)),
                        List.of(CpuMask.range(0, 3)),
                        new int[][] {{10}})
                .withCapacities(new int[] {1024, 1024, 512, 512});
    }

    private static HardwareModel model(LineTransfer transfer, List<IdleState> idle, Frequencies clocks) {
        Cost[] costs = new Cost[CostItem.all().length];
        Arrays.fill(costs, Cost.core(10));
        costs[CostItem.ENQUEUE.ordinal()] = new Cost(100, 0, 4);
        costs[CostItem.IPI_DELIVERY.ordinal()] = Cost.wall(600);
        costs[CostItem.CLOCK_CHANGE.ordinal()] = Cost.NONE;
        return new HardwareModel(
                costs,
                transfer,
                new SmtSpeed(600, 1000, 150),
                idle,
                clocks,
                Map.of(
                        "pipe",
                        Map.of("tail", Cost.core(5), "message", Cost.core(353), "crossing", new Cost(0, 0, 10))));
    }

    private static Machine smallMachine(Map<String, Origin> origins) {
        LineTransfer transfer = new LineTransfer(0, new long[] {0, 7_100, 0, 37_250, 0, 0}, new long[1][1]);
        List<IdleState> idle =
                List.of(new IdleState("C1", 3, 6, 750, true), new IdleState("C6", 200, 800, 40_000, false));
        Frequencies clocks = new Frequencies(
                2_000_000,
                List.of(1_000_000, 2_000_000),
                2_001_000,
                List.of(3_000_000, 2_500_000),
                10,
                Frequencies.Domain.PACKAGE,
                Frequencies.Policy.CPU);
        List<Cache> caches = List.of(
                new Cache(1, "data", 48, CpuMask.range(0, 1)),
                new Cache(1, "data", 32, CpuMask.of(2)),
                new Cache(1, "data", 32, CpuMask.of(3)),
                new Cache(3, "unified", 8192, CpuMask.range(0, 3)));
        return new Machine("small", "A box", "test", small(), caches, model(transfer, idle, clocks), origins);
    }

    private static Map<String, Origin> origins() {
        Map<String, Origin> origins = new LinkedHashMap<>();
        for (String section :
                List.of("topology", "caches", "costs", "transfer", "smt", "idle", "frequencies", "workloads")) {
            origins.put(section, MEASURED);
        }
        origins.put("costs.pick", GUESSED);
        origins.put("costs.enqueue.lines", COUNTED);
        origins.put(
                "costs.tick",
                new Origin(
                        Origin.Kind.PUBLISHED,
                        "a long sentence that tells of a long measurement with many words, so that it does not fit into one line of "
                                + "this file and must be folded"));
        origins.put("speeds.list", COUNTED);
        origins.put("idle.states.0.votes", GUESSED);
        origins.put("frequencies.turbo", GUESSED);
        origins.put("workloads.pipe.message", GUESSED);
        return origins;
    }

    /** As somebody would write it who has read docs/machine-file.md. */
    @Test
    void aFileIsWrittenAsAPersonWouldWriteIt() {
        assertThat(MachineText.yaml(smallMachine(origins()), List.of("Measured on a desk.", "Twice.")))
                .isEqualTo("""
                        # yaml-language-server: $schema=machine.schema.json
                        # docs/machine-file.md says what the keys mean.
                        # Measured on a desk.
                        # Twice.
                        title: A box

                        topology:
                          origin: "measured: by hand"
                          cpus: 4
                          cores: [0-1, 2, 3]
                          llcs: [0-3]
                          packages: [0-3]
                          nodes: [0-3]
                          capacities:
                            - {cpus: 2-3, capacity: 512}

                        # Not said below, because a kind has one size and belongs to whole cores, clusters, LLCs or packages:
                        # level 1, data, 48 KiB, CPUs 0-1
                        # level 1, data, 32 KiB, CPUs 2-3
                        caches:
                          origin: "measured: by hand"
                          list:
                            - {level: 3, type: unified, kib: 8192, shared-by: llc}

                        # core: ns at nominal-khz. wall: ns whatever the clock. lines: cache lines that another CPU wrote last.
                        costs:
                          origin: "measured: by hand"
                          probe: {core: 10}
                          mask-op: {core: 10}
                          runqueue-lock: {core: 10}
                          enqueue: {core: 100, lines: {value: 4, origin: "measured: counted"}}
                          preemption-check: {core: 10}
                          dequeue: {core: 10}
                          pick: {core: 10, origin: "assumed: a round number"}
                          switch-process: {core: 10}
                          switch-thread: {core: 10}
                          switch-idle: {core: 10}
                          ipi-send: {core: 10}
                          ipi-delivery: {wall: 600}
                          ipi-handler: {core: 10}
                          idle-entry: {core: 10}
                          idle-exit: {core: 10}
                          tick-stop: {core: 10}
                          tick-restart: {core: 10}
                          tick:
                            core: 10
                            origin: >-
                              published: a long sentence that tells of a long measurement with many words, so that it does not fit into one line of this
                              file and must be folded
                          balance-probe: {core: 10}
                          balance-move: {core: 10}
                          migration-refill: {core: 10}
                          governor-sample: {core: 10}
                          clock-change: {core: 0}

                        # ns, one way
                        transfer:
                          origin: "measured: by hand"
                          hidden: 0
                          smt: 7.1
                          llc: 37.25

                        # speed of a thread beside a sibling, 1 = alone
                        smt:
                          origin: "measured: by hand"
                          busy: 0.6
                          polling: 1
                          repartition-ns: 150

                        # speed of CPUs beside the fastest, at the nominal clock
                        speeds:
                          origin: "measured: counted"
                          list:
                            - {cpus: 0-3, speed: 1}

                        idle:
                          origin: "measured: by hand"
                          states:
                            - {name: C1, exit-us: 3, residency-us: 6, real-exit-ns: 750, votes: {value: true, origin: "assumed: a round number"}}
                            - {name: C6, exit-us: 200, residency-us: 800, real-exit-ns: 40000, votes: false}

                        frequencies:
                          origin: "measured: by hand"
                          domain: package
                          nominal-khz: 2000000
                          p-states-khz: [1000000, 2000000]
                          turbo:
                            origin: "assumed: a round number"
                            entry-khz: 2001000
                            bins-khz: [3000000, 2500000]
                          transition-latency-us: 10

                        workloads:
                          origin: "measured: by hand"
                          pipe:
                            message: {core: 353, origin: "assumed: a round number"}
                            tail: {core: 5}
                            crossing: {lines: 10}
                        """);
    }

    /** Two packages of two nodes each with clusters; hops that the distances do not tell apart; every optional key. */
    @Test
    void everythingThatAFileCanSayIsWritten() throws Exception {
        List<CpuMask> nodes = List.of(
                CpuMask.parse("0-3,16-19"),
                CpuMask.parse("4-7,20-23"),
                CpuMask.parse("8-11,24-27"),
                CpuMask.parse("12-15,28-31"));
        int[][] distances = {{10, 21, 31, 31}, {21, 10, 31, 31}, {31, 31, 10, 21}, {31, 31, 21, 10}};
        int[] capacity = new int[32];
        int[] speed = new int[32];
        for (int cpu = 0; cpu < 32; cpu++) {
            capacity[cpu] = cpu % 16 < 12 ? 1024 : 700;
            speed[cpu] = cpu % 16 < 8 ? 1000 : 333;
        }
        Topology topology = new Topology(
                        32,
                        java.util.stream.IntStream.range(0, 16)
                                .mapToObj(core -> CpuMask.of(core, core + 16))
                                .toList(),
                        java.util.stream.IntStream.range(0, 8)
                                .mapToObj(pair -> CpuMask.of(2 * pair, 2 * pair + 1, 2 * pair + 16, 2 * pair + 17))
                                .toList(),
                        nodes,
                        List.of(nodes.get(0).or(nodes.get(1)), nodes.get(2).or(nodes.get(3))),
                        nodes,
                        distances)
                .withCapacities(capacity)
                .withReclaimDistance(32);
        long[][] remote = {
            {0, 90_125, 120_000, 185_000},
            {90_125, 0, 185_000, 120_000},
            {120_000, 185_000, 0, 90_125},
            {185_000, 120_000, 90_125, 0}
        };
        LineTransfer transfer = new LineTransfer(30_001, new long[] {0, 7_000, 20_000, 40_000, 40_000, 40_000}, remote);
        Frequencies clocks = new Frequencies(
                2_000_000, List.of(2_000_000), 0, List.of(), 0, Frequencies.Domain.CLUSTER, Frequencies.Policy.DOMAIN);
        HardwareModel model = model(
                        transfer,
                        List.of(new IdleState("WFI", 1, 1, 0, true), new IdleState("cpu: sleep", 2, 1, 0, false)),
                        clocks)
                .with("my: own", "no", new Cost(1, 2, 3))
                .withSpeeds(speed);
        List<Cache> caches = new java.util.ArrayList<>();
        topology.cores().forEach(core -> caches.add(new Cache(1, "data", 32, core)));
        topology.clusters().forEach(cluster -> caches.add(new Cache(2, "unified", 1024, cluster)));
        topology.packages().forEach(pkg -> caches.add(new Cache(4, "unified", 65536, pkg)));
        Map<String, Origin> origins = origins();
        origins.put("speeds.list", GUESSED);
        origins.put("transfer.remote", COUNTED);
        origins.put("topology.distances", GUESSED);
        origins.put("topology.capacities", COUNTED);
        origins.put("topology.cores", COUNTED);
        origins.put("caches.list[1]", COUNTED);
        origins.put("caches.list[1].kib", GUESSED);
        Machine machine = new Machine("all", "All of it", "test", topology, caches, model, origins);
        Machine read = again(machine);
        // idle.states.0 is written with its other name, which the numbers know
        origins.put("idle.states[0].votes", GUESSED);
        MachineNumbers.assertSame(read, new Machine("all", "All of it", "test", topology, caches, model, origins));
        assertThat(read.origins())
                .containsEntry("caches.list[1].kib", GUESSED)
                .containsEntry("caches.list[1]", COUNTED)
                .containsEntry("caches.list[0]", MEASURED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a: b",
                "a #b",
                "#a",
                "- a",
                "-a",
                "\"a\"",
                "'",
                "it's",
                "\\",
                "a\\nb",
                "a\nb",
                "a\n\nb\n",
                "\ta",
                "  a  b ",
                "null",
                "~",
                "No",
                "1.5",
                "0x1F",
                "2026-12-01",
                "1_000",
                "yes",
                "ü ≠ 𝄞 \u00a0\u2028\ufeff\u0085",
                "\u0000\u001b",
                "[a]",
                "{a}",
                "*a",
                "&a",
                "!a",
                "%a",
                "@a",
                "`a",
                "|",
                ">",
                "? a",
                "a,",
                "...",
                "---",
                "a\rb",
                "🐟"
            })
    void everyTextSurvives(String text) throws Exception {
        Map<String, Origin> origins = origins();
        String padding = "x y ".repeat(40);
        origins.put("costs.pick", new Origin(Origin.Kind.PUBLISHED, "a" + text + "b"));
        origins.put("costs.tick", new Origin(Origin.Kind.PUBLISHED, text + padding + text + "."));
        origins.put("costs.enqueue.lines", new Origin(Origin.Kind.ASSUMED, text + "."));
        Machine small = smallMachine(origins);
        HardwareModel model = small.requireModel().with(text, text.equals("origin") ? "x" : text, Cost.core(1));
        Machine machine = new Machine("texts", text, "test", small.topology(), List.of(), model, origins);
        Machine read = again(machine);
        assertThat(read.title()).isEqualTo(text);
        assertThat(read.requireModel().workloadCost("texts", text, text)).isEqualTo(Cost.core(1));
        assertThat(read.origins())
                .containsEntry("costs.pick", new Origin(Origin.Kind.PUBLISHED, "a" + text + "b"))
                .containsEntry("costs.tick", new Origin(Origin.Kind.PUBLISHED, (text + padding + text + ".").strip()))
                .containsEntry("costs.enqueue.lines", new Origin(Origin.Kind.ASSUMED, (text + ".").strip()));
    }

    @Test
    void commentsStayCommentsWhateverIsInThem() {
        String yaml = MachineText.yaml(smallMachine(origins()), List.of("one\ntwo: 2", "", "\u0000\u0085title: x"));
        assertThat(yaml.lines().skip(2).limit(5)).containsExactly("# one", "# two: 2", "#", "#", "# title: x");
    }

    @Test
    void aNumberWithoutAnOriginIsRefused() {
        for (String missing :
                List.of("topology", "caches", "costs", "transfer", "smt", "idle", "frequencies", "workloads")) {
            Map<String, Origin> origins = origins();
            origins.remove(missing);
            assertThatThrownBy(() -> MachineText.yaml(smallMachine(origins), List.of()))
                    .isInstanceOf(InputException.class)
                    .hasMessageStartingWith(
                            "machine 'small' cannot be written as a file: nothing says where " + missing + ".");
        }
    }

    @Test
    void partsThatAllHaveOriginsNeedNoneAroundThem() throws Exception {
        Map<String, Origin> origins = origins();
        origins.remove("costs");
        for (CostItem item : CostItem.all()) {
            for (String part : List.of("core", "wall", "lines")) {
                origins.put("costs." + item.key() + "." + part, part.equals("wall") ? GUESSED : COUNTED);
            }
        }
        Machine read = again(smallMachine(origins));
        assertThat(read.origins())
                .containsEntry("costs.probe", COUNTED)
                .containsEntry("costs.probe.wall", GUESSED)
                .doesNotContainKey("costs.probe.lines");
    }

    @Test
    void aMachineThatCouldNotBeReadIsRefused() {
        Machine small = smallMachine(origins());
        HardwareModel shrinking =
                small.requireModel().with(small.requireModel().transfer().with(Distance.LLC, 1_000));
        assertThatThrownBy(() -> MachineText.yaml(small.with(shrinking), List.of()))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("machine 'small' cannot be written")
                .hasMessageContaining("transfer.llc is less than transfer.smt");
    }
}
