package dev.perch.trace;

import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import java.io.ByteArrayInputStream;
import java.util.Comparator;
import java.util.List;

/** Reads bytes as a recording and keeps everything that came out of it. */
record BinaryReading(RecordingSummary summary, List<String> lines, TaskNames names) {
    static BinaryReading of(byte[] bytes) {
        EventLog log = new EventLog();
        TaskNames names = new TaskNames();
        try (Recording recording = Recordings.open(new ByteArrayInputStream(bytes), "test")) {
            recording.head();
            return new BinaryReading(recording.read(log, names), log.lines(), names);
        }
    }

    static RecordingSummary summaryOf(byte[] bytes, SchedEvents sink) {
        try (Recording recording = Recordings.open(new ByteArrayInputStream(bytes), "test")) {
            recording.head();
            return recording.read(sink, new TaskNames());
        }
    }

    /** The lines by time, then CPU, then as they came: the order in which readers pass events on. */
    static List<String> inOrder(List<String> lines) {
        return lines.stream()
                .sorted(Comparator.<String>comparingLong(line -> number(line, "ns="))
                        .thenComparingLong(line -> number(line, "cpu=")))
                .toList();
    }

    private static long number(String line, String key) {
        int from = line.indexOf(key) + key.length();
        int to = line.indexOf(' ', from);
        return Long.parseLong(line.substring(from, to < 0 ? line.length() : to));
    }
}
