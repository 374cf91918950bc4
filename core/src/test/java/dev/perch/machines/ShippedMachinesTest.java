package dev.perch.machines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.perch.model.CostItem;
import dev.perch.model.CpuMask;
import dev.perch.model.Distance;
import dev.perch.model.Frequencies;
import dev.perch.model.HardwareModel;
import dev.perch.model.LineTransfer;
import dev.perch.model.Machine;
import dev.perch.model.Origin;
import dev.perch.model.Topology;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The files under {@code machines}: against the schema, and against what is published about the machines. */
class ShippedMachinesTest {
    private static final Path HOME = Path.of(System.getProperty("perch.home"));

    static Stream<String> names() {
        return Machines.list(HOME).stream().map(Machines.Entry::name).filter(name -> !name.equals("host"));
    }

    private static Machine machine(String name) {
        return Machines.find(name, HOME);
    }

    static JsonNode json(String yaml) {
        Object document = new Load(LoadSettings.builder().build()).loadFromString(yaml);
        return JsonMapper.shared().valueToTree(document);
    }

    static Schema schema() throws Exception {
        String text = Files.readString(HOME.resolve("machines/machine.schema.json"));
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(text);
    }

    @Test
    void thereAreTenOfThem() {
        assertThat(names())
                .containsExactly(
                        "alder-lake-12900k",
                        "e5620",
                        "epyc-7r13",
                        "kunpeng-920",
                        "nehalem-ex-8s",
                        "q6600",
                        "rk3588",
                        "westmere-ex-10c",
                        "westmere-ex-4s",
                        "xeon-8275cl");
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyFileMatchesTheSchema(String name) throws Exception {
        String yaml = Files.readString(HOME.resolve("machines/" + name + ".yaml"));
        assertThat(schema().validate(json(yaml))).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyCostAndClockHasAnOrigin(String name) {
        Machine machine = machine(name);
        List<String> expected = Stream.concat(
                        Stream.of(CostItem.all()).map(item -> "costs." + item.key()),
                        Stream.of(
                                "topology.cores",
                                "transfer.hidden",
                                "idle.states[0]",
                                "frequencies.p-states-khz",
                                "workloads.tcp-rr.message",
                                "workloads.pipe.tail"))
                .toList();
        assertThat(machine.origins().keySet()).containsAll(expected);
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyMachineCanRunTheTwoWakeupWorkloads(String name) {
        HardwareModel model = machine(name).requireModel();
        for (String workload : List.of("tcp-rr", "pipe")) {
            for (String cost : List.of("message", "tail", "crossing")) {
                assertThat(model.workloadCost(name, workload, cost)).isNotNull();
            }
        }
    }

    @Test
    void siblingsOfTheE5620AreFourApart() {
        Topology topology = machine("e5620").topology();
        assertThat(topology.cpuCount()).isEqualTo(8);
        assertThat(topology.smt(3)).isEqualTo(CpuMask.of(3, 7));
        assertThat(topology.llcs()).containsExactly(CpuMask.range(0, 7));
        assertThat(topology.distance(3, 7)).isEqualTo(Distance.SMT);
        assertThat(topology.distance(3, 4)).isEqualTo(Distance.LLC);
        assertThat(topology.hasClusters()).isFalse();
    }

    /** A hop of the bound pair on one CPU takes 3864 ns (10^9 / 129394.55 / 2): all of it is in these items. */
    @Test
    void theItemsOfOneHopOnOneCpuOfTheE5620AddUpToThePublishedHop() {
        HardwareModel model = machine("e5620").requireModel();
        int kernel = Stream.of(
                        CostItem.PROBE,
                        CostItem.RUNQUEUE_LOCK,
                        CostItem.ENQUEUE,
                        CostItem.PREEMPTION_CHECK,
                        CostItem.DEQUEUE,
                        CostItem.PICK,
                        CostItem.SWITCH_PROCESS)
                .mapToInt(item -> model.cost(item).coreNs())
                .sum();
        int workload = Stream.of("message", "tail")
                .mapToInt(name -> model.workloadCost("e5620", "tcp-rr", name).coreNs())
                .sum();
        assertThat((double) kernel + workload)
                .isCloseTo(1e9 / 129394.55 / 2, org.assertj.core.data.Percentage.withPercentage(3));
    }

    @Test
    void transfersOfTheE5620AreTheMeasuredOnes() {
        Machine machine = machine("e5620");
        LineTransfer transfer = machine.requireModel().transfer();
        assertThat(transfer.latencyPs(machine.topology(), 3, 7)).isEqualTo(7_100);
        assertThat(transfer.latencyPs(machine.topology(), 3, 2)).isEqualTo(37_200);
        assertThat(transfer.exposedPs(machine.topology(), 3, 2)).isZero();
        assertThat(machine.origins().get("transfer.llc"))
                .extracting(Origin::kind)
                .isEqualTo(Origin.Kind.PUBLISHED);
        assertThat(machine.origins().get("transfer.hidden"))
                .extracting(Origin::kind)
                .isEqualTo(Origin.Kind.ASSUMED);
    }

    @Test
    void theE5620HasTurboForOneAndForMoreCores() {
        Frequencies frequencies = machine("e5620").requireModel().frequencies();
        assertThat(frequencies.table(false))
                .containsExactly(1596000, 1729000, 1862000, 1995000, 2128000, 2261000, 2394000);
        assertThat(frequencies.table(true)).endsWith(2394000, 2395000);
        assertThat(frequencies.effectiveKhz(2395000, 1)).isEqualTo(2666000);
        assertThat(frequencies.effectiveKhz(2395000, 2)).isEqualTo(2533000);
        assertThat(frequencies.effectiveKhz(2395000, 4)).isEqualTo(2533000);
        assertThat(frequencies.effectiveKhz(2394000, 1)).isEqualTo(2394000);
    }

    @Test
    void theDiesOfTheQ6600AreFarApart() {
        Machine machine = machine("q6600");
        Topology topology = machine.topology();
        assertThat(topology.llcs()).containsExactly(CpuMask.range(0, 1), CpuMask.range(2, 3));
        assertThat(topology.hasSmt()).isFalse();
        assertThat(topology.distance(3, 2)).isEqualTo(Distance.LLC);
        assertThat(topology.distance(3, 0)).isEqualTo(Distance.PACKAGE);
        // bare transfers over the front-side bus take 110 to 160 ns, more when they queue; within a die 67 to 78
        LineTransfer transfer = machine.requireModel().transfer();
        assertThat(transfer.latencyPs(topology, 3, 0)).isBetween(110_000L, 250_000L);
        assertThat(transfer.latencyPs(topology, 3, 2)).isBetween(67_000L, 78_000L);
        assertThat(machine.requireModel().frequencies().domain()).isEqualTo(Frequencies.Domain.LLC);
    }

    @Test
    void theKunpengHasClustersOfFourAndFourNodes() {
        Machine machine = machine("kunpeng-920");
        Topology topology = machine.topology();
        assertThat(topology.cpuCount()).isEqualTo(128);
        assertThat(topology.cores()).hasSize(128);
        assertThat(topology.clusters()).hasSize(32).allMatch(cluster -> cluster.count() == 4);
        assertThat(topology.cluster(6)).isEqualTo(CpuMask.range(4, 7));
        assertThat(topology.llcs()).hasSize(4).isEqualTo(topology.nodes());
        assertThat(topology.llc(33)).isEqualTo(CpuMask.range(32, 63));
        assertThat(topology.packages()).containsExactly(CpuMask.range(0, 63), CpuMask.range(64, 127));
        int[][] published = {{10, 12, 20, 22}, {12, 10, 22, 24}, {20, 22, 10, 12}, {22, 24, 12, 10}};
        for (int from = 0; from < 4; from++) {
            for (int to = 0; to < 4; to++) {
                assertThat(topology.nodeDistance(from, to)).isEqualTo(published[from][to]);
            }
        }
        LineTransfer transfer = machine.requireModel().transfer();
        assertThat(transfer.latencyPs(topology, 0, 3)).isEqualTo(34_500);
        // a line inside the cluster, times what two threads that write to one line lose outside it: 0.832 s and 1.133
        // s, LKML, 6 January 2021
        assertThat(transfer.latencyPs(topology, 0, 4)).isCloseTo((long) (34_500 * 1.133 / 0.832), within(50L));
        assertThat(transfer.latencyPs(topology, 0, 32)).isEqualTo(80_500);
        assertThat(transfer.latencyPs(topology, 0, 127)).isEqualTo(200_000);
    }

    @Test
    void everySocketOfTheNehalemExHasThreeNeighboursAndFourBehindThem() {
        Machine machine = machine("nehalem-ex-8s");
        Topology topology = machine.topology();
        assertThat(topology.cpuCount()).isEqualTo(128);
        assertThat(topology.nodes())
                .hasSize(8)
                .allMatch(node -> node.count() == 16)
                .isEqualTo(topology.llcs());
        assertThat(topology.cores()).hasSize(64).allMatch(core -> core.count() == 2);
        LineTransfer transfer = machine.requireModel().transfer();
        for (int socket = 0; socket < 8; socket++) {
            int from = topology.nodes().get(socket).first();
            int here = socket;
            long[] latencies = IntStream.range(0, 8)
                    .filter(other -> other != here)
                    .mapToLong(other -> transfer.latencyPs(
                            topology, from, topology.nodes().get(other).first()))
                    .sorted()
                    .toArray();
            assertThat(latencies).containsExactly(120_000, 120_000, 120_000, 185_000, 185_000, 185_000, 185_000);
        }
        assertThat(IntStream.range(1, 8)
                        .map(node -> topology.nodeDistance(0, node))
                        .distinct()
                        .toArray())
                .containsExactly(12);
    }

    @Test
    void thereIsOneCacheEntryForEachSharingSet() {
        Machine machine = machine("kunpeng-920");
        assertThat(machine.caches().stream().filter(cache -> cache.level() == 3))
                .hasSize(4)
                .allSatisfy(cache -> {
                    assertThat(cache.sizeKib()).isEqualTo(32 * 1024);
                    assertThat(machine.topology().llcs()).contains(cache.shared());
                });
    }
}
