package dev.perch.export;

import dev.perch.audit.Audit;
import dev.perch.audit.AuditOptions;
import dev.perch.model.BothEvents;
import dev.perch.model.InputException;
import dev.perch.model.TaskNames;
import dev.perch.trace.EventKind;
import dev.perch.trace.Recording;
import dev.perch.trace.RecordingSummary;
import dev.perch.trace.perfetto.PerfettoWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * A recording as a Perfetto trace: all of its events, and beside them what the audit makes of them ({@link WakeupTracks}).
 *
 * <p>The recording is read twice. What became of a wakeup is known only when it is over, while the trace tells it at the wakeup; so a first
 * reading judges, and a second one writes.
 */
public final class PerfettoExport {
    private PerfettoExport() {}

    /**
     * Writes the trace.
     *
     * @param source opens the recording anew, twice
     * @param options of the audit; what it does not report has no verdict
     * @return what the recording was
     * @throws InputException the recording cannot be read, or does not say on which CPUs its events happened
     * @throws IOException the file cannot be written
     */
    public static RecordingSummary write(Supplier<Recording> source, AuditOptions options, Path file)
            throws IOException {
        WakeupOutcomes outcomes = new WakeupOutcomes();
        RecordingSummary summary = judge(source, options, outcomes);
        try (OutputStream out = Files.newOutputStream(file)) {
            TaskNames names = new TaskNames();
            Audit audit = new Audit(options, names);
            try (PerfettoWriter trace = new PerfettoWriter(out, names, summary.kernelRelease());
                    Recording recording = source.get()) {
                WakeupTracks tracks = new WakeupTracks(
                        trace.tracks(), outcomes, audit, names, summary.count(EventKind.WAKING) == 0);
                recording.head();
                recording.read(new BothEvents(audit.events(), new BothEvents(trace, tracks)), names);
                tracks.finish();
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return summary;
    }

    private static RecordingSummary judge(
            Supplier<Recording> source, AuditOptions options, WakeupOutcomes outcomes) {
        TaskNames names = new TaskNames();
        Audit audit = new Audit(options, names);
        audit.addConsumer(outcomes);
        try (Recording recording = source.get()) {
            recording.head();
            RecordingSummary summary = recording.read(audit.events(), names);
            audit.finish();
            return summary;
        }
    }
}
