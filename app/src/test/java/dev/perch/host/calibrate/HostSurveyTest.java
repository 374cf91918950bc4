package dev.perch.host.calibrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.host.calibrate.HostReadings.Pair;
import dev.perch.machines.Machines;
import dev.perch.model.CpuMask;
import dev.perch.model.Machine;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostSurveyTest {
    private static final Path HOME = Path.of(System.getProperty("perch.home"));

    @Test
    void thereIsOnePairForEachDistanceFromNearToFar() {
        // siblings are 3 and 7 (spec scheduler.md 8.3)
        Machine e5620 = Machines.find("e5620", HOME);
        assertThat(texts(HostSurvey.pairsOf(e5620.topology(), e5620.topology().cpus(), 7)))
                .containsExactly("7/3 smt", "7/0 llc");
    }

    @Test
    void nodesThatAreFartherApartHaveAPairOfTheirOwn() {
        // four nodes at 10 12 20 22, clusters of four (spec scheduler.md 8.3)
        Machine kunpeng = Machines.find("kunpeng-920", HOME);
        List<Pair> pairs =
                HostSurvey.pairsOf(kunpeng.topology(), kunpeng.topology().cpus(), 127);
        assertThat(pairs)
                .extracting(pair -> pair.distance().word())
                .startsWith("cluster", "llc")
                .endsWith("remote");
        assertThat(pairs.stream().filter(pair -> pair.distance().word().equals("remote")))
                .extracting(Pair::nodeDistance)
                .containsExactly(12, 22, 24);
    }

    @Test
    void onlyCpusThatMayBeUsedAreTaken() {
        Machine e5620 = Machines.find("e5620", HOME);
        assertThat(texts(HostSurvey.pairsOf(e5620.topology(), CpuMask.parse("2,7"), 7)))
                .containsExactly("7/2 llc");
        assertThat(HostSurvey.pairsOf(e5620.topology(), CpuMask.of(7), 7)).isEmpty();
    }

    @Test
    void whatTakesOneCpuIsMeasuredOnAFastOne() {
        // CPUs 0-15 are the threads of the large cores (spec scheduler.md 8.4)
        Machine hybrid = Machines.find("alder-lake-12900k", HOME);
        Machine rk3588 = Machines.find("rk3588", HOME);
        assertThat(HostSurvey.cpuOf(rk3588.topology(), rk3588.topology().cpus()))
                .isEqualTo(7);
        assertThat(HostSurvey.cpuOf(rk3588.topology(), CpuMask.parse("0-2"))).isEqualTo(2);
        assertThat(hybrid.topology()
                        .capacity(HostSurvey.cpuOf(
                                hybrid.topology(), hybrid.topology().cpus())))
                .isEqualTo(1024);
    }

    private static List<String> texts(List<Pair> pairs) {
        return pairs.stream()
                .map(pair -> pair.text() + " " + pair.distance().word())
                .toList();
    }
}
