package dev.perch.host.probe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the kernel says of idle states and clocks, in folders as sysfs has them. */
class FactsTest {
    @TempDir
    private Path cpu;

    private void write(String file, String text) throws IOException {
        Path path = cpu.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text + "\n");
    }

    private void state(int number, String name, int latency, int residency, int disable) throws IOException {
        String folder = "cpuidle/state" + number + '/';
        write(folder + "name", name);
        write(folder + "latency", Integer.toString(latency));
        write(folder + "residency", Integer.toString(residency));
        write(folder + "disable", Integer.toString(disable));
    }

    @Test
    void idleStatesAreThoseOfTheDriverWithoutPollingAndWithoutThoseSwitchedOff() throws IOException {
        state(0, "POLL", 0, 0, 0);
        state(1, "C1", 2, 2, 0);
        state(2, "C1E", 10, 20, 1);
        state(3, "C6", 133, 600, 0);
        assertThat(IdleStateFacts.read(cpu))
                .containsExactly(new IdleStateFacts("C1", 2, 2), new IdleStateFacts("C6", 133, 600));
    }

    @Test
    void elevenStatesComeInTheOrderOfTheirNumbers() throws IOException {
        for (int i = 0; i < 11; i++) {
            state(i, "S" + i, i, i, 0);
        }
        assertThat(IdleStateFacts.read(cpu))
                .extracting(IdleStateFacts::exitUs)
                .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    }

    @Test
    void withoutADriverThereAreNoStatesAndNoClocks() {
        assertThat(IdleStateFacts.read(cpu)).isEmpty();
        assertThat(ClockFacts.read(cpu)).isEmpty();
    }

    @Test
    void clocksAreThoseOfTheDriverInAscendingOrder() throws IOException {
        write("cpufreq/cpuinfo_min_freq", "1600000");
        write("cpufreq/cpuinfo_max_freq", "2395000");
        write("cpufreq/scaling_governor", "ondemand");
        write("cpufreq/scaling_driver", "acpi-cpufreq");
        // as acpi-cpufreq writes it, with a blank at its end
        write("cpufreq/scaling_available_frequencies", "2395000 2394000 1867000 1600000 ");
        assertThat(ClockFacts.read(cpu))
                .contains(new ClockFacts(
                        1_600_000,
                        2_395_000,
                        "ondemand",
                        "acpi-cpufreq",
                        List.of(1_600_000, 1_867_000, 2_394_000, 2_395_000)));
    }

    @Test
    void aDriverWithoutATableHasNone() throws IOException {
        write("cpufreq/cpuinfo_min_freq", "400000");
        write("cpufreq/cpuinfo_max_freq", "5100000");
        write("cpufreq/scaling_governor", "powersave");
        write("cpufreq/scaling_driver", "intel_pstate");
        assertThat(ClockFacts.read(cpu))
                .contains(new ClockFacts(400_000, 5_100_000, "powersave", "intel_pstate", List.of()));
    }

    @Test
    void thePresentClockIsThatOfThePolicyOrOfCpuinfo() throws IOException {
        Path info = cpu.resolve("cpuinfo");
        write("cpuinfo", """
                processor\t: 0
                model name\t: some
                cpu MHz\t\t: 2096.000

                processor\t: 1
                model name\t: some
                cpu MHz\t\t: 3400.125

                processor\t: 10
                model name\t: without a clock

                processor\t: 11
                cpu MHz\t\t: 1000.000""");
        assertThat(ClockFacts.current(cpu, info, 0)).hasValue(2_096_000);
        assertThat(ClockFacts.current(cpu, info, 1)).hasValue(3_400_125);
        assertThat(ClockFacts.current(cpu, info, 10)).isEmpty();
        assertThat(ClockFacts.current(cpu, info, 11)).hasValue(1_000_000);
        assertThat(ClockFacts.current(cpu, info, 12)).isEmpty();
        write("cpufreq/scaling_cur_freq", "1234567");
        assertThat(ClockFacts.current(cpu, info, 0)).hasValue(1_234_567);
    }
}
