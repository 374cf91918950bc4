package dev.perch.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.lab.Simulator;
import dev.perch.model.Distance;
import dev.perch.sim.Simulation;
import dev.perch.sim.SimulationResult;
import dev.perch.sim.SimulationSpec;
import dev.perch.sim.workload.WorkloadItem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command as a user types it, on the shipped machines, kernels and experiments; most runs with a formula instead of a simulation. */
class CommandLineTest {
    private static final Path HOME = Path.of(System.getProperty("perch.home"));

    /** What a command did. */
    record Outcome(int exitCode, String out, String err) {
        JsonNode json() {
            return JsonMapper.shared().readTree(out);
        }
    }

    static Outcome perch(String... args) {
        return perch(TestStore.FOLDER, CommandLineTest::formula, args);
    }

    /** Not on a terminal, with this store and these simulations. */
    static Outcome perch(Path store, Simulator simulator, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Surroundings surroundings = new Surroundings(
                () -> HOME,
                store,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                false,
                simulator);
        int exitCode = Main.run(surroundings, args);
        return new Outcome(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** Each instance makes some 100,000 operations a second, by the random seed alone. */
    private static SimulationResult formula(SimulationSpec spec) {
        SplittableRandom random = new SplittableRandom(spec.randomSeed());
        List<SimulationResult.Instance> instances = new ArrayList<>();
        for (WorkloadItem item : spec.workload()) {
            for (int i = 0; i < item.count(); i++) {
                double value = 100_000 + random.nextInt(1000);
                instances.add(new SimulationResult.Instance(
                        item.name(), (long) value, value, "transactions/s", "smt, stays", List.of()));
            }
        }
        long[] distances = new long[Distance.all().length];
        distances[Distance.SMT.ordinal()] = 150;
        distances[Distance.LLC.ordinal()] = 50;
        return new SimulationResult(
                instances,
                200,
                20,
                2,
                new SimulationResult.Scans(0, 0, 0, 0),
                distances,
                new long[distances.length],
                0,
                1600,
                random.nextLong());
    }

    @Test
    void aloneSaysInSixLinesWhatItIsAndWhatToTry() {
        Outcome outcome = perch();
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out().lines()).hasSize(6);
        assertThat(outcome.out()).contains("perch run westmere-one-pair", "perch list", "perch show machine e5620");
        assertThat(outcome.err()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "run --help", "list --help", "show --help", "decide --help"})
    void helpHasAnExample(String args) {
        Outcome outcome = perch(args.split(" "));
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out()).contains("Example").contains("perch ");
        assertThat(outcome.err()).isEmpty();
    }

    @Test
    void tellsItsVersion() {
        assertThat(perch("--version").out()).startsWith("perch ");
    }

