package dev.perch.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.perch.host.HostSystem;
import dev.perch.host.linux.ThisThread;
import dev.perch.machines.Machines;
import dev.perch.model.CpuMask;
import dev.perch.model.Machine;
import dev.perch.model.Origin;
import dev.perch.sim.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The machine that runs the tests, as a machine file. */
@EnabledOnOs(OS.LINUX)
class CalibrateCommandTest {
    private static final Path HOME = Path.of(System.getProperty("perch.home"));

    @TempDir
    private Path folder;

    private CommandLineTest.Outcome perch(String... args) {
        return CommandLineTest.perch(folder.resolve("runs"), Simulation::run, args);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ''                                   | name a file to write, as in -o my.yaml, or give --check
                    -o my.yaml --machine e5620           | --machine checks a file and -o writes one; leave one out
                    --check --machine e5620 --fill-from q6600 | --fill-from is for a machine that is measured, and --machine names one that was; leave one out
                    -o my.yaml --repeats 3               | --repeats is of --check; give that too
                    -o my.txt                            | -o: a machine file ends in .yaml; my.txt does not
                    -o /nowhere/at/all/my.yaml           | -o: there is no folder /nowhere/at/all
                    --check --machine host               | machine 'host' (/sys/devices/system) has a topology but no costs
                    --check --kernel v99.1               | kernel v99.1 is not modelled yet
                    --check --duration soon              | --duration
                    --check --repeats 0                  | --repeats
                    """)
    void wrongUseIsRefusedBeforeAnythingIsMeasured(String options, String message) {
        CommandLineTest.Outcome outcome =
                perch(Stream.of(("calibrate " + options).strip().split("\\s+")).toArray(String[]::new));
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).startsWith("perch: ").contains(message).hasLineCount(1);
        assertThat(outcome.out()).isEmpty();
    }

    @Test
    void aFileThatIsThereIsNotReplaced() throws IOException {
        Path file = Files.writeString(folder.resolve("my.yaml"), "title: mine\n");
        CommandLineTest.Outcome outcome = perch("calibrate", "-o", file.toString());
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains("is there already; name another file, or remove it");
        assertThat(file).hasContent("title: mine");
    }

    @Test
    void aMachineOfAnotherSizeIsNotThisOne() {
        assumeTrue(Machines.find(HostSystem.NAME, HOME).topology().cpuCount() != 128);
        CommandLineTest.Outcome outcome = perch("calibrate", "--check", "--machine", "kunpeng-920");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains("kunpeng-920 has 128 CPUs and this machine ");
    }

    @Tag("slow")
    @Test
    void theFileSaysWhereEachNumberComesFromAndCanBeSimulatedAndChecked() throws IOException {
        Path file = folder.resolve("my.yaml");
        CpuMask before = ThisThread.affinity();
        CommandLineTest.Outcome outcome =
                perch("calibrate", "-o", file.toString(), "--check", "--repeats", "1", "--duration", "20ms", "--json");
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(ThisThread.affinity()).isEqualTo(before);
        assertThat(folder).isDirectoryContaining("glob:**my.yaml").isDirectoryNotContaining("glob:**.part");

        Machine machine = Machines.find(file.toString(), HOME);
        assertThat(machine.topology().cpuCount())
                .isEqualTo(Machines.find(HostSystem.NAME, HOME).topology().cpuCount());
        assertThat(machine.origins())
                .hasEntrySatisfying(
                        "costs.switch-thread",
                        origin -> assertThat(origin.kind()).isEqualTo(Origin.Kind.MEASURED));
        assertThat(machine.origins().values()).extracting(Origin::kind).doesNotContain(Origin.Kind.PUBLISHED);

        JsonNode document = JsonMapper.shared().readTree(outcome.out());
        JsonNode rows = document.get("check");
        assertThat(Stream.iterate(0, i -> i < rows.size(), i -> i + 1)
                        .map(rows::get)
                        .filter(row -> row.get("pin").isNull())
                        .map(row -> row.get("workload").asString() + " "
                                + row.get("role").asString()))
                .containsExactly("pipe prediction", "socketpair prediction", "tcp-rr prediction");
        assertThat(document.get("readings").size()).isGreaterThan(10);
        assertThat(document.get("hops").get(0).get("median").asDouble()).isPositive();

        CommandLineTest.Outcome run = perch(
                "run",
                "--machine",
                file.toString(),
                "--kernel",
                "v6.12",
                "--workload",
                "pipe",
                "--repeats",
                "1",
                "--duration",
                "50ms",
                "--no-store");
        assertThat(run.exitCode()).as(run.err()).isZero();
    }

    @Tag("slow")
    @Test
    void aProcessThatMayUseOneCpuOnlySaysSo() throws InterruptedException, IOException {
        // the affinity of this thread is what threads that it starts have
        CpuMask before = ThisThread.affinity();
        ThisThread.setAffinity(CpuMask.of(before.last()));
        try {
            Path file = folder.resolve("one.yaml");
            CommandLineTest.Outcome outcome = perch("calibrate", "-o", file.toString());
            assertThat(outcome.exitCode()).as(outcome.err()).isZero();
            assertThat(outcome.out())
                    .contains("note: this process may run on one CPU only, so nothing between CPUs was measured");
            assertThat(Files.readString(file)).doesNotContain("bound to 1/0");
        } finally {
            ThisThread.setAffinity(before);
        }
    }
}
