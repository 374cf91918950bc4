package dev.perch.trace.tracedat;

import dev.perch.trace.Defects;
import dev.perch.trace.Reading;
import dev.perch.trace.RecordingFormat;
import dev.perch.trace.RecordingHead;
import dev.perch.trace.RecordingReader;
import dev.perch.trace.RecordingSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Recognises trace.dat by its first bytes and has {@link TraceDat} read it. */
public final class TraceDatReader implements RecordingReader {
    @Override
    public @Nullable RecordingFormat recognise(byte[] head) {
        return startsWith(head, TraceDat.MAGIC) ? RecordingFormat.TRACE_DAT : null;
    }

    private static boolean startsWith(byte[] head, String magic) {
        byte[] bytes = magic.getBytes(StandardCharsets.ISO_8859_1);
        return head.length >= bytes.length && Arrays.equals(head, 0, bytes.length, bytes, 0, bytes.length);
    }

    @Override
    public Defects.Place places() {
        return Defects.Place.BYTE;
    }

    @Override
    public RecordingHead head(RecordingSource source) throws IOException {
        return RecordingHead.of(TraceDat.topology(source.channel(), source.name()));
    }

    @Override
    public void read(RecordingFormat format, RecordingSource source, Reading reading) throws IOException {
        TraceDat.read(source.channel(), source.name(), reading);
    }
}
