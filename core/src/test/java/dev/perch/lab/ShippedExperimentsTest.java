package dev.perch.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.perch.lab.Experiment.Block;
import dev.perch.lab.Experiment.Published;
import dev.perch.lab.statistics.Sample;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files in the folder experiments. published.csv holds the rows of the seeds' tables that they use. */
class ShippedExperimentsTest {
    private static final Path HOME = Path.of(System.getProperty("perch.home"));

    private static List<String> names() {
        return Experiments.names(HOME);
    }

    @Test
    void areThoseOfTheDesign() {
        assertThat(names())
                .containsExactly(
                        "balance-map",
                        "clear-target-hackbench",
                        "clear-target-tbench",
                        "cluster-scan",
                        "core2-pinned-matrix",
                        "cpu-buddies",
                        "deep-idle-pipe",
                        "eight-sockets",
                        "governor-tbench",
                        "governor-tcp-rr",
                        "pipe-pinned-and-free",
                        "remote-wakeups",
                        "search-failures",
                        "sis-util",
                        "westmere-full-box",
                        "westmere-one-pair",
                        "westmere-pair-and-hogs",
                        "westmere-pinned-matrix",
                        "westmere-three-pairs",
                        "westmere-three-pinned-pairs");
    }

    @ParameterizedTest
    @MethodSource("names")
    void areReadable(String name) {
        assertThat(Experiments.find(name, HOME).name()).isEqualTo(name);
    }

    @ParameterizedTest
    @MethodSource("names")
    void obeyTheSchema(String name) throws IOException {
        assertThat(schema().validate(Files.readString(Experiments.file(name, HOME)), InputFormat.YAML))
                .isEmpty();
    }

    @Test
    void schemaRefusesWhatTheReaderRefuses() throws IOException {
        String text = Files.readString(Experiments.file("westmere-one-pair", HOME));
        assertThat(schema().validate(text.replace("governor: ondemand", "governor: fast"), InputFormat.YAML))
                .isNotEmpty();
        assertThat(schema().validate(text.replace("title:", "titel:"), InputFormat.YAML))
                .isNotEmpty();
        assertThat(schema().validate(text.replace(", tolerance: 0.05", ""), InputFormat.YAML))
                .isNotEmpty();
    }

    private static Schema schema() throws IOException {
        String text = Files.readString(HOME.resolve("experiments/experiment.schema.json"));
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(text);
    }

    @ParameterizedTest
    @CsvSource({
        "westmere-one-pair, S0-T1, virgin, virgin",
        "westmere-one-pair, S0-T1, suresh, suresh",
        "westmere-one-pair, S0-T1, mikie, mikie",
        "westmere-one-pair, S0-T1, mikie2, mikie2 NO_SIBLING_LIMIT_SYNC",
        "westmere-one-pair, S0-T1, mikie2 SYNC, mikie2 SIBLING_LIMIT_SYNC",
        "westmere-pair-and-hogs, S0-T2, virgin, virgin",
        "westmere-pair-and-hogs, S0-T2, suresh, suresh",
        "westmere-pair-and-hogs, S0-T2, mikie, mikie",
        "westmere-pair-and-hogs, S0-T2, mikie2, mikie2 NO_SIBLING_LIMIT_SYNC",
        "westmere-pair-and-hogs, S0-T2, mikie2 SYNC, mikie2 SIBLING_LIMIT_SYNC",
        "westmere-three-pairs, S0-T3, virgin, virgin",
        "westmere-three-pairs, S0-T3, suresh, suresh",
        "westmere-three-pairs, S0-T3, mikie, mikie",
        "westmere-three-pairs, S0-T3, mikie2, mikie2 NO_SIBLING_LIMIT_SYNC",
        "westmere-three-pairs, S0-T3, mikie2 SYNC, mikie2 SIBLING_LIMIT_SYNC",
        "westmere-three-pinned-pairs, S0-T4, virgin, virgin",
        "westmere-three-pinned-pairs, S0-T4, suresh, suresh",
        "westmere-three-pinned-pairs, S0-T4, mikie, mikie",
        "westmere-three-pinned-pairs, S0-T4, mikie2, mikie2",
    })
    void holdThePublishedRunsOfEachPolicy(String experiment, String test, String kernel, String policy) {
        List<Double> runs = published(test, policy, "");
        Published published = published(experiment, new RowKey("e5620", kernel, ""));
        assertThat(runs).hasSize(3);
        assertThat(published.runs()).isEqualTo(runs);
        double mean = new Sample(runs.stream().mapToDouble(Double::doubleValue).toArray()).mean();
        assertThat(published.value()).isCloseTo(mean, within(0.01));
    }

    @ParameterizedTest
    @CsvSource({"westmere-pinned-matrix, S0-REF-E5620, 8", "core2-pinned-matrix, S0-REF-Q6600, 4"})
    void holdThePublishedMatrices(String experiment, String table, int cpus) {
        for (int cpu = 0; cpu < cpus; cpu++) {
            String pins = "3->" + cpu;
            assertThat(published(experiment, new RowKey("", "", pins)).value())
                    .isEqualTo(published(table, "bound", "bound " + pins).getFirst());
        }
        assertThat(Experiments.find(experiment, HOME).blocks().getFirst().workloads())
                .hasSize(cpus);
    }

    @ParameterizedTest
    @CsvSource({
        "0, taskset, E5620, taskset -c 0",
        "0, free, E5620, unbound",
        "1, taskset, Q6600, taskset -c 3",
        "1, free, Q6600, unbound"
    })
    void holdThePublishedPipes(int block, String workload, String machine, String affinity) {
        List<Published> published = Experiments.find("pipe-pinned-and-free", HOME)
                .blocks()
                .get(block)
                .published();
        assertThat(published)
                .filteredOn(value -> value.row().workload().equals(workload))
                .singleElement()
                .satisfies(value -> assertThat(value.value())
                        .isEqualTo(published("S4-PIPE", machine, affinity).getFirst()));
    }

