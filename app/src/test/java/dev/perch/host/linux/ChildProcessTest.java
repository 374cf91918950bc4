package dev.perch.host.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.model.CpuMask;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
@Timeout(60)
class ChildProcessTest {
    private final ProcessHandle self = ProcessHandle.current();

    private static ChildProcess shell(String script, int... files) {
        return ChildProcess.start(List.of("/bin/sh", "-c", script), files);
    }

    private static String read(int file) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(1000);
            long count = OpenFiles.read(file, buffer, buffer.byteSize());
            return new String(buffer.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
        }
    }

    /** The files are given in both orders, so that whichever has the lower number here has the higher one there. */
    @Test
    void inheritsTheFilesThatItIsGivenInTheirOrder() {
        OpenFiles.Ends one = OpenFiles.pipe();
        OpenFiles.Ends two = OpenFiles.pipe();
        String script = "echo first >&3; echo second >&4";
        int[][] orders = {{one.second(), two.second()}, {two.second(), one.second()}};
        int[][] ends = {{one.first(), two.first()}, {two.first(), one.first()}};
        for (int i = 0; i < orders.length; i++) {
            ChildProcess child = shell(script, orders[i]);
            child.await();
            assertThat(child.exitCode()).isEqualTo(OptionalInt.of(0));
            assertThat(read(ends[i][0])).isEqualTo("first\n");
            assertThat(read(ends[i][1])).isEqualTo("second\n");
            child.endNow();
        }
        for (int file : new int[] {one.first(), one.second(), two.first(), two.second()}) {
            OpenFiles.close(file);
        }
    }

    @Test
    void inheritsNoOtherEndOfAPipe() {
        OpenFiles.Ends pipe = OpenFiles.pipe();
        ChildProcess child = shell("read line <&3", pipe.first());
        OpenFiles.close(pipe.second());
        // nobody can write any more, so that it does not wait for ever
        child.await();
        assertThat(child.exitCode()).isEqualTo(OptionalInt.of(1));
        child.endNow();
        OpenFiles.close(pipe.first());
    }

    @Test
    void runsWhereTheThreadThatStartedItMayRun() {
        CpuMask before = ThisThread.affinity();
        CpuMask last = CpuMask.of(before.last());
        OpenFiles.Ends pipe = OpenFiles.pipe();
        try {
            ThisThread.setAffinity(last);
            ChildProcess child = shell(
                    "while read key value; do [ $key = Cpus_allowed_list: ] && echo $value >&3; done"
                            + " < /proc/self/status",
                    pipe.second());
            assertThat(read(pipe.first())).isEqualTo(last + "\n");
            child.endNow();
        } finally {
            ThisThread.setAffinity(before);
            OpenFiles.close(pipe.first());
            OpenFiles.close(pipe.second());
        }
    }

    @Test
    void saysHowItEnded() {
        ChildProcess child = shell("exit 7");
        child.await();
        assertThat(child.exitCode()).isEqualTo(OptionalInt.of(7));
        child.endNow();
    }

    @Test
    void isGoneAfterItsEndAndCanBeKilledAgain() {
        OpenFiles.Ends pipe = OpenFiles.pipe();
        ChildProcess child = shell("read line <&3", pipe.first());
        assertThat(child.exitCode()).isEmpty();
        assertThat(self.children().map(ProcessHandle::pid)).contains((long) child.pid());
        child.kill();
        child.await();
        assertThat(child.exitCode()).isEqualTo(OptionalInt.of(128 + 9));
        // what it went through can be read until it is forgotten
        assertThat(TaskUse.ofProcess(child.pid()).voluntarySwitches()).isNotNegative();
        child.endNow();
        assertThat(self.children().map(ProcessHandle::pid)).doesNotContain((long) child.pid());
        child.kill();
        OpenFiles.close(pipe.first());
        OpenFiles.close(pipe.second());
    }

    @Test
    void aProgramThatIsNotThereFails() {
        assertThatThrownBy(() -> ChildProcess.start(List.of("/no/such/program")))
                .hasMessage("posix_spawn: ENOENT");
    }
}
