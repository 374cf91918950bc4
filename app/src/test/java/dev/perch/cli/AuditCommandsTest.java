package dev.perch.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.sim.Simulation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The verbs {@code audit}, {@code explain} and {@code verify} on a small recording written by hand. */
class AuditCommandsTest {
    /** Two CPUs of one core of a q6600: task a on CPU 0 wakes b, which goes from CPU 1 to CPU 1 and to sleep; then it wakes it again. */
    private static final String RECORDING = """
            # tracer: nop
            #
                      <idle>-0     [000] d..2.   100.000001: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=10 next_prio=120
                           b-20    [001] d..2.   100.000002: sched_switch: prev_comm=b prev_pid=20 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
                           a-10    [000] d..2.   100.000010: sched_waking: comm=b pid=20 prio=120 target_cpu=001
                           a-10    [000] d..2.   100.000011: sched_wakeup: comm=b pid=20 prio=120 target_cpu=001
                      <idle>-0     [001] d..2.   100.000015: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=b next_pid=20 next_prio=120
                           b-20    [001] d..2.   100.000025: sched_switch: prev_comm=b prev_pid=20 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
                           a-10    [000] d..2.   100.000030: sched_waking: comm=b pid=20 prio=120 target_cpu=001
                           a-10    [000] d..2.   100.000031: sched_wakeup: comm=b pid=20 prio=120 target_cpu=001
                      <idle>-0     [001] d..2.   100.000034: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=b next_pid=20 next_prio=120
                           b-20    [001] d..2.   100.000040: sched_switch: prev_comm=b prev_pid=20 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120
            """;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    private String file = "";

    @BeforeEach
    void writeRecording() throws IOException {
        Path path = folder.resolve("trace.txt");
        Files.writeString(path, RECORDING);
        file = path.toString();
    }

    private int perch(String... args) {
        Surroundings surroundings = new Surroundings(
                () -> Path.of(System.getProperty("perch.home")),
                TestStore.FOLDER,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                false,
                Simulation::run);
        return Main.run(surroundings, args);
    }

    private String output() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void auditAnswersInItsFirstSentence() {
        assertThat(perch("audit", file, "--machine", "q6600")).isZero();
        assertThat(output()).startsWith("The scheduler is not hurting: no wakeup of the 2 placed ones waited");
    }

    @Test
    void auditWithoutATopologySaysWhatIsMissing() {
        assertThat(perch("audit", file)).isZero();
        assertThat(output())
                .startsWith("Whether the scheduler is hurting cannot be told")
                .contains("--machine");
    }

    @Test
    void auditPrintsEveryWakeupAsCsv() {
        assertThat(perch("audit", file, "--machine", "q6600", "--wakeups")).isZero();
        assertThat(output().lines().toList())
                .hasSize(3)
                .element(1)
                .asString()
                .startsWith("1,100000010000,10,20,a,b,0,1,1,exact,good,");
    }

    @Test
    void auditPrintsJson() {
        assertThat(perch("audit", file, "--machine", "q6600", "--json")).isZero();
        JsonNode json = JsonMapper.builder().build().readTree(output());
        assertThat(json.get("schema").asInt()).isEqualTo(1);
        assertThat(json.get("events").get("switch").asInt()).isEqualTo(6);
        assertThat(json.get("wakeups").asInt()).isEqualTo(2);
        assertThat(json.get("verdicts").get("good").asInt()).isEqualTo(2);
        assertThat(json.get("latencyNs").get("max").asInt()).isBetween(5000, 5010);
        assertThat(json.get("pairs").get(0).get("wakeups").asInt()).isEqualTo(2);
    }

