package dev.perch.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.model.TaskState;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Expected values: the tables of the kernel's include/linux/sched.h and include/trace/events/sched.h of each version. */
class TaskStatesTest {
    @ParameterizedTest
    @CsvSource({
        "6.1.0-56-amd64, 0, RUNNABLE",
        "6.1.0-56-amd64, 1, SLEEPING",
        "6.1.0-56-amd64, 2, DISK_SLEEP",
        "6.18.44, 16, DEAD",
        "6.18.44, 32, ZOMBIE",
        "5.10.1, 64, PARKED",
        "4.14.0, 128, IDLE",
        "4.14.0, 256, RUNNABLE",
        "6.12.117+deb12-amd64, 512, UNKNOWN",
        "4.13.16, 16, ZOMBIE",
        "4.13.16, 32, DEAD",
        "4.13.16, 1024, NEW",
        "4.13.16, 4096, RUNNABLE",
        "4.8.0, 512, PARKED",
        "4.7.10, 2048, RUNNABLE",
        "3.12.0, 130, DISK_SLEEP",
        "3.12.0, 128, WAKEKILL",
        "nonsense, 128, IDLE"
    })
    void numbersMeanWhatTheKernelMeant(String release, long bits, TaskState state) {
        assertThat(TaskStates.ofBits(bits, TaskStates.Numbering.of(release))).isEqualTo(state);
    }

    @ParameterizedTest
    @CsvSource({
        "R, RUNNABLE",
        "R+, RUNNABLE",
        "S, SLEEPING",
        "D, DISK_SLEEP",
        "D|K, DISK_SLEEP",
        "T, STOPPED",
        "t, TRACED",
        "X, DEAD",
        "x, DEAD",
        "Z, ZOMBIE",
        "X|Z, DEAD",
        "P, PARKED",
        "I, IDLE",
        "0x80, IDLE",
        "0x200, UNKNOWN",
        "Q, UNKNOWN",
        "SS, UNKNOWN"
    })
    void lettersMeanTheSameInAllVersions(String text, TaskState state) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        assertThat(TaskStates.ofText(bytes, 0, bytes.length)).isEqualTo(state);
    }
}
