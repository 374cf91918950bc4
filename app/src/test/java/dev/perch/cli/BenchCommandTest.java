package dev.perch.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.perch.child.ChildJvm;
import dev.perch.model.CpuMask;
import dev.perch.sim.Simulation;
import dev.perch.store.Store;
import dev.perch.store.StoredRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Benchmarks on the machine that runs the tests: what is printed, stored, compared, and left behind. */
@EnabledOnOs(OS.LINUX)
class BenchCommandTest {
    @TempDir
    private Path folder;

    private CommandLineTest.Outcome perch(String... args) {
        return CommandLineTest.perch(folder.resolve("runs"), Simulation::run, args);
    }

    /** @param what a benchmark's name, options may follow it */
    private CommandLineTest.Outcome quick(String what, String... more) {
        List<String> arguments = new ArrayList<>(List.of("bench"));
        arguments.addAll(List.of(what.split(" ")));
        arguments.addAll(List.of("--repeats", "2"));
        if (!what.startsWith("messaging")) {
            arguments.addAll(List.of("--duration", "50ms", "--warmup", "10ms"));
        }
        arguments.addAll(List.of(more));
        return perch(arguments.toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource({
        "pipe, pipe, us/op, processes",
        "futex, futex-pair, us/op, processes",
        "socketpair, socketpair, us/op, processes",
        "tcp-rr, tcp-rr, transactions/s, processes",
        "messaging, messaging:groups=10, s, processes",
        "messaging --threads, 'messaging:groups=10,tasks=threads', s, threads"
    })
    void printsTheRowsOfRunAsJson(String what, String workload, String unit, String tasks) throws IOException {
        CommandLineTest.Outcome outcome = quick(what, "--json", "--no-store");
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.exitCode()).isZero();
        JsonNode document = JsonMapper.shared().readTree(outcome.out());
        assertThat(document.get("schema").asInt()).isEqualTo(1);
        JsonNode row = document.get("rows").get(0);
        assertThat(row.get("machine").asString()).isEqualTo("host");
        assertThat(row.get("kernel").asString())
                .isEqualTo(
                        Files.readString(Path.of("/proc/sys/kernel/osrelease")).strip());
        assertThat(row.get("workload").asString()).isEqualTo(workload);
        assertThat(row.get("unit").asString()).isEqualTo(unit);
        assertThat(row.get("tasks").asString()).isEqualTo(tasks);
        assertThat(row.get("runs")).hasSize(2).allMatch(value -> value.asDouble() > 0);
        assertThat(row.get("interval")).hasSize(2);
    }

    @Test
    void aPinnedRowIsStoredUnderTheNameThatItsSimulationHas() throws IOException {
        int cpu = allowed()[0];
        String pin = cpu + "/" + cpu;
        CommandLineTest.Outcome outcome = quick("pipe", "--threads", "--pin", pin);
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.err()).startsWith("stored as ");
        assertThat(outcome.out()).contains("\n" + pin + " ", " cpu ", "switches/op");
        Store store = new Store(folder.resolve("runs"));
        StoredRun run = store.run(store.find("last"));
        assertThat(run.experiment()).isEqualTo("bench-pipe");
        assertThat(run.measured()).isTrue();
        assertThat(run.rows().getFirst().workload()).isEqualTo("pipe:pin=" + pin);
        assertThat(perch("query", "SELECT machine, workload, seed FROM runs WHERE metric = 'time'")
                        .out())
                .contains("host", "pipe:pin=" + pin);
        assertThat(perch("runs", "show", "last").out())
                .contains("measured", "voluntary switches")
                .doesNotContain("seed");
    }

