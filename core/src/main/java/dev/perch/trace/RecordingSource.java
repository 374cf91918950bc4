package dev.perch.trace;

import dev.perch.model.InputException;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a recording, unwrapped from gzip and zstd: as a stream, or as a file for formats that jump about.
 *
 * <p>A plain file is used in place. What comes compressed or through standard input is copied to a temporary file when a format asks for
 * {@link #channel}; the copy is deleted by {@link #close}.
 */
public final class RecordingSource implements Closeable {
    /** How much of the beginning is looked at to recognise the format, bytes. */
    public static final int HEAD = 64 * 1024;

    private final String name;
    private final @Nullable Path plainFile;
    private final InputStream content;
    private final Unwrapped unwrapped;
    private final byte[] head;
    private @Nullable Path copy;
    private @Nullable FileChannel channel;

    private RecordingSource(String name, @Nullable Path file, InputStream raw) throws IOException {
        this.name = name;
        unwrapped = new Unwrapped(raw);
        content = new BufferedInputStream(unwrapped, HEAD);
        content.mark(HEAD);
        head = content.readNBytes(HEAD);
        content.reset();
        plainFile = unwrapped.isPlain() ? file : null;
    }

    /** @throws InputException the file does not exist, is a directory, or cannot be read */
    static RecordingSource of(Path path) {
        if (Files.isDirectory(path)) {
            throw new InputException(path + " is a directory; name the file with the recording in it");
        }
        if (!Files.exists(path)) {
            throw new InputException(path + " does not exist");
        }
        InputStream raw;
        try {
            raw = Files.newInputStream(path);
        } catch (IOException e) {
            throw new InputException(path + " cannot be opened: " + e.getMessage(), e);
        }
        // A pipe or device is read as a stream.
        return of(raw, path.toString(), Files.isRegularFile(path) ? path : null);
    }

    /** Bytes that come through a stream; {@code name} is for messages. */
    static RecordingSource of(InputStream raw, String name) {
        return of(raw, name, null);
    }

    private static RecordingSource of(InputStream raw, String name, @Nullable Path file) {
        try {
            return new RecordingSource(name, file, raw);
        } catch (IOException e) {
            InputException failure = new InputException(name + " cannot be read: " + e.getMessage(), e);
            try {
                raw.close();
            } catch (IOException e2) {
                failure.addSuppressed(e2);
            }
            throw failure;
        }
    }

    /** What to call it in messages. */
    public String name() {
        return name;
    }

    /** The first bytes, {@value #HEAD} or all if there are fewer. */
    public byte[] head() {
        return head.clone();
    }

    /** The whole content from its beginning, once; not together with {@link #channel}. */
    public InputStream stream() {
        return content;
    }

    /** The whole content as a file. */
    public FileChannel channel() throws IOException {
        FileChannel opened = channel;
        if (opened == null) {
            Path file = plainFile;
            if (file == null) {
                Path temporary = Files.createTempFile("perch-recording", ".tmp");
                copy = temporary;
                Files.copy(content, temporary, StandardCopyOption.REPLACE_EXISTING);
                file = temporary;
            }
            opened = FileChannel.open(file, StandardOpenOption.READ);
            channel = opened;
        }
        return opened;
    }

    /** Whether compressed data turned out to be damaged or cut off. The content then seems to end there. */
    public boolean isDamaged() {
        return unwrapped.isDamaged();
    }

    @Override
    public void close() throws IOException {
        FileChannel opened = channel;
        Path temporary = copy;
        try {
            content.close();
        } finally {
            if (opened != null) {
                opened.close();
            }
            if (temporary != null) {
                Files.deleteIfExists(temporary);
            }
        }
    }
}
