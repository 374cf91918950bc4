package dev.perch.trace.binary;

import dev.perch.model.TaskNames;
import dev.perch.trace.DefectKind;
import dev.perch.trace.Reading;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The description of a machine's tracing that trace-cmd writes into a trace.dat and perf into a perf.data: byte order, size of {@code long}
 * and of a page, layout of a ring-buffer page, event descriptions, names of tasks.
 *
 * <p>Source: trace-cmd's Documentation/trace-cmd/trace-cmd.dat.v6.5.txt and v7; perf's tools/perf/util/trace-event-info.c. perf writes the
 * same as version 0.6.
 */
public final class TracingData {
    /** With what both kinds of file begin. */
    public static final String MAGIC = "\27\10\104tracing";

    private static final int MAX_VERSION = 16;
    private static final int MAX_FORMAT = 1 << 20;
    private static final int MAX_FORMATS = 1 << 16;
    private static final int MAX_NAME = 256;
    private static final int MAX_COMMAND_LINES = 1 << 28;

    private final String version;
    private final ByteOrderReader order;
    private final int longSize;
    private final int pageSize;
    private final EventFormats formats;
    private RingBufferLayout layout;

    private TracingData(String version, ByteOrderReader order, int longSize, int pageSize) {
        this.version = version;
        this.order = order;
        this.longSize = longSize;
        this.pageSize = pageSize;
        this.formats = new EventFormats(order, longSize);
        this.layout = RingBufferLayout.usual(longSize);
    }

    /** Reads what comes first, up to the page size; what follows depends on the version. */
    public static TracingData readStart(ByteCursor in) throws IOException {
        in.expect(MAGIC, "tracing data");
        String version = in.text(MAX_VERSION);
        ByteOrderReader order = ByteOrderReader.of(in.u8() == 1);
        int longSize = in.u8();
        if (longSize != 4 && longSize != 8) {
            throw new DamageException("says that a long has " + longSize + " bytes", in.position());
        }
        in.order(order);
        long pageSize = in.u32();
        if (pageSize < 64 || pageSize > 1 << 26) {
            throw new DamageException("says that a page has " + pageSize + " bytes", in.position());
        }
        return new TracingData(version, order, longSize, (int) pageSize);
    }

    /** Reads all of what perf writes, and trace-cmd up to version 6, between the start and the number of CPUs. */
    public void readRest(ByteCursor in, Reading reading) throws IOException {
        readHeaderFiles(in);
        readFtraceFormats(in, reading);
        readEventFormats(in, reading);
        in.skip(in.length32()); // kallsyms
        in.skip(in.length32()); // printk formats
        if (!version.equals("0.5")) {
            readCommandLines(in, in.length64(), reading.names());
        }
    }

    /** Reads the layout of a page. */
    public void readHeaderFiles(ByteCursor in) throws IOException {
        in.expect("header_page\0", "header_page");
        layout = RingBufferLayout.of(EventFormat.parseFields(text(in, in.length64())), longSize);
        in.expect("header_event\0", "header_event");
        in.skip(in.length64());
    }

    /** Reads the descriptions of the tracers' own events. */
    public void readFtraceFormats(ByteCursor in, Reading reading) throws IOException {
        readFormats(in, in.u32(), reading);
    }

    /** Reads the descriptions of tracepoints, by system. */
    public void readEventFormats(ByteCursor in, Reading reading) throws IOException {
        long systems = in.u32();
        for (long system = 0; system < systems; system++) {
            in.text(MAX_NAME);
            readFormats(in, in.u32(), reading);
        }
    }

    private void readFormats(ByteCursor in, long count, Reading reading) throws IOException {
        if (count > MAX_FORMATS) {
            throw new DamageException("says that it describes " + count + " kinds of event", in.position());
        }
        for (long i = 0; i < count; i++) {
            long place = in.position();
            if (!formats.add(text(in, in.length64()))) {
                reading.defects().add(DefectKind.CORRUPT_RECORD, place);
            }
        }
    }

    /** Reads {@code size} bytes of lines with a pid and the name of its task. */
    public static void readCommandLines(ByteCursor in, long size, TaskNames names) throws IOException {
        byte[] lines = in.bytes(size, MAX_COMMAND_LINES);
        int start = 0;
        for (int at = 0; at <= lines.length; at++) {
            if (at == lines.length || lines[at] == '\n') {
                learn(lines, start, at, names);
                start = at + 1;
            }
        }
    }

    private static void learn(byte[] lines, int from, int to, TaskNames names) {
        int at = from;
        long pid = 0;
        while (at < to && lines[at] >= '0' && lines[at] <= '9' && pid <= Integer.MAX_VALUE) {
            pid = pid * 10 + lines[at] - '0';
            at++;
        }
        if (at > from && at < to && lines[at] == ' ' && pid > 0 && pid <= Integer.MAX_VALUE) {
            names.learn((int) pid, lines, at + 1, to);
        }
    }

    private static String text(ByteCursor in, long size) throws IOException {
        // Names in descriptions are ASCII; anything else must not change lengths.
        return new String(in.bytes(size, MAX_FORMAT), StandardCharsets.ISO_8859_1);
    }

    public String version() {
        return version;
    }

    public ByteOrderReader order() {
        return order;
    }

    /** Bytes of a ring-buffer page. */
    public int pageSize() {
        return pageSize;
    }

    public EventFormats formats() {
        return formats;
    }

    public RingBufferLayout layout() {
        return layout;
    }
}
