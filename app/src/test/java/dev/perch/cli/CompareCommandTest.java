package dev.perch.cli;

import static dev.perch.cli.CommandLineTest.perch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.perch.cli.CommandLineTest.Outcome;
import dev.perch.sim.Simulation;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** {@code perch compare} and the options of {@code perch run} that compare. Numbers: spec scheduler.md 11 J3; scipy for intervals and tests. */
class CompareCommandTest {
    @TempDir
    private Path folder;

    private String before = "";
    private String after = "";

    @BeforeEach
    void writeFiles() {
        before = file("before.txt", "Time: 1.00", "Time: 1.05", "Time: 0.95", "Time: 1.02", "Time: 0.98");
        after = file("after.txt", "Time: 0.97", "Time: 1.01", "Time: 0.93", "Time: 0.99", "Time: 0.96");
    }

    private String file(String name, String... lines) {
        try {
            return Files.write(folder.resolve(name), List.of(lines)).toString();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void refused(Outcome outcome, String... parts) {
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err().lines()).hasSize(1);
        assertThat(outcome.err()).startsWith("perch: ").contains(parts);
    }

    @Test
    void showsTheIntervalOfTheRatio() {
        Outcome outcome = perch("compare", before, after);
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out())
                .contains("A: before, the baseline", "B: after", "in all: hackbench", "time [s], lower is better")
                .containsPattern(" B +5 +0\\.9720 +±3\\.9% +0\\.972 +0\\.924 … 1\\.023 +no difference shown");
    }

    @Test
    void showsTestsAndEffectsOnRequest() {
        assertThat(perch("compare", before, after, "--details").out())
                .containsPattern("Welch p +M-W p +g +A12")
                .containsPattern(" B +5 .* 0\\.2361 +0\\.3095 +-0\\.73 +0\\.28");
    }

    @Test
    void printsTheTableOfMmtests() {
        assertThat(perch("compare", "5.16-rc1=" + before, "5.16-rc1-clear=" + after, "--table", "mmtests")
                        .out())
                .isEqualTo("""
                %s5.16-rc1               5.16-rc1
                %sclear
                Amean     hackbench      1.0000 (   0.00%%)      0.9720 (   2.80%%)
                """.formatted(" ".repeat(34), " ".repeat(60)));
    }

    @Test
    void writesJsonThatBeginsWithItsSchema() {
        Outcome outcome = perch("compare", "old=" + before, after, "--json");
        assertThat(outcome.out()).startsWith("{\n  \"schema\" : 1,");
        JsonNode json = outcome.json();
        assertThat(json.at("/sets/0/name").asString()).isEqualTo("old");
        JsonNode row = json.at("/rows/0");
        assertThat(row.at("/better").asString()).isEqualTo("lower");
        assertThat(row.at("/values/0/repeats")).hasSize(5);
        assertThat(row.at("/values/0/stddev").asDouble()).isCloseTo(0.03808, within(5e-6));
        assertThat(row.at("/comparisons/0/ratio").asDouble()).isCloseTo(0.972, within(1e-9));
        assertThat(row.at("/comparisons/0/interval/0").asDouble()).isCloseTo(0.92356, within(1e-5));
        assertThat(row.at("/comparisons/0/welch/t").asDouble()).isCloseTo(1.286, within(5e-4));
        assertThat(row.at("/comparisons/0/verdict").asString()).isEqualTo("no difference shown");
    }

    @Test
    void takesFilesJoinedByCommasForRepeats() {
        assertThat(perch("compare", before + "," + after, after).out()).containsPattern(" A +10 ");
    }

    @Test
    void bootstrapsWithASeed() {
        String one = perch("compare", before, after, "--interval", "bootstrap").out();
        assertThat(perch("compare", before, after, "--interval", "bootstrap").out())
                .isEqualTo(one);
        assertThat(one).contains("BCa bootstrap").containsPattern("0\\.972 +0\\.93\\d … 1\\.0[01]\\d");
    }

