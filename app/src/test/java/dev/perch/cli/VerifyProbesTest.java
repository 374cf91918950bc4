package dev.perch.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.sim.Simulation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code perch verify --probes} on a decision that a 6.1.192 with two LLCs of two CPUs made. */
class VerifyProbesTest {
    private static final String TOPOLOGY = """
            cpu0/topology/core_cpus_list 0
            cpu0/topology/package_cpus_list 0-1
            cpu0/cache/index3 level=3 type=Unified size=16384K shared_cpu_list=0-1
            cpu1/topology/core_cpus_list 1
            cpu1/topology/package_cpus_list 0-1
            cpu1/cache/index3 level=3 type=Unified size=16384K shared_cpu_list=0-1
            cpu2/topology/core_cpus_list 2
            cpu2/topology/package_cpus_list 2-3
            cpu2/cache/index3 level=3 type=Unified size=16384K shared_cpu_list=2-3
            cpu3/topology/core_cpus_list 3
            cpu3/topology/package_cpus_list 2-3
            cpu3/cache/index3 level=3 type=Unified size=16384K shared_cpu_list=2-3
            """;

    private static final String RECORDING = """
            # tracer: nop
            #
               hackbench-872     [002] d..3.    30.256483: srq: (select_task_rq_fair+0x0/0x1840) pid=859 comm="hackbench" prev=1 flags=0x18 nr_allowed=4 mask=0xf recent=1 flips=0
               hackbench-872     [002] d.Z2.    30.256490: ww: (select_task_rq_fair+0xde/0x1840) waker_flips=108 wakee_flips=0 factor=2
               hackbench-872     [002] d..3.    30.256494: want: (select_task_rq_fair+0x103/0x1840) want_affine=1 sync=1
               hackbench-872     [002] d..3.    30.256498: aic: (select_task_rq_fair+0xce5/0x1840 <- available_idle_cpu) cpu=2 ret=0
               hackbench-872     [002] d..3.    30.256501: aic: (select_task_rq_fair+0xd25/0x1840 <- available_idle_cpu) cpu=1 ret=0
               hackbench-872     [002] d..3.    30.256502: wai: (select_task_rq_fair+0xd43/0x1840) res=4
               hackbench-872     [002] d.Z2.    30.256505: whc: (select_task_rq_fair+0x16b5/0x1840) cur_h_load=657 this_load=2223
               hackbench-872     [002] d..3.    30.256507: whp: (select_task_rq_fair+0x16e2/0x1840) p_h_load=39 this_load=1566
               hackbench-872     [002] d.Z2.    30.256510: waw: (select_task_rq_fair+0x1754/0x1840) this_eff=164352000 prev_eff=244629505 l0=2109 l1=2251 l2=2223 l3=2195
               hackbench-872     [002] d..3.    30.256513: war: (select_task_rq_fair+0xd58/0x1840) res=2
               hackbench-872     [002] d..3.    30.256515: sis2: (select_task_rq_fair+0x616/0x1840) t0=0 i0=0 t1=0 i1=0 t2=0 i2=0 t3=0 i3=0
               hackbench-872     [002] d..3.    30.256517: sis: (select_task_rq_fair+0x616/0x1840) pid=859 prev=1 target=2 busy0=2 hic0=0 nis0=0 busy2=2 hic2=0 nis2=0 c0=850 n0=3 c1=871 n1=1 c2=872 n2=2 c3=851 n3=1
               hackbench-872     [002] d..3.    30.256524: aic: (select_task_rq_fair+0x623/0x1840 <- available_idle_cpu) cpu=2 ret=0
               hackbench-872     [002] d..3.    30.256527: scan: (select_task_rq_fair+0x86c/0x1840) nr=1 has_idle_core=0
               hackbench-872     [002] d..3.    30.256528: srq_ret: (try_to_wake_up+0x11b/0x540 <- select_task_rq_fair) ret=2
            """;

    private static final List<String> ROWS =
            List.of("wake_wide", "want_affine", "wake_affine", "idle_search", "placement");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

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

    private String file(String name, String content) throws IOException {
        Path path = folder.resolve(name);
        Files.writeString(path, content);
        return path.toString();
    }

    private String machine() throws IOException {
        file("topology.txt", TOPOLOGY);
        return folder.toString();
    }

    private JsonNode json() {
        return JsonMapper.builder().build().readTree(out.toString(StandardCharsets.UTF_8));
    }

    @Test
    void theRulesOfTheRecordedKernelAgreeInEveryRow() throws IOException {
        String recording = file("trace.txt", RECORDING);
        assertThat(perch("verify", "--probes", recording, "--machine", machine(), "--kernel", "v6.1.192", "--json"))
                .isZero();
        JsonNode json = json();
        assertThat(json.get("schema").asInt()).isEqualTo(1);
        for (String row : ROWS) {
            assertThat(json.get(row).get("decisions").asInt()).as(row).isEqualTo(1);
            assertThat(json.get(row).get("agree").asInt()).as(row).isEqualTo(1);
            assertThat(json.get(row).propertyNames())
                    .containsExactly("decisions", "agree", "race", "inputMissing", "disagree");
        }
    }

