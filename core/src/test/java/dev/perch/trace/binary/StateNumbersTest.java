package dev.perch.trace.binary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.model.TaskState;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class StateNumbersTest {
    /** From the print format of sched_switch in Linux 6.18, shortened to what names bits. */
    private static final String SINCE_4_14 = "__print_flags(REC->prev_state & 0xff, \"|\", { 0x00000001, \"S\" },"
            + " { 0x00000002, \"D\" }, { 0x00000004, \"T\" }, { 0x00000008, \"t\" }, { 0x00000010, \"X\" },"
            + " { 0x00000020, \"Z\" }, { 0x00000040, \"P\" }, { 0x00000080, \"I\" }) : \"R\"";

    /** The same of Linux 3.2, where Z and X are the other way round and W is 128. */
    private static final String OF_3_2 =
            "__print_flags(REC->prev_state, \"|\", { 1, \"S\"} , { 2, \"D\" }, { 4, \"T\" },"
                    + " { 8, \"t\" }, { 16, \"Z\" }, { 32, \"X\" }, { 64, \"x\" }, { 128, \"W\" })";

    @Test
    void theDescriptionOfTheEventNamesTheBits() {
        StateNumbers recent = Objects.requireNonNull(StateNumbers.ofPrintFormat(SINCE_4_14));
        assertThat(recent.state(0)).isEqualTo(TaskState.RUNNABLE);
        assertThat(recent.state(0x100)).isEqualTo(TaskState.RUNNABLE);
        assertThat(recent.state(0x80)).isEqualTo(TaskState.IDLE);
        assertThat(recent.state(0x20)).isEqualTo(TaskState.ZOMBIE);
        assertThat(recent.state(0x200)).isEqualTo(TaskState.UNKNOWN);
        StateNumbers old = Objects.requireNonNull(StateNumbers.ofPrintFormat(OF_3_2));
        assertThat(old.state(0x10)).isEqualTo(TaskState.ZOMBIE);
        assertThat(old.state(0x20)).isEqualTo(TaskState.DEAD);
        assertThat(old.state(0x80)).isEqualTo(TaskState.WAKING);
        assertThat(StateNumbers.ofPrintFormat("\"\"")).isNull();
    }

    @Test
    void elseTheReleaseTellsTheNumbers() {
        assertThat(StateNumbers.ofRelease("6.1.0-56-amd64").state(0x40)).isEqualTo(TaskState.PARKED);
        assertThat(StateNumbers.ofRelease("4.4.302").state(0x800)).isEqualTo(TaskState.RUNNABLE);
        assertThat(StateNumbers.ofRelease("4.9.0-android").state(0x1000)).isEqualTo(TaskState.RUNNABLE);
        assertThat(StateNumbers.ofRelease("4.4.302").state(0x200)).isEqualTo(TaskState.PARKED);
        assertThat(StateNumbers.ofRelease("3.10.0").state(0x10)).isEqualTo(TaskState.ZOMBIE);
        assertThat(StateNumbers.ofRelease("4.14.0").state(0x20)).isEqualTo(TaskState.ZOMBIE);
        assertThat(StateNumbers.ofRelease("not a version").state(0x80)).isEqualTo(TaskState.IDLE);
        assertThat(StateNumbers.ofRelease(null).state(2)).isEqualTo(TaskState.DISK_SLEEP);
    }
}
