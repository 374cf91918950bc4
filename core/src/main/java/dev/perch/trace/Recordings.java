package dev.perch.trace;

import dev.perch.model.InputException;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** Opens recordings: looks at the content, never at the name, to tell the format. */
public final class Recordings {
    /** One a format family; the first that recognises a recording reads it. */
    private static final List<RecordingReader> READERS = readers();

    private Recordings() {}

    /** Text last: what is none of the binary formats may be text. */
    private static List<RecordingReader> readers() {
        List<RecordingReader> readers = new ArrayList<>();
        ServiceLoader.load(RecordingReader.class, RecordingReader.class.getClassLoader())
                .forEach(readers::add);
        readers.add(new TextReader());
        return List.copyOf(readers);
    }

    /**
     * Opens a file.
     *
     * @throws InputException the file cannot be read, or is none of the formats; the message says what it looks like
     */
    public static Recording open(Path path) {
        return open(RecordingSource.of(path));
    }

    /**
     * Opens what comes through a stream, such as standard input. Nothing is read beyond the beginning yet.
     *
     * @param name what to call it in messages
     * @throws InputException it cannot be read, or is none of the formats; the message says what it looks like
     */
    public static Recording open(InputStream in, String name) {
        return open(RecordingSource.of(in, name));
    }

    private static Recording open(RecordingSource source) {
        byte[] head = source.head();
        for (RecordingReader reader : READERS) {
            RecordingFormat format = reader.recognise(head);
            if (format != null) {
                return new Opened(format, reader, source);
            }
        }
        String problem = source.name() + ": " + UnknownContent.describe(head, source.isDamaged());
        try {
            source.close();
        } catch (IOException e) {
            throw new InputException(problem, e);
        }
        throw new InputException(problem);
    }

    private record Opened(RecordingFormat format, RecordingReader reader, RecordingSource source) implements Recording {
        @Override
        public RecordingHead head() {
            try {
                return reader.head(source);
            } catch (IOException e) {
                throw new InputException(source.name() + " cannot be read: " + e.getMessage(), e);
            }
        }

        @Override
        public RecordingSummary read(SchedEvents sink, TaskNames names) {
            Reading reading = new Reading(sink, names, reader.places());
            try {
                reader.read(format, source, reading);
            } catch (IOException e) {
                throw new InputException(source.name() + " cannot be read: " + e.getMessage(), e);
            }
            if (source.isDamaged()) {
                reading.defects().add(DefectKind.CUT_OFF_COMPRESSION, -1);
            }
            RecordingSummary summary = reading.summary(format);
            if (summary.count(EventKind.SWITCH) == 0) {
                reading.defects().note(DefectKind.NO_SCHED_SWITCH, -1);
            }
            return summary;
        }

        @Override
        public void close() {
            try {
                source.close();
            } catch (IOException e) {
                throw new InputException(source.name() + " cannot be closed: " + e.getMessage(), e);
            }
        }
    }
}
