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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

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
                        "core2-pinned-matrix",
                        "deep-idle-pipe",
                        "governor-tcp-rr",
                        "pipe-pinned-and-free",
                        "remote-wakeups",
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
        List<Double> values = new ArrayList<>();
        for (String line : csv().lines().toList()) {
            String[] cells = line.replaceAll("\"[^\"]*\"", "quoted").split(",", -1);
            if (cells[0].equals(table)
                    && cells[2].equals(policy)
                    && (affinity.isEmpty() || cells[5].equals(affinity))) {
                values.add(Double.parseDouble(cells[9]));
            }
        }
        return values;
    }

    private static String csv() {
        try (InputStream in = ShippedExperimentsTest.class.getResourceAsStream("published.csv")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
