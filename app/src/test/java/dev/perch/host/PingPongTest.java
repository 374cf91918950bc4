package dev.perch.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.model.CpuMask;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@EnabledOnOs(OS.LINUX)
class PingPongTest {
    private static final long MS = 1_000_000;

    @TempDir
    private Path folder;

    private static PingPong.Spec spec(LinkKind kind, CpuMask first, CpuMask second) {
        return new PingPong.Spec(kind, first, second, 20 * MS, 100 * MS);
    }

    private static void isSound(PingPong.Run run) {
        assertThat(run.rounds()).isPositive();
        assertThat(run.ns()).isGreaterThanOrEqualTo(100 * MS);
        assertThat(run.roundsASecond() * run.microsecondsARound()).isBetween(999_999.0, 1_000_001.0);
    }

    @ParameterizedTest
    @EnumSource(LinkKind.class)
    void threadsOnOneCpuSwitchForEveryMessage(LinkKind kind) throws InterruptedException {
        CpuMask one = CpuMask.of(Linux.affinity().first());
        PingPong.Run run = PingPong.betweenThreads(spec(kind, one, one), folder);
        isSound(run);
        // Each of the two sleeps once a round: both cannot run at once.
        assertThat(run.use().voluntarySwitches() + run.use().involuntarySwitches())
                .isBetween((long) (1.8 * run.rounds()), (long) (2.3 * run.rounds() + 100));
        assertThat(run.use().migrations()).isLessThanOrEqualTo(0);
    }

    @ParameterizedTest
    @EnumSource(LinkKind.class)
    void processesTalkTooAndOnePeerServesSeveralRuns(LinkKind kind) throws InterruptedException {
        try (PeerProcess peer = new PeerProcess()) {
            isSound(PingPong.betweenProcesses(spec(kind, CpuMask.empty(), CpuMask.empty()), folder, peer));
            CpuMask last = CpuMask.of(Linux.affinity().last());
            isSound(PingPong.betweenProcesses(spec(kind, last, last), folder, peer));
        }
    }

    @Test
    void thePeerEndsWithItsInputAndPinningStaysBehind() throws InterruptedException {
        CpuMask before = Linux.affinity();
        PeerProcess peer = new PeerProcess();
        ProcessHandle handle = ProcessHandle.of(peer.pid()).orElseThrow();
        CpuMask one = CpuMask.of(before.first());
        PingPong.betweenProcesses(spec(LinkKind.PIPE, one, one), folder, peer);
        peer.close();
        assertThat(handle.onExit()).succeedsWithin(Duration.ofSeconds(10));
        assertThat(Linux.affinity()).isEqualTo(before);
    }

    @Test
    void aCpuThatIsNotThereFailsAndLeavesNobodyBehind() {
        CpuMask none = CpuMask.of(CpuMask.MAX_CPUS - 1);
        assertThatThrownBy(() -> PingPong.betweenThreads(spec(LinkKind.PIPE, none, CpuMask.empty()), folder))
                .isInstanceOf(SystemCallException.class)
                .hasMessage("sched_setaffinity: EINVAL");
    }
}