    @Test
    void saysThatOneRepeatHasNoInterval() {
        Outcome outcome = perch("compare", file("one.txt", "Time: 1.0"), after);
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out()).contains("no interval: one repeat only");
    }

    @Test
    void comparesTheLabelsOfOneFile() {
        String csv = file(
                "all.csv",
                "kernel,workload,value,unit",
                "v1,a,10,ops/s",
                "v1,a,11,ops/s",
                "v2,a,20,ops/s",
                "v2,a,21,ops/s");
        assertThat(perch("compare", csv).out())
                .contains("A: v1, the baseline", "B: v2")
                .contains("better, +95.2%");
        refused(perch("compare", csv, "--by", "workload"), "only one workload, 'a'");
        refused(perch("compare", csv, "--by", "colour"), "no colour");
    }

    @Test
    void narrowsRows() {
        String csv = file(
                "all.csv",
                "kernel,workload,value,unit",
                "v1,a,10,ops/s",
                "v1,b,11,ops/s",
                "v2,a,20,ops/s",
                "v2,b,21,ops/s");
        assertThat(perch("compare", csv, "--only", "workload=b").out())
                .contains("in all: b")
                .doesNotContain("10.00");
        refused(perch("compare", csv, "--only", "workload=c"), "has no such row");
        refused(perch("compare", csv, "--only", "workload"), "AXIS=LABEL");
    }

    @Test
    void comparesStoredRuns() {
        String store = folder.resolve("store").toString();
        String[] run = {
            "run", "--workload", "tcp-rr", "--machine", "e5620", "--kernel", "v3.3", "--repeats", "4", "--store", store
        };
        assertThat(perch(run).exitCode()).isZero();
        run[run.length - 5] = "v3.9";
        assertThat(perch(run).exitCode()).isZero();
        Outcome outcome = perch("compare", "@2", "@1", "--store", store);
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out())
                .contains("throughput [transactions/s], higher is better")
                .doesNotContain("bounce rate");
        assertThat(perch("compare", "@2", "@1", "--store", store, "--all").out())
                .contains("bounce rate");
    }

    /** The formula gives some 100,000 transactions a second to both kernels. */
    @ParameterizedTest
    @CsvSource({"ratio, no difference shown", "mmtests, Hmean ", "mmtests-full, BHmean-95"})
    void comparesTheKernelsOfARun(String table, String expected) {
        Outcome outcome = perch(
                "run",
                "--workload",
                "tcp-rr",
                "--machine",
                "e5620",
                "--kernel",
                "v3.3",
                "--kernel",
                "v3.9",
                "--repeats",
                "4",
                "--no-store",
                "--table",
                table);
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out()).contains(expected);
    }

    /** The formula's values lie evenly within 1000 above 100,000: a deviation of 0.29 %, so that 0.05 % takes some 128 runs. */
    @Test
    void runsUntilTheMeanIsKnown() {
        Outcome outcome = perch(
                "run",
                "--workload",
                "tcp-rr",
                "--machine",
                "e5620",
                "--kernel",
                "v3.3",
                "--no-store",
                "--until",
                "0.05%");
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out()).contains("wanted: means within ±0.05% at 95% confidence; all rows are");
        Outcome limited = perch(
                "run",
                "--workload",
                "tcp-rr",
                "--machine",
                "e5620",
                "--kernel",
                "v3.3",
                "--no-store",
                "--until",
                "0.05",
                "--max-repeats",
                "20");
        assertThat(limited.out()).contains("not exact enough after 20 runs: e5620 v3.3 tcp-rr");
    }

    /** With a simulation instead of a formula. */
    private static int simulated(String... args) {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        return Main.run(
                new Surroundings(
                        () -> Path.of(System.getProperty("perch.home")),
                        TestStore.FOLDER,
                        nowhere,
                        nowhere,
                        false,
                        Simulation::run),
                args);
    }

    @Test
    void comparesTwoRecordings() {
        String first = folder.resolve("a.txt").toString();
        String second = folder.resolve("b.txt").toString();
        for (String[] each : new String[][] {{"v3.2-rc1", first}, {"v3.3", second}}) {
            int exitCode = simulated(
                    "run",
                    "--workload",
                    "tcp-rr*3",
                    "--machine",
                    "e5620",
                    "--kernel",
                    each[0],
                    "--repeats",
                    "1",
                    "--duration",
                    "100ms",
                    "--warmup",
                    "0s",
                    "--no-store",
                    "--events",
                    each[1]);
            assertThat(exitCode).isZero();
        }
        Outcome outcome = perch("compare", first, second, "--machine", "e5620");
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out())
                .contains("A: a, the baseline; ", "B: b; ", "wakeups [1/s]", "share ", "latency p99 [us]")
                .contains("netperf → netserver: mean latency [us]");
        JsonNode json =
                perch("compare", first, second, "--machine", "e5620", "--json").json();
        assertThat(json.at("/schema").asInt()).isEqualTo(1);
        assertThat(json.at("/wakeups/0/interval")).hasSize(2);
        refused(perch("compare", first, before), "is a recording and 'before' is none");
        refused(perch("compare", first, second, first), "two at a time; there are 3");
    }

    @Test
    void refusesWrongUse() {
        refused(perch("compare", "nothing", after), "'nothing' is neither a file, nor a folder, nor a stored run");
        refused(perch("compare", before, after, "--table", "big"), "--table cannot be 'big'");
        refused(perch("compare", before, after, "--interval", "guess"), "--interval cannot be 'guess'");
        refused(perch("compare", before, after, "--confidence", "100"), "--confidence cannot be '100'");
        refused(perch("compare", before, after, "--machine", "e5620"), "--machine is for recordings");
        refused(perch("compare", before + ",gone.txt", after), "there is no file 'gone.txt'");
        refused(perch("compare"), "missing [NAME=]RUN|FILE");
        refused(perch("run", "westmere-one-pair", "--max-repeats", "5"), "--max-repeats has no use without --until");
        refused(perch("run", "westmere-one-pair", "--until", "0"), "--until cannot be '0'");
        refused(perch("run", "westmere-one-pair", "--table", "mmtests", "--json"), "contradict");
    }
}