    @Test
    void recordingsAreCountedTogether() throws IOException {
        String recording = file("trace.txt", RECORDING);
        String other = file("other.txt", RECORDING);
        assertThat(perch(
                        "verify",
                        "--machine",
                        machine(),
                        "--kernel",
                        "v6.1.192",
                        "--probes",
                        recording,
                        other,
                        "--json"))
                .isZero();
        assertThat(json().get("idle_search").get("decisions").asInt()).isEqualTo(2);
    }

    /** The kernel searched with SIS_UTIL and gave up at once; without it, the rules look and find CPU 3 idle. */
    @Test
    void aDifferenceIsExplained() throws IOException {
        String recording = file("trace.txt", RECORDING.replace("c3=851 n3=1", "c3=0 n3=0"));
        assertThat(perch("verify", "--probes", recording, "--machine", machine(), "--kernel", "v6.1.192,NO_SIS_UTIL"))
                .isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("idle_search at " + recording + ":3: task 872 on CPU 2 wakes 859, prev CPU 1;"
                        + " the kernel's answer 2, the rules' 3")
                .contains("  kernel: target (CPU 2): busy");
    }

    /** The snapshot shows prev idle, so that the rules stay there; the kernel's own test, a moment before, found it busy. */
    @Test
    void aDifferenceThatAnIdleTestExplainsIsARace() throws IOException {
        String recording = file("trace.txt", RECORDING.replace("c1=871 n1=1", "c1=0 n1=0"));
        assertThat(perch("verify", "--probes", recording, "--machine", machine(), "--kernel", "v6.1.192", "--json"))
                .isZero();
        assertThat(json().get("wake_affine").get("race").asInt()).isEqualTo(1);
        assertThat(json().get("idle_search").get("agree").asInt()).isEqualTo(1);
        assertThat(json().get("placement").get("race").asInt()).isEqualTo(1);
    }

    /** 244629505 less the sync bonus is 2212 · 108 · 1024. */
    @Test
    void loadsThatNoCapacityExplainsAreMissingInput() throws IOException {
        String recording = file("trace.txt", RECORDING.replace("l1=2251", "l1=2252"));
        assertThat(perch("verify", "--probes", recording, "--machine", machine(), "--kernel", "v6.1.192", "--json"))
                .isZero();
        assertThat(json().get("wake_affine").get("inputMissing").asInt()).isEqualTo(1);
    }

    @Test
    void aChoiceAgainstItsOwnComparisonDisagrees() throws IOException {
        String recording = file("trace.txt", RECORDING.replace("res=2", "res=4"));
        assertThat(perch("verify", "--probes", recording, "--machine", machine(), "--kernel", "v6.1.192", "--json"))
                .isZero();
        assertThat(json().get("wake_affine").get("disagree").asInt()).isEqualTo(1);
    }

    @Test
    void anotherMachineIsRefused() throws IOException {
        String recording = file("trace.txt", RECORDING);
        assertThat(perch("verify", "--probes", recording, "--machine", "e5620", "--kernel", "v3.9"))
                .isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualToIgnoringNewLines(
                        "perch: " + recording + ":3: the probes show 4 CPUs, but machine 'e5620' has 8;"
                                + " name the recorded one with --machine");
    }

    @Test
    void anotherCacheLayoutIsRefused() throws IOException {
        String recording = file("trace.txt", RECORDING.replace("factor=2", "factor=4"));
        assertThat(perch("verify", "--probes", recording, "--machine", "q6600", "--kernel", "v3.9"))
                .isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains(":3: the LLC of CPU 2 has 4 CPUs (ww factor), but 2 on machine 'q6600'");
    }

    @Test
    void withoutAMachineNothingIsCompared() throws IOException {
        String recording = file("trace.txt", RECORDING);
        assertThat(perch("verify", "--probes", recording, "--kernel", "v3.9")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .startsWith("perch: missing --machine=MACHINE");
    }

    @Test
    void withoutAKernelNothingIsCompared() throws IOException {
        String recording = file("trace.txt", RECORDING);
        assertThat(perch("verify", "--probes", recording, "--machine", machine()))
                .isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .startsWith("perch: missing KERNEL");
    }

    @Test
    void aRecordingWithoutProbesIsRefused() throws IOException {
        String recording = file(
                "trace.txt",
                RECORDING.replaceAll("(?m)^.*(srq|ww|want|wai|wh|wa|sis|aic|scan).*\n", "")
                        + "     <idle>-0       [001] dNh2.    29.648811: sched_wakeup: comm=x pid=15 prio=120 target_cpu=000\n");
        assertThat(perch("verify", "--probes", recording, "--machine", machine(), "--kernel", "v3.9"))
                .isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualToIgnoringNewLines("perch: " + recording
                        + " has no placement probes (events srq … srq_ret); docs/probes.md says which those are");
    }

    @Test
    void whatTheProbesPrintCannotBeGiven() throws IOException {
        String recording = file("trace.txt", RECORDING);
        assertThat(perch(
                        "verify",
                        "--probes",
                        recording,
                        "--machine",
                        machine(),
                        "--kernel",
                        "v3.9",
                        "--affinity=1=0-3"))
                .isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--affinity has no use with --probes");
    }

    @Test
    void oneRecordingIsReadWithoutProbes() throws IOException {
        String recording = file("trace.txt", RECORDING);
        assertThat(perch("verify", recording, "other.txt", "--machine", machine(), "--kernel", "v3.9"))
                .isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualToIgnoringNewLines(
                        "perch: 'other.txt' is one recording too many; more than one is read with --probes" + " only");
    }
}
