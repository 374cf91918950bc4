package dev.perch.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.model.InputException;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.trace.tracedat.TraceDatWriter;
import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceDatWriterTest {
    private static byte[] written(TaskNames names, Consumer<SchedEvents> events) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TraceDatWriter file = new TraceDatWriter(bytes, names, "6.9.1-test")) {
            events.accept(file);
        }
        return bytes.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void readsBackToTheSameEvents(long seed) {
        TaskNames names = new TaskNames();
        EventLog expected = new EventLog();
        new RandomSchedule(seed, 9, 1, names).run(20_000, expected);

        BinaryReading read = BinaryReading.of(
                written(names, events -> new RandomSchedule(seed, 9, 1, names).run(20_000, events)));

        assertThat(read.lines()).isEqualTo(BinaryReading.inOrder(expected.lines()));
        assertThat(read.summary().format()).isEqualTo(RecordingFormat.TRACE_DAT);
        assertThat(read.summary().kernelRelease()).isEqualTo("6.9.1-test");
        assertThat(read.summary().defects().all()).isEmpty();
    }

    @Test
    void longSilencesAreKept() {
        long day = 86_400_000_000_000L;
        assertThat(BinaryReading.of(written(new TaskNames(), events -> {
                            events.idle(5, 0, 1);
                            events.idle(5 + day, 0, -1);
                        }))
                        .lines())
                .containsExactly("cpu_idle ns=5 cpu=0 1", "cpu_idle ns=" + (5 + day) + " cpu=0 -1");
    }

    @Test
    void aLossStandsBeforeTheNextEventOfItsCpu() {
        byte[] file = written(new TaskNames(), events -> {
            events.idle(10, 1, 1);
            events.lost(20, 1, 17);
            events.idle(40, 1, -1);
        });
        assertThat(BinaryReading.of(file).lines())
                .containsExactly("cpu_idle ns=10 cpu=1 1", "lost ns=40 cpu=1 17", "cpu_idle ns=40 cpu=1 -1");
    }

    @Test
    void eventsWithoutACpuCannotBeWritten() {
        assertThatThrownBy(() -> written(
                        new TaskNames(), events -> events.waking(7, -1, 3, SchedEvents.IN_TASK, 9, 120, 1)))
                .isInstanceOf(InputException.class)
                .hasMessageStartingWith("the recording does not say on which CPUs its events happened");
    }
}
