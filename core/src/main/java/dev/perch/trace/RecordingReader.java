package dev.perch.trace;

import java.io.IOException;

/**
 * Knows one family of formats by its content, and how to read it. Has no state: one object serves all recordings.
 *
 * <p>Readers of binary formats are found as services ({@code META-INF/services}), so that their packages may use this one.
 */
public interface RecordingReader {
    /**
     * The format of a recording that begins with {@code head}; null if it is none of this reader's.
     *
     * @param head the first bytes, {@value RecordingSource#HEAD} or all if there are fewer
     */
    @org.jspecify.annotations.Nullable
    RecordingFormat recognise(byte[] head);

    /** Whether places of defects are lines or bytes. */
    Defects.Place places();

    /**
     * What the recording tells without being read through; {@link #read} can follow. Damage is left for that to report.
     *
     * @throws IOException the source fails
     */
    default RecordingHead head(RecordingSource source) throws IOException {
        return RecordingHead.NOTHING;
    }

    /**
     * Reads all of {@code source} into {@code reading}.
     *
     * @throws IOException the source fails; damage of compressed data is no failure, it looks like the end of the content
     */
    void read(RecordingFormat format, RecordingSource source, Reading reading) throws IOException;
}
