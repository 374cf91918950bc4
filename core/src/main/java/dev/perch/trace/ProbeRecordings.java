package dev.perch.trace;

import dev.perch.model.InputException;
import dev.perch.model.ProbedDecisions;
import dev.perch.model.TaskNames;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/**
 * Recordings of the placement probes: ftrace text in which the kprobes of docs/probes.md print every placement decision. Compressed files are
 * unwrapped; nothing is held in memory but the decisions under way, one a CPU.
 */
public final class ProbeRecordings {
    private ProbeRecordings() {}

    /**
     * Reads a recording through.
     *
     * @param sink gets the decisions in the order in which the kernel returned them
     * @param names gets what the wakers are called
     * @throws InputException the file cannot be read, is no ftrace text, or has no decision in it
     */
    public static ProbeSummary read(Path path, TaskNames names, ProbedDecisions sink) {
        return read(RecordingSource.of(path), names, sink);
    }

    /**
     * As {@link #read(Path, TaskNames, ProbedDecisions)}, from a stream that is closed in the end.
     *
     * @param name what to call it in messages
     */
    public static ProbeSummary read(InputStream in, String name, TaskNames names, ProbedDecisions sink) {
        return read(RecordingSource.of(in, name), names, sink);
    }

    private static ProbeSummary read(RecordingSource source, TaskNames names, ProbedDecisions sink) {
        try (source) {
            if (new TextReader().recognise(source.head()) == null) {
                throw new InputException(
                        source.name() + ": " + UnknownContent.describe(source.head(), source.isDamaged())
                                + "; the placement probes are read from ftrace text only");
            }
            ProbeReading reading = new ProbeReading(new Lines(source.stream()), names, sink);
            ProbeSummary summary = reading.run();
            if (source.isDamaged()) {
                summary.defects().add(DefectKind.CUT_OFF_COMPRESSION, -1);
            }
            if (summary.decisions() == 0) {
                throw new InputException(source.name() + " " + reading.missing());
            }
            return summary;
        } catch (IOException e) {
            throw new InputException(source.name() + " cannot be read: " + e.getMessage(), e);
        }
    }
}
