package dev.perch.lab.elsewhere;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.lab.results.Direction;
import dev.perch.lab.results.Labels;
import dev.perch.lab.results.Metric;
import dev.perch.lab.results.ResultSet;
import dev.perch.lab.results.Series;
import dev.perch.model.InputException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** Outputs of real tools, and what is left of them when something went wrong. */
class ForeignResultsTest {
    @TempDir
    private Path folder;

    private static ResultSet read(Path... paths) {
        return new ForeignResults("", false).read("x", List.of(paths));
    }

    private Path file(String name, String... lines) {
        try {
            return Files.write(folder.resolve(name), List.of(lines));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Series only(ResultSet set) {
        assertThat(set.series()).hasSize(1);
        return set.series().getFirst();
    }

    @ParameterizedTest
    @CsvSource({
        "perf-messaging.txt, messaging:groups=1, s, 0.024",
        "perf-messaging-threads-pipes.txt, 'messaging:groups=1,tasks=threads', s, 0.009",
        "hackbench.txt, 'hackbench:groups=1,loops=20', s, 0.009",
        "hackbench-threads-pipes.txt, 'hackbench:groups=1,tasks=threads,loops=20', s, 0.012",
        "tbench.txt, tbench:clients=2, MB/s, 791.614",
        "netperf-classic.txt, tcp-rr, transactions/s, 5595.35",
        "netperf-cpu.txt, tcp-rr:size=70000, transactions/s, 6591.45",
        "netperf-keyval.txt, tcp-rr, transactions/s, 2841.07",
        "netperf-csv.txt, tcp-rr, transactions/s, 1405.50"
    })
    void readsOneRun(String file, String workload, String unit, double value) {
        Series series = only(read(TestFiles.of(file)));
        assertThat(series.labels().axes()).isEqualTo(Map.of(Labels.WORKLOAD, workload));
        assertThat(series.metric()).isEqualTo(Metric.ofWorkload(unit));
        assertThat(series.repeats()).containsExactly(value);
    }

    @Test
    void takesSeveralRunsOfAFileForRepeats() {
        Series series = only(read(TestFiles.of("perf-pipe.txt")));
        assertThat(series.labels().get(Labels.WORKLOAD)).isEqualTo("pipe");
        assertThat(series.metric()).isEqualTo(new Metric("time", "us/op", Direction.LOWER));
        assertThat(series.repeats()).containsExactly(2.176650, 1.973750, 1.969450);
    }

    @Test
    void takesSeveralFilesForRepeats() {
        Path one = TestFiles.of("perf-pipe.txt");
        assertThat(only(read(one, one)).repeats()).hasSize(6);
    }

    @Test
    void readsAFolderInTheOrderOfItsNumbers() {
        file("run-10.txt", "Time: 10.0");
        file("run-9.txt", "Time: 9.0");
        file(".hidden", "Time: 1.0");
        assertThat(only(read(folder)).repeats()).containsExactly(9, 10);
    }

    @Test
    void readsOlderPerfAndHackbench() {
        Path perf = file(
                "old",
                "# Running sched/pipe benchmark...",
                "# Executed 1000000 pipe operations between two tasks",
                "",
                "     Total time: 9.021 [sec]",
                "",
                "       9.021421 usecs/op",
                "         110847 ops/sec");
        assertThat(only(read(perf)).repeats()).containsExactly(9.021421);
        Path hackbench = file("hb", "Running with 10*40 (== 400) tasks.", "Time: 1.234");
        assertThat(only(read(hackbench)).labels().get(Labels.WORKLOAD)).isEqualTo("hackbench:groups=10");
    }

    @Test
    void seesThroughCompression() throws IOException {
        byte[] plain = Files.readAllBytes(TestFiles.of("tbench.txt"));
        Path gzip = folder.resolve("t.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(gzip))) {
            out.write(plain);
        }
        Path xz = folder.resolve("t.xz");
        try (OutputStream out = new XZOutputStream(Files.newOutputStream(xz), new LZMA2Options())) {
            out.write(plain);
        }
        assertThat(only(read(gzip, xz)).repeats()).containsExactly(791.614, 791.614);
    }

    @Test
    void readsBareNumbersOnlyWithAUnit() {
        Path simple = TestFiles.of("perf-pipe-simple.txt");
        assertThatThrownBy(() -> read(simple))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("numbers without a unit")
                .hasMessageContaining("--unit");
        Series series = only(new ForeignResults("s", false).read("x", List.of(simple)));
        assertThat(series.metric()).isEqualTo(new Metric("time", "s", Direction.LOWER));
        assertThat(series.repeats()).containsExactly(0.039);
    }

    @Test
    void readsLongCsv() {
        Path csv = file(
                "long.csv",
                "kernel,workload,metric,unit,better,repeat,value",
                "v5.16,\"a, \"\"b\"\"\",latency,us,lower,1,10.5",
                "v5.16,\"a, \"\"b\"\"\",latency,us,lower,2,11",
                "v5.16,c,rate,ops/s,,1,7");
        ResultSet set = read(csv);
        assertThat(set.series()).hasSize(2);
        Series first = set.series().getFirst();
        assertThat(first.labels().axes()).isEqualTo(Map.of("kernel", "v5.16", "workload", "a, \"b\""));
        assertThat(first.metric()).isEqualTo(new Metric("latency", "us", Direction.LOWER));
        assertThat(first.repeats()).containsExactly(10.5, 11);
        assertThat(set.series().get(1).metric()).isEqualTo(new Metric("rate", "ops/s", Direction.HIGHER));
    }

    @Test
    void readsWideCsv() {
        Path csv = file("wide.csv", "kernel,score [points, higher],time [s]", "a,100,1.5", "a,102,1.4", "b,90,2");
        ResultSet set = read(csv);
        assertThat(set.series())
                .extracting(series ->
                        series.labels() + " " + series.metric().text() + " " + Arrays.toString(series.repeats()))
                .containsExactly(
                        "a score [points] [100.0, 102.0]",
                        "a time [s] [1.5, 1.4]",
                        "b score [points] [90.0]",
                        "b time [s] [2.0]");
        assertThat(set.series().getFirst().metric().better()).isEqualTo(Direction.HIGHER);
    }

    @Test
    void takesWholeRunsOfMmtestsAsRepeats() {
        ResultSet set = read(TestFiles.of("mmtests/5.16.0-rc1-vanilla"));
        assertThat(set.series())
                .extracting(series -> series.labels() + " " + series.repeats().length)
                .containsExactlyInAnyOrder(
                        "hackbench:groups=1 5",
                        "hackbench:groups=4 5",
                        "hackbench:groups=30 5",
                        "tbench:clients=1 1",
                        "tbench:clients=16 1",
                        "tcp-rr 64 4",
                        "tcp-rr 1024 4");
    }

    @Test
    void readsTheFilesOfNewerMmtests() throws IOException {
        Path hackbench = Files.createDirectories(folder.resolve("iter-0/hackbench-thread-sockets/logs"));
        String run = Files.readString(TestFiles.of("perf-messaging.txt"));
        Files.writeString(hackbench.resolve("hackbench-1"), run + run);
        Path perfpipe = Files.createDirectories(folder.resolve("iter-0/perfpipe/logs"));
        Files.copy(TestFiles.of("perf-pipe.txt"), perfpipe.resolve("benchlog-_-_-1"));
        Path tbench = Files.createDirectories(folder.resolve("iter-0/tbench/logs"));
        Files.writeString(tbench.resolve("benchlog-tput-2"), """
                        2     70177   791.61 MB/sec  execute   1 sec  latency 7.474 ms
                        2    140000   780.00 MB/sec  execute   2 sec  latency 7.474 ms
                        """);
        assertThat(read(folder).series())
                .extracting(series -> series.labels() + " " + Arrays.toString(series.repeats()))
                .containsExactlyInAnyOrder(
                        "hackbench:groups=1,tasks=threads,channel=socket [0.024, 0.024]",
                        "pipe [2.17665, 1.97375, 1.96945]",
                        "tbench:clients=2 [780.0]");
    }

    private void refused(Path path, String... parts) {
        assertThatThrownBy(() -> read(path))
                .isInstanceOf(InputException.class)
                .hasMessageContainingAll(parts)
                .hasMessageNotContaining("\n");
    }

    @Test
    void refusesWhatIsNoResult() {
        refused(file("empty", ""), "is empty");
        refused(file("letter", "Dear all,", "it is faster now."), "not a result file that is known", "docs/compare.md");
        refused(folder.resolve("nowhere"), "there is no such file");
        refused(file("zero", "a\0b"), "not text");
    }

    @Test
    void refusesHalfOutputs() {
        refused(
                file(
                        "pipe",
                        "# Running 'sched/pipe' benchmark:",
                        "# Executed 20000 pipe operations between two processes"),
                "pipe:1",
                "usecs/op",
                "cut off");
        refused(
                file("hb", "Running in process mode with 1 groups using 40 file descriptors each (== 40 tasks)"),
                "hb:1",
                "Time:",
                "cut off");
        refused(
                file("tb", "   2     70177   791.61 MB/sec  execute   1 sec  latency 7.474 ms"),
                "Throughput",
                "cut off");
        refused(
                file(
                        "np",
                        "MIGRATED TCP REQUEST/RESPONSE TEST from 0.0.0.0 () port 0 AF_INET to localhost () port 0 AF_INET"),
                "np:1",
                "no transaction rate");
        refused(file("csv", "kernel,value,unit", "a,1,s", "a,2"), "csv:3", "2 cells for 3 columns");
        refused(file("csv2", "kernel,value,unit"), "no values");
    }

    @Test
    void refusesNumbersThatCannotBeCompared() {
        refused(file("nan.csv", "value,unit", "1,s", "NaN,s"), "nan.csv:3", "'NaN' is not a number");
        refused(file("word.csv", "value,unit", "fast,s"), "word.csv:2", "'fast' is not a number");
        refused(file("hb", "Time: inf"), "hb:1", "'inf' is not a number");
    }

    @Test
    void refusesWhatItCannotTell() {
        refused(file("unit.csv", "value,unit", "1,points"), "unit.csv:2", "better", "higher, lower or neither");
        refused(file("better.csv", "value,unit,better", "1,points,big"), "better cannot be 'big'");
        refused(file("twice.csv", "value,value", "1,1"), "same name");
        refused(
                file(
                        "stream",
                        "MIGRATED TCP STREAM TEST from 10.10.1.1 () port 0 AF_INET to 10.10.1.2 () port 0 AF_INET"),
                "TCP STREAM",
                "request/response");
        refused(file("numa", "# Running 'mem/memcpy' benchmark:", "x"), "mem/memcpy is not read");
    }
}
