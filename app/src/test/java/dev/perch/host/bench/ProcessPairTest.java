package dev.perch.host.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.host.linux.KernelFile;
import dev.perch.host.linux.ThisThread;
import dev.perch.model.CpuMask;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@EnabledOnOs(OS.LINUX)
@Timeout(60)
class ProcessPairTest {
    private static final long MS = 1_000_000;
    private static final CpuMask NOWHERE = CpuMask.of(CpuMask.MAX_CPUS - 1);

    private static ProcessPair pair(LinkKind kind, CpuMask first, CpuMask second) {
        return new ProcessPair(new PingPong.Spec(kind, first, second, 20 * MS, 100 * MS), () -> false);
    }

    @ParameterizedTest
    @EnumSource(LinkKind.class)
    void processesOnOneCpuSwitchForEveryMessage(LinkKind kind) throws InterruptedException {
        CpuMask before = ThisThread.affinity();
        CpuMask last = CpuMask.of(before.last());
        PingPong.Run run = pair(kind, last, last).run();
        assertThat(run.ns()).isGreaterThanOrEqualTo(100 * MS);
        // Both cannot run at once: each message takes a switch, unless it is there before its reader asks.
        assertThat(run.use().voluntarySwitches() + run.use().involuntarySwitches())
                .isGreaterThanOrEqualTo((long) (1.8 * run.rounds()));
        assertThat(run.use().migrations()).isLessThanOrEqualTo(0);
        assertThat(ThisThread.affinity()).isEqualTo(before);
        assertThat(tasks()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(LinkKind.class)
    void processesRunWhereTheKernelWantsThem(LinkKind kind) throws InterruptedException {
        PingPong.Run run = pair(kind, CpuMask.empty(), CpuMask.empty()).run();
        assertThat(run.rounds()).isPositive();
        assertThat(run.use().voluntarySwitches()).isPositive();
    }

    @ParameterizedTest
    @EnumSource(LinkKind.class)
    void timesOfTheKernelAccountForTheRounds(LinkKind kind) throws InterruptedException {
        CpuMask one = CpuMask.of(ThisThread.affinity().first());
        long cpuBefore = ThisThread.endedChildrenCpuNs();
        PingPong.Run run = new ProcessPair(new PingPong.Spec(kind, one, one, 0, 300 * MS), () -> false).run();
        long cpu = ThisThread.endedChildrenCpuNs() - cpuBefore;
        // one CPU: two tasks cannot take more time than has gone by, their start and end added
        assertThat(cpu).isPositive().isLessThan(run.ns() + 200 * MS);
    }

    @Test
    void aCpuThatIsNotThereFailsAndLeavesNobodyBehind() {
        assertThatThrownBy(() -> pair(LinkKind.PIPE, NOWHERE, CpuMask.empty()).run())
                .hasMessage("sched_setaffinity: EINVAL");
        assertThat(tasks()).isEmpty();
    }

    @Test
    void stopsWhenItIsToldTo() {
        AtomicBoolean stop = new AtomicBoolean();
        ProcessPair pair = new ProcessPair(
                new PingPong.Spec(LinkKind.PIPE, CpuMask.empty(), CpuMask.empty(), MS, 50_000 * MS), stop::get);
        CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS).execute(() -> stop.set(true));
        assertThatThrownBy(pair::run).isInstanceOf(StoppedException.class);
        assertThat(tasks()).isEmpty();
    }

    @Test
    void aProcessThatIsKilledEndsTheMeasurement() {
        ProcessPair pair = new ProcessPair(
                new PingPong.Spec(LinkKind.FUTEX, CpuMask.empty(), CpuMask.empty(), MS, 50_000 * MS), () -> false);
        new Thread(() -> {
                    while (!tasks().anyMatch(ProcessHandle::destroyForcibly)) {
                        Thread.onSpinWait();
                    }
                })
                .start();
        assertThatThrownBy(pair::run).hasMessage("a process of the benchmark has ended before its time, by signal 9");
    }

    /** By their name; this process may have children of other tests. */
    static Stream<ProcessHandle> tasks() {
        return ProcessHandle.current()
                .children()
                .filter(child -> KernelFile.text(Path.of("/proc", Long.toString(child.pid()), "comm"))
                        .startsWith("perch-"));
    }
}
