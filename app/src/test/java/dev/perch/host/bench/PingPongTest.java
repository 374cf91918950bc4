package dev.perch.host.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.host.linux.SystemCallException;
import dev.perch.host.linux.ThisThread;
import dev.perch.model.CpuMask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@EnabledOnOs(OS.LINUX)
class PingPongTest {
    private static final long MS = 1_000_000;

    private static PingPong bench(LinkKind kind, CpuMask first, CpuMask second) {
        return new PingPong(new PingPong.Spec(kind, first, second, 20 * MS, 100 * MS), () -> false);
    }

    private static void isSound(PingPong.Run run) {
        assertThat(run.rounds()).isPositive();
        assertThat(run.ns()).isGreaterThanOrEqualTo(100 * MS);
        assertThat(run.roundsASecond() * run.microsecondsARound()).isBetween(999_999.0, 1_000_001.0);
    }

    @ParameterizedTest
    @EnumSource(LinkKind.class)
    void threadsOnOneCpuSwitchForEveryMessage(LinkKind kind) throws InterruptedException {
        CpuMask one = CpuMask.of(ThisThread.affinity().first());
        PingPong.Run run = bench(kind, one, one).betweenThreads();
        isSound(run);
        // Both cannot run at once; who waits leaves the CPU once a round, unless the other one's message is there
        // already.
        assertThat(run.use().voluntarySwitches() + run.use().involuntarySwitches())
                .isGreaterThanOrEqualTo((long) (1.8 * run.rounds()));
        assertThat(run.use().voluntarySwitches()).isLessThanOrEqualTo((long) (2.05 * run.rounds() + 100));
        assertThat(run.use().migrations()).isLessThanOrEqualTo(0);
    }

    @Test
    @Timeout(60)
    void anEndThatMayNotRunWhereItIsToFailsAlthoughTheOtherWaits() {
        CpuMask none = CpuMask.of(CpuMask.MAX_CPUS - 1);
        assertThatThrownBy(() -> bench(LinkKind.TCP_RR, CpuMask.empty(), none).betweenThreads())
                .hasMessage("sched_setaffinity: EINVAL");
    }

    @Test
    @Timeout(60)
    void stopsWhenItIsToldTo() {
        AtomicBoolean stop = new AtomicBoolean();
        PingPong bench = new PingPong(
                new PingPong.Spec(LinkKind.PIPE, CpuMask.empty(), CpuMask.empty(), MS, 50_000 * MS), stop::get);
        CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS).execute(() -> stop.set(true));
        assertThatThrownBy(bench::betweenThreads).isInstanceOf(StoppedException.class);
    }

    @Test
    void aCpuThatIsNotThereFailsAndLeavesNobodyBehind() {
        CpuMask none = CpuMask.of(CpuMask.MAX_CPUS - 1);
        assertThatThrownBy(() -> bench(LinkKind.PIPE, none, CpuMask.empty()).betweenThreads())
                .isInstanceOf(SystemCallException.class)
                .hasMessage("sched_setaffinity: EINVAL");
    }
}