    @Test
    void anIntervalFromTheFirstEventCutsTheFirstWakeup() {
        assertThat(perch("audit", file, "--machine", "q6600", "--from", "+0.000020", "--json"))
                .isZero();
        assertThat(JsonMapper.builder()
                        .build()
                        .readTree(output())
                        .get("wakeups")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void explainDrawsTheMachineAndWalksTheRules() {
        assertThat(perch("explain", file, "--machine", "q6600", "--wakeup", "2", "--kernel", "v3.9"))
                .isZero();
        assertThat(output())
                .contains("wakeup 2 at 100.000030000: a:10 on CPU 0 wakes b:20, which was on CPU 1")
                .contains("[1 prev CHOSEN: idle")
                .contains("rules of v3.9")
                .contains("choice: CPU 1");
    }

    @Test
    void explainFindsTheLastWakeupOfATaskUntilATime() {
        assertThat(perch("explain", file, "--pid", "20", "--at", "100.000020")).isZero();
        assertThat(output()).startsWith("wakeup 1 at 100.000010000");
    }

    @Test
    void verifyCountsDecisions() {
        assertThat(perch("verify", file, "--machine", "q6600", "--kernel", "v3.9", "--json"))
                .isZero();
        JsonNode json = JsonMapper.builder().build().readTree(output());
        assertThat(json.get("decisions").asInt()).isEqualTo(2);
        assertThat(json.get("agree").asInt()
                        + json.get("disagree").asInt()
                        + json.get("unknown").asInt())
                .isEqualTo(2);
    }

    /** With housekeeping, whose tasks are bound to a CPU each: the file says so, and which CPUs have their own sched domains. */
    @ParameterizedTest
    @CsvSource({
        "v3.2-rc1, ''",
        "v3.9, ''",
        "v3.2-rc1+mikie, '1-3,5-7'",
        "v3.9, '1-3,5-7'",
    })
    void theRulesOfASimulatedRunAgreeWithAllOfItsFile(String kernel, String cpuset) {
        String events = folder.resolve("events.txt").toString();
        List<String> run = new ArrayList<>(List.of("run", "--workload", "tcp-rr", "--machine", "e5620"));
        run.addAll(List.of("--kernel", kernel, "--repeats", "1", "--duration", "100ms", "--warmup", "0"));
        run.addAll(List.of("--events", events));
        if (!cpuset.isEmpty()) {
            run.addAll(List.of("--cpuset", cpuset));
        }
        assertThat(perch(run.toArray(String[]::new))).isZero();
        out.reset();
        assertThat(perch("verify", events, "--machine", "e5620", "--kernel", kernel, "--json"))
                .isZero();
        JsonNode json = JsonMapper.builder().build().readTree(output());
        assertThat(json.get("decisions").asInt()).isGreaterThan(1000);
        assertThat(json.get("agree").asInt()).isEqualTo(json.get("decisions").asInt());
        assertThat(json.get("disagree").asInt()).isZero();
        assertThat(json.get("unknown").asInt()).isZero();
        out.reset();
        assertThat(perch("explain", events, "--machine", "e5620", "--kernel", kernel, "--wakeup", "100"))
                .isZero();
        assertThat(output()).contains(", as recorded");
    }

    @Test
    void aCpusetThatTheMachineDoesNotHaveIsRefused() {
        assertThat(perch("verify", file, "--machine", "q6600", "--kernel", "v3.9", "--cpuset", "2-9"))
                .isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualToIgnoringNewLines(
                        "perch: cpuset 2-9 names CPUs that machine 'q6600' does not have; it has 0-3");
    }

    @Test
    void wrongUseIsOneLine() {
        assertThat(perch("explain", file)).isEqualTo(2);
        assertThat(perch("audit", folder.resolve("none").toString())).isEqualTo(2);
        assertThat(perch("audit", file, "--from", "yesterday")).isEqualTo(2);
        assertThat(perch("audit", file, "--affinity", "20")).isEqualTo(2);
        assertThat(perch("audit", file, "--from", "+0.5", "--to", "+0.1")).isEqualTo(2);
        assertThat(perch("explain", file, "--wakeup", "99")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .hasSize(6)
                .allMatch(line -> line.startsWith("perch: "));
    }
}