    @Test
    void aMeasurementAndASimulationAreComparedRowByRow() {
        assertThat(quick("pipe").exitCode()).isZero();
        assertThat(perch(
                                "run",
                                "--workload",
                                "pipe",
                                "--machine",
                                "e5620",
                                "--kernel",
                                "v3.2",
                                "--repeats",
                                "2",
                                "--duration",
                                "20ms")
                        .exitCode())
                .isZero();
        CommandLineTest.Outcome compared = perch("compare", "@2", "@1");
        assertThat(compared.exitCode()).isZero();
        assertThat(compared.out()).contains("time [us/op]", "host", "e5620").doesNotContain("not compared");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    pip                         | there is no benchmark 'pip'; did you mean 'pipe'?
                    dance                       | there is no benchmark 'dance'; known are pipe, futex, socketpair, tcp-rr, messaging
                    pipe --pin 8000/8000        | this process may not run on CPU 8000
                    pipe --pin 0                | --pin cannot be '0'; write the CPUs of the two ends, as in 0/1 or 0/0
                    pipe --pin 0/0 --matrix     | --matrix takes every pair of CPUs; leave --pin out
                    pipe --groups 3             | --groups is of messaging; pipe has two tasks
                    messaging --duration 1s     | messaging ends by itself; instead of --duration give --loops
                    pipe --no-store --store x   | --no-store contradicts --store; leave one out
                    pipe --repeats 0            | --repeats cannot be '0'; write a whole number from 1 to 10000
                    """)
    void wrongUseIsOneLine(String arguments, String message) {
        CommandLineTest.Outcome outcome = perch(("bench " + arguments).split(" "));
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains(message).hasLineCount(1);
        assertThat(outcome.out()).isEmpty();
    }

    private static int[] allowed() throws IOException {
        String list = Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .findFirst()
                .orElseThrow()
                .split(":")[1]
                .strip();
        return CpuMask.parse(list).toArray();
    }

    /** In a JVM that may use one CPU only, as in a container with a cpuset. */
    @Test
    @Tag("slow")
    void whereOneCpuMayBeUsedTheMatrixHasOnePair() throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/taskset")), "needs taskset of util-linux");
        int cpu = allowed()[0];
        List<String> command = new ArrayList<>(List.of("taskset", "-c", Integer.toString(cpu)));
        command.addAll(ChildJvm.command(
                Main.class,
                "bench",
                "futex",
                "--matrix",
                "--repeats",
                "1",
                "--duration",
                "20ms",
                "--no-store",
                "--json"));
        Process process = new ProcessBuilder(command).start();
        JsonNode rows = JsonMapper.shared().readTree(process.getInputStream()).get("rows");
        assertThat(rows).hasSize(1);
        assertThat(rows.get(0).get("pin").asString()).isEqualTo(cpu + "/" + cpu);
        assertThat(process.waitFor()).isZero();
    }

    @Test
    @Tag("slow")
    void whatIsDoneBeforeASignalIsPrintedAndStored() throws IOException, InterruptedException {
        Process process = ChildJvm.start(
                Main.class,
                "bench",
                "pipe",
                "--repeats",
                "10000",
                "--duration",
                "50ms",
                "--warmup",
                "10ms",
                "--store",
                folder.resolve("runs").toString());
        children(process, 2);
        Thread.sleep(4000);
        signal("TERM", process);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(128 + 15);
        assertThat(text(process.getErrorStream())).matches("stored as [^ ]+, incomplete\n");
        assertThat(text(process.getInputStream()))
                .containsPattern("interrupted: [0-9]+ of 10000 measurements are done");
    }

    @ParameterizedTest
    @CsvSource({
        "pipe --duration 60s, 2, INT",
        "futex --duration 60s, 2, KILL",
        "tcp-rr --duration 60s --pin 0/0, 2, TERM",
        "messaging --groups 2 --loops 1000000, 80, INT",
        "messaging --groups 2 --loops 1000000 --pipe, 80, KILL"
    })
    @Tag("slow")
    void noProcessOutlivesTheProgram(String arguments, int count, String signal)
            throws IOException, InterruptedException {
        Process process = ChildJvm.start(Main.class, ("bench " + arguments + " --no-store").split(" "));
        List<ProcessHandle> children = children(process, count);
        assertThat(children).hasSize(count);
        signal(signal, process);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        for (ProcessHandle child : children) {
            assertThat(child.onExit()).succeedsWithin(Duration.ofSeconds(10));
        }
        if (!signal.equals("KILL")) {
            assertThat(text(process.getErrorStream()))
                    .isEqualTo("perch: interrupted before a measurement was done; there is no result\n");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "tcp-rr --duration 60s, 2",
        "futex --duration 60s, 2",
        "messaging --groups 1 --loops 1000000, 40",
        "messaging --groups 1 --loops 1000000 --pipe, 40"
    })
    @Tag("slow")
    void aProcessThatIsKilledEndsTheMeasurementInOneLine(String arguments, int count)
            throws IOException, InterruptedException {
        Process process = ChildJvm.start(Main.class, ("bench " + arguments + " --no-store").split(" "));
        List<ProcessHandle> children = children(process, count);
        Thread.sleep(500);
        children.getFirst().destroyForcibly();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(1);
        assertThat(text(process.getErrorStream()))
                .contains("a process of the benchmark has ended before its time, by signal 9")
                .hasLineCount(1);
        for (ProcessHandle child : children) {
            assertThat(child.onExit()).succeedsWithin(Duration.ofSeconds(10));
        }
    }

    private static String text(InputStream stream) throws IOException {
        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }

    private static void signal(String name, Process process) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    /** Waits until it has so many. */
    private static List<ProcessHandle> children(Process process, int count) throws InterruptedException {
        for (int i = 0; i < 300 && process.children().count() < count; i++) {
            Thread.sleep(100);
        }
        return process.children().toList();
    }
}
