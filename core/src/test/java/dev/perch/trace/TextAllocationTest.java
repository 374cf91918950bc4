package dev.perch.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Memory does not grow with the recording: reading ten times as many events allocates no more. */
class TextAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int EVENTS = 20_000;

    /** A few objects of the class library and the compiler's moods; one object an event would be 16 bytes for each of 18,000. */
    private static final long TOLERANCE = 64 * 1024;

    private static long allocated(byte[] text, TaskNames names) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        Reads.bytes(text, new SchedEvents() {}, names);
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    private static byte[] written(TextFixture.Style style, int events) {
        TaskNames names = new TaskNames();
        TextFixture fixture = new TextFixture(style, names);
        new RandomSchedule(1, 4, style.step(), names).run(events, fixture);
        return fixture.bytes();
    }

    @ParameterizedTest
    @EnumSource(
            value = TextFixture.Style.class,
            names = {"FTRACE", "TRACE_CMD", "PERF"})
    void readingAllocatesNothingAnEvent(TextFixture.Style style) {
        byte[] few = written(style, EVENTS / 10);
        byte[] many = written(style, EVENTS);
        TaskNames names = new TaskNames();
        allocated(many, names);
        long forFew = allocated(few, names);
        assertThat(allocated(many, names)).isLessThan(forFew + TOLERANCE);
    }

    @Test
    void writingAllocatesNothingAnEvent() {
        TaskNames names = new TaskNames();
        ByteArrayOutputStream out = new ByteArrayOutputStream(8 << 20);
        try (FtraceText text = new FtraceText(out, names, "allocation")) {
            names.learn(7, "a task");
            write(text, 10);
            long before = THREADS.getCurrentThreadAllocatedBytes();
            write(text, EVENTS);
            assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(TOLERANCE);
        }
    }

    private static void write(SchedEvents events, int count) {
        for (int i = 0; i < count; i++) {
            events.waking(i, 1, 7, SchedEvents.IN_TASK, 7, 120, 2);
        }
    }
}
