package dev.perch.trace;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Knows the three formats that are lines of text by trying their lines, and reads them. */
final class TextReader implements RecordingReader {
    private static final byte[] TRACER = TextCursor.literal("# tracer:");
    private static final byte[] CPUS = TextCursor.literal("cpus=");

    @Override
    public Defects.Place places() {
        return Defects.Place.LINE;
    }

    @Override
    public @Nullable RecordingFormat recognise(byte[] head) {
        if (head.length == 0 || head[0] == '{' || head[0] == '<' || hasZero(head)) {
            return null;
        }
        try {
            return recogniseLines(head);
        } catch (IOException e) {
            throw new IllegalStateException("memory cannot be read", e);
        }
    }

    private static @Nullable RecordingFormat recogniseLines(byte[] head) throws IOException {
        if (startsWith(head, TRACER)) {
            return RecordingFormat.FTRACE_TEXT;
        }
        if (startsWith(head, CPUS)) {
            return RecordingFormat.TRACE_CMD_REPORT;
        }
        Lines lines = new Lines(new ByteArrayInputStream(head));
        RecordPrefix ftrace = new FtracePrefix();
        RecordPrefix perf = new PerfPrefix();
        int ftraceLines = 0;
        int traceCmdLines = 0;
        int perfLines = 0;
        while (lines.next()) {
            byte[] bytes = lines.bytes();
            int start = lines.start();
            int end = lines.end();
            if (start < end && bytes[start] == '#') {
                continue;
            }
            if (ftrace.read(bytes, start, end)) {
                ftraceLines++;
                // trace-cmd pads the event's name, the kernel does not.
                if (ftrace.eventTo > ftrace.eventFrom && ftrace.bodyFrom - ftrace.eventTo > 2) {
                    traceCmdLines++;
                }
            } else if (perf.read(bytes, start, end) && perf.eventTo > perf.eventFrom) {
                perfLines++;
            }
        }
        if (perfLines > ftraceLines) {
            return RecordingFormat.PERF_SCRIPT;
        }
        if (ftraceLines == 0) {
            return null;
        }
        return traceCmdLines * 2 > ftraceLines ? RecordingFormat.TRACE_CMD_REPORT : RecordingFormat.FTRACE_TEXT;
    }

    private static boolean startsWith(byte[] head, byte[] start) {
        return new String(head, 0, Math.min(head.length, start.length), StandardCharsets.ISO_8859_1)
                .equals(new String(start, StandardCharsets.ISO_8859_1));
    }

    /** A name cannot hold a zero byte, so that text has none. */
    private static boolean hasZero(byte[] head) {
        for (int i = 0; i < Math.min(head.length, 4096); i++) {
            if (head[i] == 0) {
                return true;
            }
        }
        return false;
    }

    @Override
    public RecordingHead head(RecordingSource source) {
        return TextHead.read(source.head());
    }

    @Override
    public void read(RecordingFormat format, RecordingSource source, Reading reading) throws IOException {
        RecordPrefix prefix = format == RecordingFormat.PERF_SCRIPT ? new PerfPrefix() : new FtracePrefix();
        new TextReading(new Lines(source.stream()), prefix, reading).run();
    }
}
