package dev.perch.machines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.model.HardwareModel;
import dev.perch.model.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How fast CPUs are beside each other: the section {@code speeds}, and what stands in for it. */
class SpeedSectionTest {
    private static final Path HOME = Path.of(System.getProperty("perch.home", ".."));

    @TempDir
    private Path folder;

    private HardwareModel edited(String from, String to) throws IOException {
        String hybrid = Files.readString(HOME.resolve("machines").resolve("alder-lake-12900k.yaml"));
        assertThat(hybrid).contains(from);
        Path file = Files.writeString(folder.resolve("hybrid.yaml"), hybrid.replace(from, to));
        return Machines.find(file.toString(), HOME).requireModel();
    }

    @Test
    void theSlowerCpusOfAHybridAreSlower() {
        HardwareModel hybrid = Machines.find("alder-lake-12900k", HOME).requireModel();
        assertThat(hybrid.speedMille(0)).isEqualTo(1000);
        assertThat(hybrid.speedMille(23)).isEqualTo(635);
    }

    /** The RK3588's device tree gives its small CPUs 530 of 1024. */
    @Test
    void withoutTheSectionCapacitiesSayHowFastCpusAre() {
        HardwareModel littleAndBig = Machines.find("rk3588", HOME).requireModel();
        assertThat(littleAndBig.speedMille(0)).isEqualTo(518);
        assertThat(littleAndBig.speedMille(7)).isEqualTo(1000);
        assertThat(Machines.find("e5620", HOME).requireModel().speedMille(7)).isEqualTo(1000);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{cpus: 16-23, speed: 0.635} | {cpus: 16-24, speed: 0.635} | but the machine has CPUs 0-23",
                "{cpus: 16-23, speed: 0.635} | {cpus: 16-23, speed: 1.5} | must be from 0.001 to 1",
                "{cpus: 16-23, speed: 0.635} | {cpus: 0-23, speed: 0.635} | no CPU has speed 1",
                "{cpus: 16-23, speed: 0.635} | {cpus: 16-23} | speed",
            })
    void saysInWhichLineASpeedMakesNoSense(String from, String to, String problem) {
        assertThatThrownBy(() -> edited(from, to))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("hybrid.yaml:")
                .hasMessageContaining(problem);
    }
}
