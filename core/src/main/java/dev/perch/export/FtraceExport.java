package dev.perch.export;

import dev.perch.model.InputException;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.trace.FtraceText;
import dev.perch.trace.Recording;
import dev.perch.trace.RecordingHead;
import dev.perch.trace.RecordingSummary;
import dev.perch.trace.tracedat.TraceDatWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A recording as ftrace text or as trace.dat: its events and no more, for tools that read what the kernel and trace-cmd write. */
public final class FtraceExport {
    /** Makes what writes the events. */
    @FunctionalInterface
    private interface Target<T extends SchedEvents & Closeable> {
        T open(OutputStream out, TaskNames names);
    }

    private FtraceExport() {}

    /**
     * Writes ftrace text.
     *
     * @param about where the events come from, for the head of the file
     * @return what the recording was
     * @throws InputException the recording cannot be read, or does not say on which CPUs its events happened
     * @throws IOException the file cannot be written
     */
    public static RecordingSummary text(Recording recording, String about, Path file) throws IOException {
        RecordingHead head = recording.head();
        return write(recording, file, (out, names) -> FtraceText.of(out, names, head, about));
    }

    /**
     * Writes trace.dat; as {@link #text}.
     *
     * <p>Limitation: the release of the kernel is not written, since a recording tells it only when it has been read.
     */
    public static RecordingSummary traceDat(Recording recording, Path file) throws IOException {
        recording.head();
        return write(recording, file, (out, names) -> new TraceDatWriter(out, names, null));
    }

    private static <T extends SchedEvents & Closeable> RecordingSummary write(
            Recording recording, Path file, Target<T> target) throws IOException {
        TaskNames names = new TaskNames();
        try (OutputStream out = Files.newOutputStream(file);
                T writer = target.open(out, names)) {
            return recording.read(writer, names);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
