package dev.perch.host.record;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * {@code struct perf_event_attr} of the events of a recording, in its form of Linux 4.1, which every later kernel and perf understands.
 *
 * <p>All samples hold the same, so that one layout serves all: id of the event, instruction pointer, task, time, CPU, period, and a
 * tracepoint's own record.
 *
 * <p>Source: include/uapi/linux/perf_event.h, perf_event_open(2).
 */
final class PerfAttribute {
    /** PERF_ATTR_SIZE_VER5. */
    static final int SIZE = 112;

    /** Where a sample's time stands, from the beginning of its record. */
    static final int SAMPLE_TIME = 32;

    /** What ends every record that is no sample: task, time, CPU and id of the event. */
    static final int TRAILER_SIZE = 32;

    private static final int TYPE_SOFTWARE = 1;
    private static final int TYPE_TRACEPOINT = 2;
    private static final int SOFTWARE_DUMMY = 9;

    private static final int SAMPLE_IP = 1;
    private static final int SAMPLE_TID = 1 << 1;
    private static final int SAMPLE_WHEN = 1 << 2;
    private static final int SAMPLE_CPU = 1 << 7;
    private static final int SAMPLE_PERIOD = 1 << 8;
    private static final int SAMPLE_RAW = 1 << 10;
    private static final int SAMPLE_IDENTIFIER = 1 << 16;
    private static final int TASK_SAMPLE = SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID | SAMPLE_WHEN | SAMPLE_CPU;

    private static final int READ_FORMAT = 32;
    private static final int WAKEUP_WATERMARK = 48;
    private static final int FORMAT_ID = 1 << 2;
    private static final int FORMAT_LOST = 1 << 4;

    private static final int DISABLED = 1;
    private static final int COMM = 1 << 9;
    private static final int TASK = 1 << 13;
    private static final int WATERMARK = 1 << 14;
    private static final int SAMPLE_ID_ALL = 1 << 18;
    private static final int COMM_EXEC = 1 << 24;

    private PerfAttribute() {}

    /** Every pass of the tracepoint with this id. */
    static byte[] tracepoint(long id) {
        return of(TYPE_TRACEPOINT, id, 1, TASK_SAMPLE | SAMPLE_PERIOD | SAMPLE_RAW, DISABLED | SAMPLE_ID_ALL);
    }

    /**
     * No samples; records of tasks that begin and end, and change their names.
     *
     * @param names whether of their names: in a PID namespace of its own the kernel numbers tasks in these records otherwise than in tracepoints,
     *     so that names would be given to other tasks
     */
    static byte[] tasks(boolean names) {
        return of(
                TYPE_SOFTWARE,
                SOFTWARE_DUMMY,
                0,
                TASK_SAMPLE,
                DISABLED | (names ? COMM | COMM_EXEC : 0) | TASK | WATERMARK | SAMPLE_ID_ALL);
    }

    /** Lets a read of the event also tell how many of its samples were dropped, which kernels from 6.0 on can. */
    static void countLost(byte[] attribute) {
        attribute[READ_FORMAT] |= FORMAT_LOST;
    }

    static void doNotCountLost(byte[] attribute) {
        attribute[READ_FORMAT] &= ~FORMAT_LOST;
    }

    /** Whoever waits for the event's ring is woken whenever so many more bytes are in it; the event must be one of {@link #tasks}. */
    static void wakeEvery(byte[] attribute, int bytes) {
        ByteBuffer.wrap(attribute).order(ByteOrder.nativeOrder()).putInt(WAKEUP_WATERMARK, bytes);
    }

    private static byte[] of(int type, long config, long period, int sample, int flags) {
        ByteSink attribute = new ByteSink()
                .u32(type)
                .u32(SIZE)
                .u64(config)
                .u64(period)
                .u64(sample)
                .u64(FORMAT_ID)
                .u64(flags);
        return attribute.zeros(SIZE - attribute.size()).toBytes();
    }
}
