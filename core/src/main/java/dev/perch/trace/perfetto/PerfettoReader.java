package dev.perch.trace.perfetto;

import dev.perch.trace.Defects;
import dev.perch.trace.Reading;
import dev.perch.trace.RecordingFormat;
import dev.perch.trace.RecordingReader;
import dev.perch.trace.RecordingSource;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Recognises a Perfetto trace by its first packets and has {@link PerfettoTrace} read it. */
public final class PerfettoReader implements RecordingReader {
    @Override
    public @Nullable RecordingFormat recognise(byte[] head) {
        return PerfettoTrace.isTrace(head) ? RecordingFormat.PERFETTO : null;
    }

    @Override
    public Defects.Place places() {
        return Defects.Place.BYTE;
    }

    @Override
    public void read(RecordingFormat format, RecordingSource source, Reading reading) throws IOException {
        PerfettoTrace.read(source.channel(), reading);
    }
}