    @ParameterizedTest
    @CsvSource({
        "machines, e5620, machines/e5620.yaml",
        "kernels, v3.2-rc1+mikie, LKML",
        "workloads, tcp-rr, netperf",
        "experiments, westmere-one-pair, Mike Galbraith",
    })
    void listsWithTheSource(String kind, String name, String source) {
        Outcome outcome = perch("list", kind);
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out()).contains(name, source);
        JsonNode list = perch("list", kind, "--json").json().get(kind);
        assertThat(list.findValuesAsString("name")).contains(name);
        assertThat(String.join(" ", list.findValuesAsString("source"))).contains(source);
    }

    @Test
    void listsEverythingUnasked() {
        assertThat(perch("list").out().lines()).contains("machines", "kernels", "workloads", "experiments");
    }

    @Test
    void showsAMachineWithTheSchedDomainsOfAKernel() {
        Outcome outcome = perch("show", "machine", "e5620", "--kernel", "v3.2-rc1");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out()).contains("Xeon E5620", "Sched domains of v3.2-rc1", "SMT", "0,4 | 1,5 | 2,6 | 3,7");
    }

    /** Expected: the table in the message of commit 70fb5ccf2ebb. */
    @ParameterizedTest
    @CsvSource({
        "112, 112 111 108 102 93 81 65 47 25 1 0",
        "16, 16 15 15 14 13 11 9 6 3 0 0",
    })
    void showsHowManyCpusASearchMayLookAt(int cpus, String limits, @TempDir Path folder) throws IOException {
        StringBuilder xml = new StringBuilder("<topology version='2.0'><object type='Machine' " + cpuset(0, cpus) + ">"
                + "<object type='L3Cache' depth='3' cache_type='0' cache_size='33554432' " + cpuset(0, cpus) + ">");
        for (int cpu = 0; cpu < cpus; cpu++) {
            String own = cpuset(cpu, 1);
            xml.append(
                    "<object type='Core' " + own + "><object type='PU' os_index='" + cpu + "' " + own + "/></object>");
        }
        Path machine = Files.writeString(folder.resolve("m.xml"), xml.append("</object></object></topology>"));
        assertThat(perch("show", "machine", machine.toString(), "--kernel", "v6.0")
                        .out()
                        .replaceAll(" +", " "))
                .contains(" % 0 5 15 25 35 45 55 65 75 85 86", " of " + cpus + ": " + limits);
        JsonNode json = perch("show", "machine", machine.toString(), "--kernel", "v6.0", "--json")
                .json();
        assertThat(json.at("/scanLimits/0/limitByUtilisationPercent/55").asString())
                .isEqualTo(limits.split(" ")[6]);
        assertThat(perch("show", "machine", machine.toString(), "--kernel", "v5.18")
                        .out())
                .doesNotContain("SIS_UTIL");
    }

    /** As hwloc writes it: words of 32 bits, the highest first. */
    private static String cpuset(int first, int count) {
        StringBuilder words = new StringBuilder();
        for (int word = 3; word >= 0; word--) {
            long bits = 0;
            for (int bit = 0; bit < 32; bit++) {
                int cpu = 32 * word + bit;
                bits |= cpu >= first && cpu < first + count ? 1L << bit : 0;
            }
            words.append(String.format("%s0x%08x", words.isEmpty() ? "" : ",", bits));
        }
        return "cpuset='" + words + "'";
    }

    @Test
    void showsTheDomainsOfACpuset() {
        Outcome outcome = perch("show", "machine", "e5620", "--kernel", "v3.2-rc1", "--cpuset", "1-3,5-7");
        assertThat(outcome.out()).contains("partition 1-3,5-7", "1-3,5-7: 1,5 | 2,6 | 3,7");
        JsonNode json = perch("show", "machine", "e5620", "--kernel", "v3.2-rc1", "--cpuset", "1-3,5-7", "--json")
                .json();
        assertThat(json.get("domains").get(1).get("domains").get(1).get("span").asString())
                .isEqualTo("1-3,5-7");
    }

    @ParameterizedTest
    @CsvSource({
        "kernel, v3.2-rc1+mikie2, mikie2",
        "workload, tcp-rr, transactions/s",
        "experiment, westmere-one-pair, prediction within 15 %",
        "machine, q6600, Core 2 Quad",
    })
    void showsOneThingInFull(String kind, String name, String part) {
        Outcome outcome = perch("show", kind, name);
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out()).contains(part);
        assertThat(perch("show", kind, name, "--json").json().get("schema").asInt())
                .isEqualTo(1);
    }

    @Test
    void showsAMachineAsAFileThatCanBeNamedInstead(@TempDir Path folder) throws IOException {
        Outcome outcome = perch("show", "machine", "q6600", "--yaml");
        assertThat(outcome.exitCode()).isZero();
        Path file = Files.writeString(folder.resolve("q6600.yaml"), outcome.out());
        assertThat(withoutSource(perch("show", "machine", file.toString()).out()))
                .isEqualTo(withoutSource(perch("show", "machine", "q6600").out()));
    }

    private static String withoutSource(String text) {
        return text.replaceFirst("(?m)^source: .*$", "");
    }

    @Test
    void showsAKernelStepByStepAndWhatDiffersBetweenTwo() {
        assertThat(perch("show", "kernel", "v6.1").out())
                .startsWith("v6.1.192: ")
                .contains("a wakeup, step by step", "S1 the target");
        JsonNode kernel = perch("show", "kernel", "v6.1", "--json").json().get("kernel");
        assertThat(kernel.get("version").asString()).isEqualTo("v6.1.192");
        assertThat(kernel.get("rules").get("idle-search").asString()).isEqualTo("6.1.192");
        assertThat(kernel.get("wakeup").get(0).get("part").asString()).isEqualTo("caller 5.15");
        assertThat(perch("show", "kernel", "v5.11", "v6.1").out()).startsWith("from v5.11 to v6.1.192\n");
        JsonNode difference = perch("show", "kernel", "v5.11", "v6.1", "--json").json();
        assertThat(difference.get("to").asString()).isEqualTo("v6.1.192");
        assertThat(difference.get("features").get(0).get("name").asString()).isEqualTo("ALT_PERIOD");
    }

    @Test
    void listsEveryKernelWithItsTitle() {
        assertThat(perch("list", "kernels").out())
                .contains("v6.1.192 ", "v6.12.117 ", "v5.16-rc1+clear-target ", "fits all later ones too")
                .containsOnlyOnce("+wake-on-current");
    }

    @Test
    void aPolicyOfOnesOwnHasARowUnderItsName() {
        Path policy = HOME.resolve("examples/StayHome.java").toAbsolutePath();
        Outcome outcome = perch(
                "run",
                "--workload",
                "tcp-rr",
                "--machine",
                "e5620",
                "--kernel",
                "v3.9+" + policy,
                "--repeats",
                "1",
                "--json");
        assertThat(outcome.json().get("kernels").get(0).get("name").asString()).isEqualTo("v3.9+" + policy);
    }

    @Test
    void runsAnExperimentAndPrintsItsTable() {
        Outcome outcome = perch("run", "westmere-one-pair");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.err()).matches("stored as [0-9]{6}-[0-9]{6}-..\n");
        assertThat(outcome.out().lines())
                .filteredOn(line -> line.startsWith("mikie2 SYNC"))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).contains("139961.98", "10.0%", "75%", "25%", "smt, stays 100%"));
        assertThat(outcome.out().lines())
                .filteredOn(line -> line.startsWith("Calibrated: "))
                .hasSize(1);
    }

    @Test
    void runsByHand() {
        Outcome outcome = perch(
                "run",
                "--workload",
                "tcp-rr",
                "--machine",
                "e5620",
                "--kernel",
                "v3.2-rc1",
                "--kernel",
                "v3.9",
                "--cpuset",
                "1-3,5-7",
                "--repeats",
                "2");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out()).contains("e5620, tcp-rr, cpuset 1-3,5-7", "run 2");
        assertThat(outcome.out().lines()).anyMatch(line -> line.startsWith("v3.9 "));
    }

    @Test
    void runsAFile(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("my.yaml");
        Files.writeString(
                file, "name: mine\ntitle: Mine\nmachines: [e5620]\nkernels: [v3.2]\nworkloads: [tcp-rr]\nrepeats: 1\n");
        Outcome outcome = perch("run", file.toString());
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out()).startsWith("mine: Mine");
    }

    @Test
    void printsJsonOfTheDocumentedShape() {
        JsonNode json = perch("run", "westmere-three-pairs", "--json", "--repeats", "2", "--random-seed", "7")
                .json();
        assertThat(json.propertyNames().iterator().next()).isEqualTo("schema");
        assertThat(json.get("schema").asInt()).isEqualTo(1);
        assertThat(json.get("experiment").asString()).isEqualTo("westmere-three-pairs");
        assertThat(json.get("seed").asLong()).isEqualTo(7);
        assertThat(json.get("rows")).hasSize(10);
        JsonNode row = json.get("rows").get(0);
        assertThat(row.get("kernel").asString()).isEqualTo("v3.2-rc1,NO_TTWU_QUEUE");
        assertThat(row.get("machine").asString()).isEqualTo("e5620");
        assertThat(row.get("workload").asString()).isEqualTo("tcp-rr*3");
        assertThat(row.get("setting").get("governor").asString()).isEqualTo("ondemand");
        assertThat(row.get("setting").get("hz").asInt()).isEqualTo(250);
        assertThat(row.get("setting").get("cpuset").asString()).isEqualTo("1-3,5-7");
        assertThat(row.get("metric").asString()).isEqualTo("transactions/s");
        assertThat(row.get("unit").asString()).isEqualTo("transactions/s per instance");
        assertThat(row.get("runs")).hasSize(2);
        assertThat(row.get("mean").asDouble())
                .isEqualTo((row.get("runs").get(0).asDouble()
                                + row.get("runs").get(1).asDouble())
                        / 2);
        assertThat(row.get("ratio").asDouble()).isEqualTo(1);
        assertThat(row.get("published").asDouble()).isEqualTo(55211.53);
        assertThat(row.get("role").asString()).isEqualTo("prediction");
        assertThat(row.get("error").asDouble()).isEqualTo(row.get("mean").asDouble() / 55211.53 - 1);
        assertThat(row.get("bounceRate").asDouble()).isEqualTo(0.1);
        assertThat(row.get("distance").get("smt").asDouble()).isEqualTo(0.75);
        assertThat(row.get("migrations").get("remote").asLong()).isZero();
        assertThat(row.get("wakeups").asLong()).isEqualTo(400);
        assertThat(row.get("events").asLong()).isEqualTo(3200);
        assertThat(row.get("instances").get(0)).hasSize(3);
        JsonNode second = json.get("rows").get(5);
        assertThat(second.get("setting").get("governor").asString()).isEqualTo("performance");
        assertThat(second.get("role").isNull()).isTrue();
        assertThat(second.get("published").asDouble()).isEqualTo(55211.53);
        assertThat(json.get("timing").get("events").asLong()).isEqualTo(32_000);
        assertThat(json.get("timing").has("eventsPerSecond")).isTrue();
        assertThat(json.get("timing").has("simulatedPerRealTime")).isTrue();
    }

    @Test
    void givesTheSameJsonForTheSameSeedWithAnyNumberOfThreadsApartFromTiming() {
        String one = withoutTiming(perch("run", "westmere-one-pair", "--json", "--threads", "1"));
        assertThat(withoutTiming(perch("run", "westmere-one-pair", "--json", "--threads", "5")))
                .isEqualTo(one);
        assertThat(withoutTiming(perch("run", "westmere-one-pair", "--json", "--random-seed", "2")))
                .isNotEqualTo(one);
    }

    private static String withoutTiming(Outcome outcome) {
        return outcome.out().substring(0, outcome.out().indexOf("\"timing\""));
    }

    @Test
    void runsARealSimulation() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        int exitCode = Main.run(
                new Surroundings(() -> HOME, TestStore.FOLDER, stream, stream, false, Simulation::run),
                "run",
                "westmere-pinned-matrix",
                "--repeats",
                "1",
                "--duration",
                "5 ms",
                "--warmup",
                "1 ms");
        assertThat(exitCode).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("3->7").contains("smt, stays 100%");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "rnu                                        | unknown verb 'rnu'; did you mean 'run'?",
                "run westmere-one-pari                      | did you mean 'westmere-one-pair'?",
                "run westmere-one-pair --repaets 3          | unknown option '--repaets'; did you mean '--repeats'?",
                "run westmere-one-pair --machine e562       | did you mean 'e5620'?",
                "run westmere-one-pair --kernel v3.2-rc1+miki | did you mean 'mikie'?",
                "run westmere-one-pair --kernel v3.9+mikie  | patch 'mikie' does not fit v3.9",
                "run westmere-one-pair --kernel v3.2,NO_TTWU_QUEU | did you mean 'TTWU_QUEUE'?",
                "run westmere-one-pair --workload tcp-r     | did you mean 'tcp-rr'?",
                "run westmere-one-pair --workload tcp-rr*0  | has the count '0'",
                "run westmere-one-pair --workload tcp-rr:pin=1/9 | CPU 9",
                "run westmere-one-pair --workload tcp-rr:pin=0/1 | CPU 0",
                "run westmere-one-pair --cpuset 8-9         | cpuset 8-9",
                "run westmere-one-pair --taskset 9          | taskset 9",
                "run westmere-one-pair --cpuset 1-x         | 'x' is not a CPU number",
                "run westmere-one-pair --set govenor=x      | did you mean 'governor'?",
                "run westmere-one-pair --set governor=interactive | setting governor cannot be 'interactive'",
                "run westmere-one-pair --set governor=schedutil | v3.2-rc1 has no schedutil governor",
                "run westmere-one-pair --set idle_governor=teo | idle_governor=teo is modelled as of 6.12 only",
                "run westmere-one-pair --set freq_step=5    | it belongs to governor=conservative",
                "run westmere-one-pair --repeats 0          | --repeats cannot be '0'; write a whole number from 1 to 10000",
                "run westmere-one-pair --repeats x          | --repeats cannot be 'x'",
                "run westmere-one-pair --duration -1        | --duration cannot be '-1'",
                "run westmere-one-pair --duration 0         | above 0",
                "run westmere-one-pair --threads 0          | --threads cannot be '0'",
                "run westmere-one-pair --random-seed pi     | --random-seed cannot be 'pi'",
                "run westmere-one-pair --calibrate          | calibrates nothing",
                "run no/such/file.yaml                      | there is no file no/such/file.yaml",
                "run                                        | no --workload given",
                "run --workload tcp-rr --machine e5620      | no --kernel given",
                "run --workload tcp-rr --machine host --kernel v3.2 | no costs",
                "run a b                                    | 'b' is one argument too many",
                "run --kernel                               | missing KERNEL",
                "list machine                               | did you mean 'machines'?",
                "show                                       | missing",
                "show machine                               | missing NAME",
                "show machin e5620                          | did you mean 'machine'?",
                "show machine e562                          | did you mean 'e5620'?",
                "show kernel 3.2                            | '3.2' is not a kernel version",
                "show kernel v6.1.0-56-amd64                | 'v6.1.0-56-amd64' is a distribution's kernel",
                "show kernel v6.20                          | kernel v6.20 is not modelled yet; newest known v6.19",
                "show kernel v3.9+./Missing.java            | policy ./Missing.java is not a file that can be read",
                "show machine e5620 q6600                   | only kernels can be compared",
                "verify run.txt --machine e5620 --kernel 6.12.117-1-amd64 | name that one, as in --kernel",
                "show workload pip                          | did you mean 'pipe'?",
                "show workload pipe --kernel v3.2           | go with 'show machine' only",
                "show machine e5620 --cpuset 1              | --cpuset needs --kernel",
                "show kernel v6.1 --yaml                    | --yaml goes with 'show machine' alone",
                "show machine e5620 --yaml --json           | --yaml goes with 'show machine' alone",
                "show machine e5620 --yaml --kernel v3.2    | --yaml goes with 'show machine' alone",
            })
    void refusesWrongUseInOneLineWithExitCodeTwo(String args, String message) {
        Outcome outcome = perch(args.split(" "));
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err().lines()).hasSize(1);
        assertThat(outcome.err()).startsWith("perch: ").contains(message);
    }

    @Test
    void refusesAnEmptyCpuset() {
        Outcome outcome = perch("run", "westmere-one-pair", "--cpuset", "");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).isEqualTo("perch: --cpuset is empty; name CPUs, as in 1-3,5-7\n");
    }

    @Test
    void namesTheLineOfABrokenFile(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("broken.yaml");
        Files.writeString(file, "name: x\ntitle: y\nmachines: [e5620\nkernels: []\n");
        Outcome outcome = perch("run", file.toString());
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err().lines()).hasSize(1);
        assertThat(outcome.err()).contains("broken YAML").contains(file + ":4");
    }

    @Test
    void reportsAFailureInOneLineAndWhereOnlyOnRequest() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
        Surroundings broken = new Surroundings(() -> HOME, TestStore.FOLDER, stream, stream, false, spec -> {
            throw new IllegalStateException("the clock\nran backwards");
        });
        assertThat(Main.run(broken, "run", "westmere-one-pair")).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo("perch: failed: IllegalStateException: the clock ran backwards; --debug shows where\n");
        err.reset();
        assertThat(Main.run(broken, "run", "westmere-one-pair", "--debug")).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("\tat dev.perch.");
    }

    @Test
    void showsProgressOnATerminalOnly() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
        Surroundings terminal = new Surroundings(
                () -> HOME,
                TestStore.FOLDER,
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                stream,
                true,
                spec -> {
                    try {
                        Thread.sleep(20);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    return formula(spec);
                });
        assertThat(Main.run(terminal, "run", "westmere-one-pair", "--threads", "1", "--no-store"))
                .isZero();
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains(" of 100 runs")
                .endsWith("\r\033[K");
    }
}
