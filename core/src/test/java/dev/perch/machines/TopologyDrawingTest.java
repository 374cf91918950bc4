package dev.perch.machines;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TopologyDrawingTest {
    private static final Path HOME = Path.of(System.getProperty("perch.home"));

    private static List<String> draw(String name) {
        return TopologyDrawing.draw(Machines.find(name, HOME)).lines().toList();
    }

    @Test
    void drawsTheCoresOfASmallMachineEach() {
        assertThat(draw("e5620"))
                .containsSequence(
                        "  node 0 = package 0 = LLC 0          CPUs 0-7",
                        "  ├─ core 0                           CPUs 0,4",
                        "  ├─ core 1                           CPUs 1,5",
                        "  ├─ core 2                           CPUs 2,6",
                        "  └─ core 3                           CPUs 3,7");
    }

    @Test
    void putsTheSetsOfALargeMachineOnOneLine() {
        assertThat(draw("kunpeng-920"))
                .containsSequence(
                        "  package 0                           CPUs 0-63",
                        "  ├─ node 0 = LLC 0                   CPUs 0-31",
                        "  │  └─ clusters 0-7                  CPUs 0-31: 4 cores with one thread each, 0-3 … 28-31",
                        "  └─ node 1 = LLC 1                   CPUs 32-63",
                        "     └─ clusters 8-15                 CPUs 32-63: 4 cores with one thread each, 32-35 … 60-63");
        assertThat(draw("nehalem-ex-8s"))
                .contains(
                        "  node 7 = package 7 = LLC 7          CPUs 56-63,120-127: 8 cores with 2 threads, 56,120 … 63,127");
    }

    @Test
    void showsDistancesCostsStatesAndClocks() {
        assertThat(draw("kunpeng-920"))
                .containsSequence(
                        "  node   0   1   2   3",
                        "  0     10  12  20  22",
                        "  1     12  10  22  24",
                        "  2     20  22  10  12",
                        "  3     22  24  12  10");
        assertThat(String.join("\n", draw("e5620")))
                .containsPattern("\n  ipi-delivery +- +600 +- +assumed \\[[0-9]+]\n")
                .containsPattern("\n  llc +37.2 +0.0 +CPU 0 to 1 +\\[[0-9]+]\n")
                .containsPattern("\n  C6 +200 +800 +40000 +no ")
                .contains("\n  P-states, MHz  1596 1729 1862 1995 2128 2261 2394\n")
                .contains(
                        "\n  turbo, MHz     2666 2533 2533 2533 with 1, 2, … active cores, requested as 2395000 kHz\n")
                .contains("sibling executes 0.6 ", "sibling polls 1 ")
                .contains("one clock for each package");
    }

    @Test
    void everyFootnoteThatIsCitedIsThere() {
        for (String name : ShippedMachinesTest.names().toList()) {
            List<String> lines = draw(name);
            int notes = lines.indexOf("Where the numbers come from");
            String above = String.join("\n", lines.subList(0, notes));
            var cited = java.util.regex.Pattern.compile("\\[[0-9]+]").matcher(above);
            while (cited.find()) {
                String mark = cited.group();
                assertThat(lines.subList(notes, lines.size())).anyMatch(line -> line.startsWith("  " + mark + " "));
            }
        }
    }

    static List<String> machines() {
        return ShippedMachinesTest.names().toList();
    }

    @ParameterizedTest
    @MethodSource("machines")
    void fitsAHundredAndTwentyColumns(String name) {
        assertThat(draw(name)).allMatch(line -> line.length() <= 120).noneMatch(line -> line.endsWith(" "));
    }
}
