package dev.perch.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.sim.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code perch run} with workloads from files, really simulated. */
class WorkloadFileCommandTest {
    private static final Path HOME = Path.of(System.getProperty("perch.home"));

    @TempDir
    private Path folder;

    private static CommandLineTest.Outcome perch(String... args) {
        return CommandLineTest.perch(TestStore.FOLDER, Simulation::run, args);
    }

    private static CommandLineTest.Outcome run(String workload, String... more) {
        String[] args = {"run", "--workload", workload, "--machine", "q6600", "--kernel", "v3.9", "--repeats", "1"};
        String[] all = java.util.Arrays.copyOf(args, args.length + more.length);
        System.arraycopy(more, 0, all, args.length, more.length);
        return perch(all);
    }

    /** An example in a folder whose name has none of the characters that an expression keeps for itself. */
    private String example(String name) throws IOException {
        return Files.copy(HOME.resolve("examples").resolve(name), folder.resolve(name))
                .toString();
    }

    @ParameterizedTest
    @CsvSource({"request-reply.yaml, requests/s", "pipeline.yaml, us", "audio.json, activations/s"})
    void runsTheExamples(String name, String metric) throws IOException {
        CommandLineTest.Outcome outcome = run(example(name), "--duration", "50ms", "--warmup", "10ms");
        assertThat(outcome.err()).startsWith("stored as ");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out()).contains("values: " + metric, name);
    }

    @Test
    void runsAFileBesideAnotherWorkload() throws IOException {
        CommandLineTest.Outcome outcome = run(example("audio.json") + "*2+hog", "--duration", "50ms");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out()).contains("mean of the instances of a run");
    }

    @Test
    void runsAsLongAsTheFileSaysUnlessToldOtherwise() throws IOException {
        Path file = Files.writeString(
                folder.resolve("short.json"),
                "{ \"tasks\" : { \"t\" : { \"run\" : 100, \"sleep\" : 900 } }, \"global\" : { \"duration\" : 3 } }");
        JsonNode asSaid =
                JsonMapper.shared().readTree(run(file.toString(), "--json").out());
        assertThat(asSaid.get("durationNs").asLong()).isEqualTo(3_000_000_000L);
        assertThat(asSaid.get("warmupNs").asLong()).isZero();
        JsonNode asTold = JsonMapper.shared()
                .readTree(run(file.toString(), "--json", "--duration", "10ms").out());
        assertThat(asTold.get("durationNs").asLong()).isEqualTo(10_000_000L);
        assertThat(asTold.get("warmupNs").asLong()).isEqualTo(300_000_000L);
    }

    @Test
    void anExperimentNamesAFileBesideItself() throws IOException {
        example("audio.json");
        Path experiment = Files.writeString(folder.resolve("mine.yaml"), """
                name: mine
                title: mine
                repeats: 1
                duration: 50 ms
                machines: [q6600]
                kernels: [v3.2, v3.9]
                workloads: [./audio.json]
                """);
        CommandLineTest.Outcome outcome = perch("run", experiment.toString());
        assertThat(outcome.err()).startsWith("stored as ");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out()).contains("activations/s");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "broken.json | { \"tasks\" : { \"t\" : { \"run\" : 1, \"util_max\" : 5 } } } | rt-app key 'util_max' of task 't' is not supported",
                "broken.json | { \"tasks\" : { \"t\" : { \"run\" : 1, \"cpus\" : [4] } } } | task 't' is bound to CPUs 4, but the workload may run on 0-3",
                "broken.yaml | title: x | missing key 'tasks'",
                "broken.yaml | {title: x, tasks: {t: {phases: [{slep: 1 ms}, count]}}} | unknown phase 'slep' of task 't'",
            })
    void refusesInOneLine(String name, String text, String message) throws IOException {
        Path file = Files.writeString(folder.resolve(name), text);
        CommandLineTest.Outcome outcome = run(file.toString());
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).contains(message, name);
        assertThat(outcome.err().lines()).hasSize(1);
    }

    @Test
    void refusesAFileThatIsNotThere() {
        CommandLineTest.Outcome outcome = run("./nowhere.json");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains("there is no workload file ./nowhere.json");
    }
}
