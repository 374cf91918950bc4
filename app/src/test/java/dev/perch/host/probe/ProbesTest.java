package dev.perch.host.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.host.bench.StoppedException;
import dev.perch.host.linux.ThisThread;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bounds are those of any machine under any load; what probes measure on a quiet one, ProbesBesidePerfTest sets beside another tool. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class ProbesTest {
    private static final double SECOND = 1e9;

    private final CpuMask cpus = ThisThread.affinity();
    private final int first = cpus.first();
    private final int last = cpus.last();
    private final long children = children();

    private static long children() {
        return ProcessHandle.current().children().filter(ProcessHandle::isAlive).count();
    }

    /** Whatever a probe did, its threads are gone, its process too, and nobody is pinned who was not. */
    @AfterEach
    void nothingIsLeftBehind() throws InterruptedException {
        assertThat(ThisThread.affinity()).isEqualTo(cpus);
        for (int i = 0; i < 100 && probeThreads() > 0; i++) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
        assertThat(probeThreads()).isZero();
        assertThat(children()).isEqualTo(children);
    }

    private static long probeThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("probe"))
                .count();
    }

    private void requireTwoCpus() {
        Assumptions.assumeTrue(first != last, "needs two CPUs");
    }

    private static void isTime(Reading reading) {
        assertThat(reading.values()).isPositive();
        assertThat(reading.median()).isBetween(0.1, SECOND);
        assertThat(reading.lowerQuartile()).isLessThanOrEqualTo(reading.median());
        assertThat(reading.upperQuartile()).isGreaterThanOrEqualTo(reading.median());
    }

    static Stream<Named<Function<Integer, Function<Probes, Reading>>>> callsOfOneThread() {
        return Stream.of(
                Named.of("systemCall", cpu -> probes -> probes.systemCall(cpu)),
                Named.of("pipeWrite", cpu -> probes -> probes.pipeWrite(cpu)),
                Named.of("pipeRead", cpu -> probes -> probes.pipeRead(cpu)),
                Named.of("socketSend", cpu -> probes -> probes.socketSend(cpu)),
                Named.of("socketReceive", cpu -> probes -> probes.socketReceive(cpu)),
                Named.of("tcpSend", cpu -> probes -> probes.tcpSend(cpu)),
                Named.of("tcpReceive", cpu -> probes -> probes.tcpReceive(cpu)),
                Named.of("futexWake", cpu -> probes -> probes.futexWake(cpu)),
                Named.of("yield", cpu -> probes -> probes.yield(cpu)),
                Named.of("wakeLatencySameCpu", cpu -> probes -> probes.wakeLatencySameCpu(cpu)));
    }

    @ParameterizedTest
    @MethodSource("callsOfOneThread")
    void callsTakeTime(Function<Integer, Function<Probes, Reading>> probe) {
        Probes probes = new Probes(() -> false);
        isTime(probe.apply(last).apply(probes));
    }

    @Test
    void tasksThatYieldSwitchWhetherThreadsOrProcesses() {
        Probes probes = new Probes(() -> false);
        // a busy machine may lengthen the lone yield more than those of the pair, so that a difference proves
        // nothing
        assertThat(probes.switchThread(last).values()).isPositive();
        assertThat(probes.switchProcess(last).values()).isPositive();
        assertThat(probes.switchProcess(first).values()).isPositive();
        assertThat(children()).isEqualTo(children);
    }

    @Test
    void aClockIsThatOfAProcessorOfTheseDecades() {
        Probes probes = new Probes(() -> false);
        double khz = probes.clockKhz(last).median();
        assertThat(khz).isBetween(2e5, 1e7);
        ClockFacts.currentKhz(last).ifPresent(told -> assertThat(khz / told).isBetween(0.2, 5.0));
    }

    @Test
    void aTickIfSeenIsShorterThanItsPeriod() {
        Probes probes = new Probes(() -> false);
        probes.tick(last).ifPresent(tick -> assertThat(tick.lowerQuartile()).isBetween(1.0, SECOND / Probes.tickHz()));
    }

    @Test
    void aLineCrossesAndAnInterruptToo() {
        requireTwoCpus();
        Probes probes = new Probes(() -> false);
        assertThat(probes.lineTransfer(first, last).lowerQuartile()).isBetween(1.0, 1e5);
        Optional<Reading> interrupt = probes.interrupt(first, last);
        interrupt.ifPresent(reading -> assertThat(reading.values()).isPositive());
    }

    @Test
    void wakingSomebodyTakesLongerThanWakingNobody() {
        requireTwoCpus();
        Probes probes = new Probes(() -> false);
        double nobody = probes.futexWake(first).median();
        assertThat(probes.wakeLatency(first, last, 100_000).median()).isGreaterThan(nobody / 2);
        assertThat(probes.wakeCall(first, last).median()).isGreaterThan(nobody / 2);
    }

    @Test
    void movingTakesSomethingOrLittleAndLeavesNobodyPinned() {
        requireTwoCpus();
        Probes probes = new Probes(() -> false);
        assertThat(probes.migrationRefill(first, last).values()).isGreaterThanOrEqualTo(15);
    }

    @Test
    void besideSomebodyAThreadStillRuns() {
        requireTwoCpus();
        Probes probes = new Probes(() -> false);
        assertThat(probes.beside(first, last).median()).isBetween(0.02, 10.0);
    }

    @Test
    void cpusThatMayNotBeUsedAreRefused() {
        Probes probes = new Probes(() -> false);
        int none = CpuMask.MAX_CPUS - 1;
        String may = "this process may run on " + cpus + " (affinity, cpuset)";
        assertThatThrownBy(() -> probes.systemCall(none))
                .isInstanceOf(InputException.class)
                .hasMessage("CPU 8191 cannot be measured: " + may);
        assertThatThrownBy(() -> probes.lineTransfer(first, none)).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> probes.switchProcess(-1)).isInstanceOf(InputException.class);
        assertThatThrownBy(() -> probes.wakeCall(first, first))
                .isInstanceOf(InputException.class)
                .hasMessage("CPU " + first + " cannot be measured against itself; name two CPUs");
    }

    static Stream<Named<Consumer<Probes>>> all() {
        CpuMask cpus = ThisThread.affinity();
        int a = cpus.first();
        int b = cpus.last();
        Stream<Named<Consumer<Probes>>> alone = Stream.of(
                Named.of("tcpSend", probes -> probes.tcpSend(a)),
                Named.of("yield", probes -> probes.yield(a)),
                Named.of("switchThread", probes -> probes.switchThread(a)),
                Named.of("switchProcess", probes -> probes.switchProcess(a)),
                Named.of("wakeLatencySameCpu", probes -> probes.wakeLatencySameCpu(a)),
                Named.of("clockKhz", probes -> probes.clockKhz(a)),
                Named.of("tick", probes -> probes.tick(a)));
        Stream<Named<Consumer<Probes>>> pairs = Stream.of(
                Named.of("lineTransfer", probes -> probes.lineTransfer(a, b)),
                Named.of("interrupt", probes -> probes.interrupt(a, b)),
                Named.of("wakeLatency", probes -> probes.wakeLatency(a, b, 1_000_000)),
                Named.of("migrationRefill", probes -> probes.migrationRefill(a, b)),
                Named.of("beside", probes -> probes.beside(a, b)));
        return a == b ? alone : Stream.concat(alone, pairs);
    }

    @ParameterizedTest
    @MethodSource("all")
    void stopsSoonWhenItIsToldTo(Consumer<Probes> probe) {
        AtomicBoolean stop = new AtomicBoolean();
        Probes probes = new Probes(stop::get);
        CompletableFuture.delayedExecutor(30, TimeUnit.MILLISECONDS).execute(() -> stop.set(true));
        assertThatThrownBy(() -> repeat(probe, probes)).isInstanceOf(StoppedException.class);
    }

    private static void repeat(Consumer<Probes> probe, Probes probes) {
        for (int i = 0; i < 1_000; i++) {
            probe.accept(probes);
        }
    }

    @Test
    void anInterruptedCallerStopsTheProbe() {
        Probes probes = new Probes(() -> false);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> probes.systemCall(first)).isInstanceOf(StoppedException.class);
        assertThat(Thread.interrupted()).isTrue();
    }
}
