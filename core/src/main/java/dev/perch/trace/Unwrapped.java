package dev.perch.trace;

import io.airlift.compress.v3.MalformedInputException;
import io.airlift.compress.v3.zstd.ZstdInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * The content inside gzip and zstd, however often it is wrapped (at most {@value #MAX_LAYERS} times); frames one after the other are one
 * content. Bytes that are neither pass as they are.
 *
 * <p>Damaged compressed data ends the content, and {@link #isDamaged} then says so: what lies before the damage is worth reading.
 *
 * <p>Limitation: zstd frames with a window above 8 MiB ({@code zstd --long}, {@code --ultra -22}) and skippable frames ({@code pzstd})
 * count as damaged. Of a damaged zstd frame, up to a window of what lies before the damage (1 to 8 MiB, often all) is not given out.
 */
final class Unwrapped extends InputStream {
    static final int MAX_LAYERS = 4;
    private static final int MAGIC = 4;

    private final InputStream in;
    private final boolean plain;
    private boolean damaged;
    private final byte[] one = new byte[1];

    Unwrapped(InputStream raw) throws IOException {
        PushbackInputStream layer = new PushbackInputStream(raw, MAGIC);
        boolean wrapped = false;
        for (int i = 0; i < MAX_LAYERS; i++) {
            byte[] magic;
            try {
                magic = layer.readNBytes(MAGIC);
            } catch (IOException | RuntimeException e) {
                if (!wrapped) {
                    throw e;
                }
                damaged = true;
                break;
            }
            layer.unread(magic);
            InputStream inner;
            if (isGzip(magic)) {
                try {
                    inner = new GZIPInputStream(layer, 64 * 1024);
                } catch (EOFException | ZipException e) {
                    damaged = true;
                    break;
                }
            } else if (isZstd(magic)) {
                inner = new ZstdInputStream(layer);
            } else {
                break;
            }
            wrapped = true;
            layer = new PushbackInputStream(inner, MAGIC);
        }
        plain = !wrapped;
        in = layer;
    }

    private static boolean isGzip(byte[] magic) {
        return magic.length >= 2 && magic[0] == 0x1f && magic[1] == (byte) 0x8b;
    }

    private static boolean isZstd(byte[] magic) {
        return magic.length == MAGIC
                && magic[0] == 0x28
                && magic[1] == (byte) 0xb5
                && magic[2] == 0x2f
                && magic[3] == (byte) 0xfd;
    }

    /** Whether the content was not compressed at all. */
    boolean isPlain() {
        return plain;
    }

    boolean isDamaged() {
        return damaged;
    }

    @Override
    public int read() throws IOException {
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        if (damaged) {
            return -1;
        }
        if (plain) {
            return in.read(bytes, from, length);
        }
        try {
            return in.read(bytes, from, length);
        } catch (IOException | MalformedInputException e) {
            // A cut-off zstd frame is a plain IOException, like a failing disk; for what can be read, both are the end.
            damaged = true;
            return -1;
        } catch (IndexOutOfBoundsException | IllegalArgumentException | IllegalStateException e) {
            // What the zstd decoder does with bytes that no encoder writes.
            damaged = true;
            return -1;
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
