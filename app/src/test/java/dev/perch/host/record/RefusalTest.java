package dev.perch.host.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.host.linux.SystemCallException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class RefusalTest {
    @TempDir
    private Path folder;

    private static String reason(int errno, String paranoid, String lockdown, boolean root) {
        return Refusal.reason(new SystemCallException("perf_event_open", errno), paranoid, lockdown, root);
    }

    @Test
    void namesTheSettingThatForbidsAndWhatToSet() {
        assertThat(reason(SystemCallException.EACCES, "3", "", false))
                .contains("perf_event_paranoid is 3")
                .contains("sudo")
                .contains("sysctl kernel.perf_event_paranoid=-1");
    }

    @Test
    void namesLockdownWhenOnlyThatCanBeIt() {
        String modes = "none integrity [confidentiality]";
        assertThat(reason(SystemCallException.EPERM, "-1", modes, true)).contains("locked down");
        assertThat(reason(SystemCallException.EPERM, "2", "none [integrity] confidentiality", true))
                .contains("containers")
                .contains("CAP_PERFMON");
    }

    @Test
    void namesTheLimitOfOpenFilesAndAKernelWithoutPerf() {
        assertThat(reason(SystemCallException.EMFILE, "2", "", true)).contains("ulimit -n");
        assertThat(reason(SystemCallException.ENOSYS, "", "", true)).contains("CONFIG_PERF_EVENTS");
    }

    @Test
    void saysHowTracefsIsMounted() throws IOException {
        Path mounts = Files.writeString(folder.resolve("mounts"), "proc /proc proc rw 0 0\nsysfs /sys sysfs rw 0 0\n");
        assertThatThrownBy(() -> Tracefs.find(mounts))
                .hasMessageContaining("mount -t tracefs nodev /sys/kernel/tracing")
                .hasMessageContaining("perf sched record")
                .hasMessageContaining("trace-cmd record");
    }

    @Test
    void findsTracefsWhereItIsMountedAndInsideDebugfs() throws IOException {
        Path event = folder.resolve("my debug/tracing/events/sched/sched_switch");
        Files.createDirectories(event);
        Files.writeString(event.resolve("id"), "375\n");
        Files.writeString(event.resolve("format"), "name: sched_switch\n");
        String root = folder.toString() + "/my\\040debug";
        Path debugfs = Files.writeString(folder.resolve("mounts"), "nodev " + root + " debugfs rw 0 0\n");
        assertThat(Tracefs.find(debugfs)
                        .event("sched", "sched_switch")
                        .orElseThrow()
                        .id())
                .isEqualTo(375);
        assertThat(Tracefs.find(debugfs).event("sched", "sched_waking")).isEmpty();
        Path tracefs = Files.writeString(debugfs, "nodev " + root + "/tracing tracefs rw 0 0\n");
        assertThat(Tracefs.find(tracefs).event("sched", "sched_switch")).isPresent();
    }

    @Test
    void namesTheLimitOfLockedMemory() {
        String message = Refusal.reason(
                new SystemCallException("mmap", SystemCallException.EPERM), "2", "none [integrity]", false);
        assertThat(message).contains("ulimit -l").doesNotContain("perf_event_paranoid");
    }

    @Test
    void namesBothReasonsWhenBothWaysAreClosed() {
        assertThat(Refusal.both("A", "B"))
                .startsWith("recording is refused in both ways. Perf events: A. Tracefs: B; ")
                .contains("trace-cmd record");
        assertThat(Refusal.both("", "B")).startsWith("B; ");
    }
}
