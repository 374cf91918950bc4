package dev.perch.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.sim.Simulation;
import dev.perch.sim.check.Invariant;
import dev.perch.sim.check.InvariantViolation;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** {@code perch run --check}. */
class CheckOptionTest {
    private static final String RUN =
            "run --workload pipe*2+hog --machine q6600 --kernel v6.12 --repeats 2 --duration 5ms "
                    + "--warmup 0 --threads 1 --no-store";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private int simulatedUnchecked;

    private int perch(String line) {
        Surroundings surroundings = new Surroundings(
                () -> Path.of(System.getProperty("perch.home")),
                TestStore.FOLDER,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                false,
                spec -> {
                    simulatedUnchecked++;
                    return Simulation.run(spec);
                });
        return Main.run(surroundings, line.split(" "));
    }

    @Test
    void aCheckedRunHasTheSameResults() {
        assertThat(perch(RUN)).isZero();
        String unchecked = out.toString(StandardCharsets.UTF_8);
        assertThat(simulatedUnchecked).isEqualTo(2);
        out.reset();

        assertThat(perch(RUN + " --check")).isZero();
        assertThat(simulatedUnchecked).as("no more runs without checks").isEqualTo(2);
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(unchecked);
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void aBrokenInvariantIsOneLineAndExitCodeOne() {
        InvariantViolation violation = new InvariantViolation(
                Invariant.AFFINITY, "'a task is only where it may run' is broken at 5 ns on CPU 0: it is queued");

        int exitCode = Failure.report(violation, false, new PrintStream(err, true, StandardCharsets.UTF_8));

        assertThat(exitCode).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "perch: failed: InvariantViolation: 'a task is only where it may run' is broken at 5 ns on "
                                + "CPU 0: it is queued; --debug shows where");
    }
}
