package dev.perch.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.model.CpuMask;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class LinuxTest {
    /** What the kernel says of the calling thread in proc. */
    private static String status(String key) throws IOException {
        return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
                .filter(line -> line.startsWith(key + ":"))
                .map(line -> line.substring(key.length() + 1).strip())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void affinityIsWhatTheKernelSaysAndCanBeSetAndRestored() throws IOException {
        CpuMask before = Linux.affinity();
        assertThat(before).isEqualTo(CpuMask.parse(status("Cpus_allowed_list")));
        try {
            CpuMask last = CpuMask.of(before.last());
            Linux.setAffinity(last);
            assertThat(status("Cpus_allowed_list")).isEqualTo(last.toString());
            assertThat(Linux.cpu()).isEqualTo(before.last());
        } finally {
            Linux.setAffinity(before);
        }
        assertThat(Linux.affinity()).isEqualTo(before);
    }

    @Test
    void noCpuAtAllIsRefused() {
        assertThatThrownBy(() -> Linux.setAffinity(CpuMask.empty()))
                .isInstanceOf(SystemCallException.class)
                .hasMessage("sched_setaffinity: EINVAL");
    }

    @Test
    void whatIsWrittenIntoAPipeIsRead() {
        Linux.Ends pipe = Linux.pipe();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(8);
            buffer.set(ValueLayout.JAVA_LONG, 0, 4711);
            assertThat(Linux.write(pipe.second(), buffer, 8)).isEqualTo(8);
            buffer.fill((byte) 0);
            assertThat(Linux.read(pipe.first(), buffer, 8)).isEqualTo(8);
            assertThat(buffer.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(4711);
            Linux.close(pipe.second());
            assertThat(Linux.read(pipe.first(), buffer, 8)).isZero();
        } finally {
            Linux.close(pipe.first());
        }
    }

    @Test
    void socketsTalkBothWays() {
        Linux.Ends pair = Linux.socketPair();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(1);
            Linux.write(pair.first(), buffer.fill((byte) 7), 1);
            assertThat(Linux.read(pair.second(), buffer.fill((byte) 0), 1)).isEqualTo(1);
            Linux.write(pair.second(), buffer, 1);
            assertThat(Linux.read(pair.first(), buffer.fill((byte) 0), 1)).isEqualTo(1);
            assertThat(buffer.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 7);
        } finally {
            Linux.close(pair.first());
            Linux.close(pair.second());
        }
    }

    @Test
    void aFutexSleepsUntilItIsWoken() throws InterruptedException {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment word = arena.allocate(4, 4);
            Thread sleeper = new Thread(() -> {
                while (word.get(ValueLayout.JAVA_INT, 0) == 0) {
                    Linux.futexWait(word, 0);
                }
            });
            sleeper.start();
            word.set(ValueLayout.JAVA_INT, 0, 1);
            Linux.futexWake(word, 1);
            sleeper.join(10_000);
            assertThat(sleeper.isAlive()).isFalse();
            Linux.futexWait(word, 0);
        }
    }

    @Test
    void sleepingCountsAsAVoluntarySwitch() throws InterruptedException, IOException {
        Linux.Switches before = Linux.switches();
        for (int i = 0; i < 5; i++) {
            Thread.sleep(2);
        }
        Linux.Switches after = Linux.switches();
        assertThat(after.voluntary() - before.voluntary()).isGreaterThanOrEqualTo(5);
        assertThat(Long.parseLong(status("voluntary_ctxt_switches"))).isGreaterThanOrEqualTo(after.voluntary());
        assertThat(Linux.threadId()).isEqualTo(Integer.parseInt(status("Pid")));
    }

    @Test
    void aCallThatFailsSaysHow() {
        assertThatThrownBy(() -> Linux.close(-1))
                .isInstanceOfSatisfying(
                        SystemCallException.class, e -> assertThat(e.errno()).isEqualTo(9));
    }
}
