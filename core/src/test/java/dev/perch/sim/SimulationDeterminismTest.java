package dev.perch.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationDeterminismTest {
    private static SimulationSpec spec() {
        return Specs.spec("e5620", "v3.2-rc1+mikie", "tcp-rr*3+hog*2", Settings.DEFAULT, "1-3,5-7");
    }

    @Test
    void theSameSeedGivesTheSameEventsAndResults() {
        SimulationResult first = Simulation.run(spec());
        SimulationResult second = Simulation.run(spec());

        assertThat(second.digest()).isEqualTo(first.digest());
        assertThat(second.events()).isEqualTo(first.events());
        assertThat(second.instances()).isEqualTo(first.instances());
    }

    @Test
    void anotherSeedGivesOtherEvents() {
        assertThat(Simulation.run(Specs.seeded(spec(), 2)).digest())
                .isNotEqualTo(Simulation.run(spec()).digest());
    }

    @Test
    void runsBesideEachOtherDoNotDisturbEachOther() {
        long alone = Simulation.run(spec()).digest();
        List<Long> together = IntStream.range(0, 8)
                .parallel()
                .mapToObj(i -> Simulation.run(spec()).digest())
                .toList();

        assertThat(together).containsOnly(alone);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseSerialGC", "-XX:+UseParallelGC", "-XX:+UseG1GC", "-Xint"})
    void theVirtualMachineDoesNotMatter(String option) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        option,
                        "-Xmx256m",
                        "-Dperch.home=" + Specs.HOME,
                        "-cp",
                        System.getProperty("java.class.path"),
                        PrintDigest.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).isZero();
        assertThat(output.strip())
                .isEqualTo(Long.toString(Simulation.run(shortSpec()).digest()));
    }

    private static SimulationSpec shortSpec() {
        return Specs.lasting(spec(), 30_000_000);
    }

    /** Prints the digest of the same run, in a virtual machine of its own. */
    static final class PrintDigest {
        private PrintDigest() {}

        public static void main(String[] arguments) {
            System.out.println(Simulation.run(shortSpec()).digest());
        }
    }
}
