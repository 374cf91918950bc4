package dev.perch.trace;

import dev.perch.trace.perfetto.PerfettoTrace;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Recognises a Perfetto trace by its first packets and has {@link PerfettoTrace} read it. */
final class PerfettoReader implements RecordingReader {
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
