package dev.perch.host.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.model.CpuMask;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
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
        CpuMask before = ThisThread.affinity();
        assertThat(before).isEqualTo(CpuMask.parse(status("Cpus_allowed_list")));
        try {
            CpuMask last = CpuMask.of(before.last());
            ThisThread.setAffinity(last);
            assertThat(status("Cpus_allowed_list")).isEqualTo(last.toString());
            assertThat(ThisThread.cpu()).isEqualTo(before.last());
        } finally {
            ThisThread.setAffinity(before);
        }
        assertThat(ThisThread.affinity()).isEqualTo(before);
    }

    @Test
    void noCpuAtAllIsRefused() {
        assertThatThrownBy(() -> ThisThread.setAffinity(CpuMask.empty()))
                .isInstanceOf(SystemCallException.class)
                .hasMessage("sched_setaffinity: EINVAL");
    }

    @Test
    void whatIsWrittenIntoAPipeIsRead() {
        OpenFiles.Ends pipe = OpenFiles.pipe();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(8);
            buffer.set(ValueLayout.JAVA_LONG, 0, 4711);
            assertThat(OpenFiles.write(pipe.second(), buffer, 8)).isEqualTo(8);
            buffer.fill((byte) 0);
            assertThat(OpenFiles.read(pipe.first(), buffer, 8)).isEqualTo(8);
            assertThat(buffer.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(4711);
            OpenFiles.close(pipe.second());
            assertThat(OpenFiles.read(pipe.first(), buffer, 8)).isZero();
        } finally {
            OpenFiles.close(pipe.first());
        }
    }

    @Test
    void socketsTalkBothWays() {
        OpenFiles.Ends pair = StreamSockets.socketPair();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(1);
            OpenFiles.write(pair.first(), buffer.fill((byte) 7), 1);
            assertThat(OpenFiles.read(pair.second(), buffer.fill((byte) 0), 1)).isEqualTo(1);
            OpenFiles.write(pair.second(), buffer, 1);
            assertThat(OpenFiles.read(pair.first(), buffer.fill((byte) 0), 1)).isEqualTo(1);
            assertThat(buffer.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 7);
        } finally {
            OpenFiles.close(pair.first());
            OpenFiles.close(pair.second());
        }
    }

    @Test
    void aFutexSleepsUntilItIsWoken() throws InterruptedException {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment word = arena.allocate(4, 4);
            Thread sleeper = new Thread(() -> {
                while (word.get(ValueLayout.JAVA_INT, 0) == 0) {
                    Futexes.await(word, 0);
                }
            });
            sleeper.start();
            word.set(ValueLayout.JAVA_INT, 0, 1);
            assertThat(Futexes.wake(word, 1)).isBetween(0, 1);
            sleeper.join(10_000);
            assertThat(sleeper.isAlive()).isFalse();
            Futexes.await(word, 0);
            assertThat(Futexes.wake(word, 1)).isZero();
        }
    }

    @Test
    void theParentIsThatOfTheProcess() {
        long parent = ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(0L);
        assertThat(ThisThread.parentProcessId()).isEqualTo((int) parent);
    }

    @Test
    void cpuTimeIsWhatTheVirtualMachineSaysToo() {
        var threads = ManagementFactory.getThreadMXBean();
        Assumptions.assumeTrue(TaskUse.cpuNs(ThisThread.threadId()) > 0, "this kernel does not tell");
        long before = threads.getCurrentThreadCpuTime();
        while (threads.getCurrentThreadCpuTime() - before < 30_000_000) {
            ThisThread.yieldCpu();
        }
        ThisThread.yieldCpu();
        // the kernel's own number is as old as the last tick at most
        assertThat(TaskUse.cpuNs(ThisThread.threadId()))
                .isBetween(threads.getCurrentThreadCpuTime() - 20_000_000, threads.getCurrentThreadCpuTime());
        assertThat(TaskUse.cpuNs(Integer.MAX_VALUE)).isZero();
    }

    @Test
    void theCoarseClockMovesOnceATick() {
        long resolution = CoarseClock.resolutionNs();
        // 24 Hz to 1200 Hz: what architectures allow for CONFIG_HZ
        assertThat(resolution).isBetween(800_000L, 42_000_000L);
    }

    @Test
    void barriersCanBeMadeAfterRegistrationWhichMayBeRepeated() {
        try {
            MemoryBarriers.register();
        } catch (SystemCallException e) {
            Assumptions.abort("no membarrier here: " + e.getMessage());
        }
        MemoryBarriers.register();
        MemoryBarriers.make();
    }

    @Test
    void anOptionOfTcpIsRefusedByWhatIsNotTcp() {
        int socket = StreamSockets.listenOnLoopback();
        OpenFiles.Ends pipe = OpenFiles.pipe();
        try {
            StreamSockets.sendAtOnce(socket);
            // ENOTSOCK
            assertThatThrownBy(() -> StreamSockets.sendAtOnce(pipe.first()))
                    .isInstanceOfSatisfying(
                            SystemCallException.class,
                            e -> assertThat(e.errno()).isEqualTo(88));
        } finally {
            OpenFiles.close(socket);
            OpenFiles.close(pipe.first());
            OpenFiles.close(pipe.second());
        }
    }

    @Test
    void sleepingCountsAsAVoluntarySwitch() throws InterruptedException, IOException {
        ThisThread.Switches before = ThisThread.switches();
        for (int i = 0; i < 5; i++) {
            Thread.sleep(2);
        }
        ThisThread.Switches after = ThisThread.switches();
        assertThat(after.voluntary() - before.voluntary()).isGreaterThanOrEqualTo(5);
        assertThat(Long.parseLong(status("voluntary_ctxt_switches"))).isGreaterThanOrEqualTo(after.voluntary());
        assertThat(ThisThread.threadId()).isEqualTo(Integer.parseInt(status("Pid")));
    }

    @Test
    void aCallThatFailsSaysHow() {
        assertThatThrownBy(() -> OpenFiles.close(-1))
                .isInstanceOfSatisfying(
                        SystemCallException.class, e -> assertThat(e.errno()).isEqualTo(9));
    }
}
