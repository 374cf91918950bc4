package dev.perch.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.model.InputException;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import dev.perch.trace.perfetto.PerfettoWriter;
import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PerfettoWriterTest {
    private static byte[] written(TaskNames names, String release, Consumer<SchedEvents> events) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PerfettoWriter trace = new PerfettoWriter(bytes, names, release)) {
            events.accept(trace);
        }
        return bytes.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void readsBackToTheSameEventsAndNames(long seed) {
        TaskNames names = new TaskNames();
        EventLog expected = new EventLog();
        new RandomSchedule(seed, 9, 1, names).run(20_000, expected);
        byte[] trace = written(
                names, "6.9.1-test", events -> new RandomSchedule(seed, 9, 1, names).run(20_000, events));

        BinaryReading read = BinaryReading.of(trace);

        assertThat(read.lines()).isEqualTo(BinaryReading.inOrder(expected.lines()));
        assertThat(read.summary().format()).isEqualTo(RecordingFormat.PERFETTO);
        assertThat(read.summary().kernelRelease()).isEqualTo("6.9.1-test");
        assertThat(read.summary().defects().all()).isEmpty();
        for (int pid = 1; pid <= 60; pid++) {
            assertThat(read.names().nameOf(pid)).isEqualTo(names.nameOf(pid));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "3.2.0, ZOMBIE, ZOMBIE",
        "3.2.0, WAKEKILL, WAKEKILL",
        "4.9.0, NEW, NEW",
        "4.9.0, DEAD, DEAD",
        "6.1.0, PARKED, PARKED",
        "6.1.0, UNKNOWN, UNKNOWN",
        "6.1.0, WAKEKILL, UNKNOWN",
        "6.1.0, RUNNABLE, RUNNABLE"
    })
    void writesStatesAsTheKernelNumbersThem(String release, TaskState state, TaskState readBack) {
        byte[] trace = written(new TaskNames(), release, events -> events.switched(7, 1, 5, 120, state, 6, 120));
        assertThat(BinaryReading.of(trace).lines()).containsExactly("switch ns=7 cpu=1 5 120 " + readBack + " 6 120");
    }

    @Test
    void whatIsNotKnownStaysUnknown() {
        byte[] trace = written(new TaskNames(), "6.1.0", events -> {
            events.switched(5, 0, 3, -1, TaskState.SLEEPING, 4, -1);
            events.waking(7, 0, -1, SchedEvents.CONTEXT_UNKNOWN, 9, -1, 1);
        });
        assertThat(BinaryReading.of(trace).lines())
                .containsExactly("switch ns=5 cpu=0 3 -1 SLEEPING 4 -1", "waking ns=7 cpu=0 -1 4 9 -1 1");
    }

    @Test
    void aLossStandsBeforeTheNextEventOfItsCpu() {
        byte[] trace = written(new TaskNames(), "6.1.0", events -> {
            events.idle(10, 0, 1);
            events.idle(10, 1, 1);
            events.lost(20, 1, 17);
            events.idle(30, 0, -1);
            events.idle(40, 1, -1);
        });
        assertThat(BinaryReading.of(trace).lines())
                .containsExactly(
                        "cpu_idle ns=10 cpu=0 1",
                        "cpu_idle ns=10 cpu=1 1",
                        "cpu_idle ns=30 cpu=0 -1",
                        "lost ns=39 cpu=1 -1",
                        "cpu_idle ns=40 cpu=1 -1");
    }

    @Test
    void eventsWithoutACpuCannotBeWritten() {
        assertThatThrownBy(() -> written(
                        new TaskNames(), "6.1.0", events -> events.waking(7, -1, 3, SchedEvents.IN_TASK, 9, 120, 1)))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("the recording does not say on which CPUs its events happened");
    }
}
