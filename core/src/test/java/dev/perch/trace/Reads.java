package dev.perch.trace;

import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads recordings for tests. */
final class Reads {
    private Reads() {}

    static RecordingSummary bytes(byte[] bytes, SchedEvents sink, TaskNames names) {
        try (Recording recording = Recordings.open(new ByteArrayInputStream(bytes), "test")) {
            recording.head();
            return recording.read(sink, names);
        }
    }

    static RecordingSummary bytes(byte[] bytes) {
        return bytes(bytes, new SchedEvents() {}, new TaskNames());
    }

    static RecordingSummary text(String text) {
        return bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    static List<String> events(String text) {
        EventLog log = new EventLog();
        bytes(text.getBytes(StandardCharsets.UTF_8), log, new TaskNames());
        return log.lines();
    }

    static byte[] resource(String name) {
        try (InputStream in = Reads.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalArgumentException("no resource " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
