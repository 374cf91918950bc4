package dev.perch.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.cli.CommandLineTest.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code perch decide} as a user types it. Expected CPUs: placement.md 14.1. */
class DecideCommandTest {
    private static Outcome decide(String arguments) {
        return CommandLineTest.perch(("decide " + arguments).split(" +"));
    }

    /** X02: waker and wakee on CPU 3, all else idle. */
    @Test
    void printsTheChoiceOfEachKernelWithItsSteps() {
        Outcome outcome = decide(
                "--machine e5620 --busy 3 --this 3 --prev 3 --sync --kernel v3.2-rc1 --kernel v3.2 --kernel v3.6-rc1");
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out())
                .contains(
                        "v3.2-rc1: CPU 7", "v3.2: CPU 0", "v3.6-rc1: CPU 2", "idle (CPU 7): yes", "wholly idle group");
    }

    @Test
    void printsJson() {
        Outcome outcome = decide("--machine e5620 --busy 3 --this 3 --kernel v3.2-rc1 --json");
        assertThat(outcome.json().get("schema").asInt()).isEqualTo(1);
        assertThat(outcome.json().get("decisions").get(0).get("cpu").asInt()).isEqualTo(7);
    }

    /** X44: two run on the waker's CPU, so a sync wakeup pulls nothing and the idle prev is taken. */
    @Test
    void takesTasksBesideTheWakerIntoAccount() {
        assertThat(decide("--machine e5620 --running 3=2 --this 3 --prev 1 --sync --kernel v3.2-rc1")
                        .out())
                .contains("v3.2-rc1: CPU 1");
    }

    /** X39: a pinned task is placed by the kernel's fallback where its rules choose a CPU that it may not use. */
    @Test
    void repairsAChoiceThatTheAffinityForbids() {
        assertThat(decide("--machine e5620 --busy 3 --this 3 --prev 3 --sync --taskset 5 --kernel v3.2")
                        .out())
                .contains("v3.2: CPU 5", "fallback to an allowed CPU (CPU 5): yes");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--machine e5620 --kernel v3.2 | name at least --machine, --kernel and --this",
                "--machine e5620 --kernel v3.2 --this 9 | --this names CPU 9, but the machine has only CPUs 0-7",
                "--machine e5620 --kernel v3.2 --this x | --this cannot be 'x'; write a number",
                "--machine e5620 --kernel v3.2 --this 3 --busy 77 | --busy names CPU 77",
                "--machine e5620 --kernel v3.2 --this 3 --sched-idle 4 | --sched-idle names CPU 4, which runs nothing",
                "--machine e5620 --kernel v3.2 --this 3 --event wke | --event cannot be 'wke'; did you mean 'wake'",
                "--machine e5620 --kernel v3.2 --this 3 --flips 3 | --flips cannot be '3'",
                "--machine e5620 --kernel v3.2 --this 3 --has-idle-cores maybe | --has-idle-cores cannot be 'maybe'",
                "--machine e5620 --kernel v3.2 --this 3 --sis-prop-nr 2 | --sis-prop-nr cannot be 2",
                "--machine e5620 --kernel v3.2 --this 3 --machines x.json | --machines goes with --batch",
                "--batch x.csv | --batch needs --machines",
                "--batch x.csv --machines y.json --this 3 | --batch takes machines, kernels and states from the table",
            })
    void saysInOneLineWhatIsWrong(String arguments, String problem) {
        Outcome outcome = decide(arguments);
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).contains(problem);
        assertThat(outcome.err().lines()).hasSize(1);
    }

    @Test
    void answersATable(@TempDir Path folder) throws IOException {
        Path table = Files.writeString(
                folder.resolve("t.csv"), "era,machine,busy,allowed,this,prev,target\n2.6.39,two,0,all,0,0,0\n");
        Path machines = Files.writeString(
                folder.resolve("m.json"),
                "{\"two\": {\"cpus\": 2, \"smt\": [[0], [1]], \"llc\": [[0, 1]], \"node\": [[0, 1]]}}");
        Outcome outcome = decide("--batch " + table + " --machines " + machines);
        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.out().lines())
                .containsExactly("era,machine,busy,allowed,this,prev,target,perch", "2.6.39,two,0,all,0,0,0,1");
    }
}