    @ParameterizedTest
    @CsvSource({
        "clear-target-hackbench, S2-HACKBENCH, 5.16-rc1, 5.16-rc1, 8",
        "clear-target-hackbench, S2-HACKBENCH, patched, 5.16-rc1+clear target, 8",
        "clear-target-tbench, S2-TBENCH, 5.16-rc1, 5.16-rc1, 8",
        "clear-target-tbench, S2-TBENCH, patched, 5.16-rc1+clear target, 8",
        "cluster-scan, X-CLS-67, tip, tip 9b46f1abc6d4, 7",
        "cluster-scan, X-CLS-67, patched, patched, 7"
    })
    void holdThePublishedTablesOfNode0(String experiment, String table, String kernel, String policy, int rows) {
        List<Double> expected = published(table, policy, "numactl -N 0");
        List<Double> held = Experiments.find(experiment, HOME).blocks().getFirst().published().stream()
                .filter(value -> value.row().kernel().equals(kernel))
                .map(Published::value)
                .toList();
        assertThat(held).hasSize(rows).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "governor-tbench, S1-TBENCH1, 0, performance, performance, unbound, 3.4.0",
        "governor-tbench, S1-TBENCH1, 0, performance, performance, unbound, 3.4.0x",
        "governor-tbench, S1-TBENCH1, 1, ondemand, ondemand, unbound, 3.4.0",
        "governor-tbench, S1-TBENCH1, 1, ondemand, ondemand, unbound, 3.4.0x",
        "governor-tcp-rr, S1-TCPRR, 0, unbound, performance, unbound, 3.4.0",
        "governor-tcp-rr, S1-TCPRR, 0, bound, performance, bound, 3.4.0",
        "governor-tcp-rr, S1-TCPRR, 0, unbound, performance, unbound, 3.4.0x",
        "governor-tcp-rr, S1-TCPRR, 0, bound, performance, bound, 3.4.0x",
        "governor-tcp-rr, S1-TCPRR, 1, unbound, ondemand, unbound, 3.4.0",
        "governor-tcp-rr, S1-TCPRR, 1, bound, ondemand, bound, 3.4.0",
        "governor-tcp-rr, S1-TCPRR, 1, unbound, ondemand, unbound, 3.4.0x",
        "governor-tcp-rr, S1-TCPRR, 1, bound, ondemand, bound, 3.4.0x",
    })
    void holdThePublishedRunsUnderEachGovernor(
            String experiment,
            String table,
            int block,
            String workload,
            String governor,
            String affinity,
            String kernel) {
        List<Double> runs = cells("published.csv")
                .filter(cells -> cells[0].equals(table) && cells[2].equals(kernel))
                .filter(cells -> cells[4].equals(governor) && cells[5].equals(affinity))
                .map(cells -> Double.parseDouble(cells[9]))
                .toList();
        Published published = published(experiment, block, new RowKey("e5620", kernel, workload));
        assertThat(runs).hasSize(3);
        assertThat(published.runs()).isEqualTo(runs);
        double mean = new Sample(runs.stream().mapToDouble(Double::doubleValue).toArray()).mean();
        assertThat(published.value()).isCloseTo(mean, within(0.01));
    }

    @ParameterizedTest
    @ValueSource(strings = {"virgin", "suresh", "mikie", "mikie2"})
    void holdThePublishedRateOfTheFullMachine(String policy) {
        assertThat(published("westmere-full-box", new RowKey("e5620", policy, ""))
                        .value())
                .isEqualTo(published("S0-T5", policy, "").getFirst());
    }

    @Test
    void holdThePublishedRatesOfBuddies() {
        List<String[]> rows = cells("published-buddies.csv").skip(1).toList();
        assertThat(rows).hasSize(18);
        for (String[] cells : rows) {
            int block = cells[2].equals("X-BUDDIES") ? 0 : 1;
            boolean before = cells[6].startsWith("pre");
            String kernel =
                    block == 0 ? before ? "before" : "buddies" : before ? "first idle CPU" : "idle previous CPU";
            String load = cells[5].isEmpty() ? "1" : cells[5];
            assertThat(published("cpu-buddies", block, new RowKey("", kernel, load))
                            .value())
                    .isEqualTo(Double.parseDouble(cells[7]));
        }
    }

    private static Published published(String experiment, int block, RowKey row) {
        return Experiments.find(experiment, HOME).blocks().get(block).published().stream()
                .filter(published -> published.row().matches(row))
                .findFirst()
                .orElseThrow(() -> new AssertionError(experiment + " has nothing about " + row));
    }

    private static Stream<String[]> cells(String file) {
        return text(file)
                .lines()
                .map(line -> line.replaceAll("\"[^\"]*\"", "quoted").split(",", -1));
    }

    private static Published published(String experiment, RowKey row) {
        for (Block block : Experiments.find(experiment, HOME).blocks()) {
            for (Published published : block.published()) {
                if (published.row().matches(row)) {
                    return published;
                }
            }
        }
        throw new AssertionError(experiment + " has nothing about " + row);
    }

    private static List<Double> published(String table, String policy, String affinity) {
        return cells("published.csv")
                .filter(cells -> cells[0].equals(table) && cells[2].equals(policy))
                .filter(cells -> affinity.isEmpty() || cells[5].equals(affinity))
                .map(cells -> Double.parseDouble(cells[9]))
                .toList();
    }

    private static String text(String file) {
        try (InputStream in = ShippedExperimentsTest.class.getResourceAsStream(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
