package dev.perch.host.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.perch.host.HostSystem;
import dev.perch.host.Noise;
import dev.perch.host.linux.CpuTime;
import dev.perch.host.linux.TaskUse;
import dev.perch.machines.Machines;
import dev.perch.model.CpuMask;
import dev.perch.model.Distance;
import dev.perch.model.InputException;
import dev.perch.model.Topology;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The parts of a benchmark on the host that measure nothing: places, times of CPUs, names. */
class BenchPartsTest {
    private static final Topology E5620 =
            Machines.find("e5620", Path.of(System.getProperty("perch.home"))).topology();

    private static HostSystem host(String cpus, Optional<Topology> topology) {
        return new HostSystem("a machine", "6.18.0", CpuMask.parse(cpus), topology, "");
    }

    @Test
    void everyPairBeginsWithOneForEachDistanceFromNearToFar() {
        List<Placement> pairs = Placement.everyPair(host("0-7", Optional.of(E5620)));
        assertThat(pairs).hasSize(8 * 9 / 2).doesNotHaveDuplicates();
        List<Distance> distances =
                pairs.stream().map(pair -> pair.distance().orElseThrow()).toList();
        int classes = (int) distances.stream().distinct().count();
        assertThat(classes).isGreaterThan(2);
        assertThat(distances.subList(0, classes)).isSorted().doesNotHaveDuplicates();
        assertThat(pairs.getFirst().text()).isEqualTo("0/0");
        assertThat(pairs.getLast().text()).isEqualTo("7/7");
    }

    @Test
    void oneCpuHasOnePair() {
        assertThat(Placement.everyPair(host("5", Optional.of(E5620))))
                .extracting(Placement::text)
                .containsExactly("5/5");
    }

    @Test
    void withoutATopologyPairsComeByNumber() {
        assertThat(Placement.everyPair(host("1,3", Optional.empty())))
                .extracting(Placement::text)
                .containsExactly("1/1", "1/3", "3/3");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    3     | --pin cannot be '3'; write the CPUs of the two ends, as in 0/1 or 0/0
                    3/    | --pin cannot be '3/'; write the CPUs of the two ends, as in 0/1 or 0/0
                    1-2/3 | --pin: '1-2' is not one CPU; write one for each end, as in 0/1
                    1/7   | --pin: this process may not run on CPU 7, only on 0-3 (the machine's CPUs, a container's cpuset, taskset)
                    """)
    void aPlaceThatIsNoneIsRefusedInOneLine(String pin, String message) {
        assertThatThrownBy(() -> Placement.parse("--pin", pin, host("0-3", Optional.of(E5620))))
                .isInstanceOf(InputException.class)
                .hasMessage(message);
    }

    /** Columns by proc(5): user, nice, system, idle, iowait, irq, softirq, steal, guest, guest_nice. */
    @Test
    void timesOfCpusAreThoseOfTheirLines() {
        List<String> stat = List.of(
                "cpu  111 222 333 444 555 666 777 888 9 9",
                "cpu0 10 20 30 400 50 6 7 8 3 2",
                "cpu1 1 2 3 4 5 6 7 8 0 0",
                "cpu10 1000 0 0 0 0 0 0 0 0 0",
                "intr 1 2 3");
        assertThat(CpuTime.of(stat, CpuMask.of(0))).isEqualTo(new CpuTime(73, 8, 531));
        assertThat(CpuTime.of(stat, CpuMask.of(0, 1))).isEqualTo(new CpuTime(92, 16, 567));
        assertThat(CpuTime.of(List.of(), CpuMask.of(0)).all()).isZero();
    }

    @Test
    void othersHaveWhatTheBenchmarkHasNot() {
        CpuTime before = new CpuTime(100, 0, 1000);
        CpuTime after = new CpuTime(180, 5, 1100);
        Noise noise = Noise.between(before, after, 500_000_000).orElseThrow();
        assertThat(noise.steal()).isCloseTo(0.05, within(1e-9));
        assertThat(noise.others()).isCloseTo(0.30, within(1e-9));
        assertThat(Noise.between(before, before, 0)).isEmpty();
    }

    @Test
    void noiseIsToldWithItsNumbers() {
        assertThat(Noise.warning(Optional.of(new Noise(0.001, 0.01)), 0.02)).isEmpty();
        assertThat(Noise.warning(Optional.empty(), 0.02)).isEmpty();
        assertThat(Noise.warning(Optional.of(new Noise(0.035, 0.4)), 0.25))
                .isEqualTo("3.5 % of CPU time was stolen (more than 1 %), 40 % went to other tasks (more than 5 %),"
                        + " repeats spread over 25 % of their mean (more than 10 %)");
    }

    @Test
    void workloadsAreNamedAsSimulatedOnes() {
        Placement pinned = Placement.parse("--pin", "3/0", host("0-3", Optional.of(E5620)));
        assertThat(plan(Benchmark.TCP_RR).workload(Placement.FREE)).isEqualTo("tcp-rr");
        assertThat(plan(Benchmark.PIPE).workload(pinned)).isEqualTo("pipe:pin=3/0");
        assertThat(plan(Benchmark.MESSAGING).workload(Placement.FREE)).isEqualTo("messaging:groups=2");
        assertThat(plan(Benchmark.MESSAGING, true).workload(Placement.FREE))
                .isEqualTo("messaging:groups=2,tasks=threads");
    }

    private static BenchPlan plan(Benchmark benchmark) {
        return plan(benchmark, false);
    }

    private static BenchPlan plan(Benchmark benchmark, boolean threads) {
        return new BenchPlan(benchmark, threads, List.of(Placement.FREE), 1, 0, 1, 2, 100, false);
    }

    @Test
    void aKernelThatDoesNotCountMigrationsSaysSo(@TempDir Path folder) {
        assertThat(TaskUse.migrations(folder.resolve("sched"))).isEqualTo(-1);
        BenchRow row =
                new BenchRow(Placement.FREE, List.of(new BenchRow.Repeat(2.5, 1000, 2000, 0, -1, Optional.empty())));
        BenchResult result = new BenchResult(plan(Benchmark.PIPE), host("0-3", Optional.of(E5620)), List.of(row));
        assertThat(result.notes())
                .containsExactly("this kernel does not count migrations (no /proc/thread-self/sched)");
        assertThat(result.series(row))
                .extracting(series -> series.metric().name())
                .containsExactly("time", "voluntary switches", "involuntary switches");
        assertThat(row.switchesPerOperation()).isEqualTo(2);
    }
}
