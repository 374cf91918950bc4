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
 * <p>Limitation: zstd frames with a window above 8 MiB ({@code zstd --long}, {@code --ultra -22}) count as damaged.
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
            } catch (EOFException | ZipException | RuntimeException e) {
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

    /** A frame, or a skippable frame (0x184D2A50 … 5F) as some writers put first. */
    private static boolean isZstd(byte[] magic) {
        if (magic.length < MAGIC) {
            return false;
        }
        int word = magic[0] & 0xff | (magic[1] & 0xff) << 8 | (magic[2] & 0xff) << 16 | magic[3] << 24;
        return word == 0xFD2FB528 || (word & 0xFFFFFFF0) == 0x184D2A50;
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
        } catch (EOFException | ZipException | MalformedInputException e) {
            damaged = true;
            return -1;
        } catch (IOException e) {
            // ZstdInputStream reports a cut-off frame so; a failing disk looks the same and is as good as the end.
            damaged = true;
            return -1;
        } catch (IndexOutOfBoundsException | IllegalArgumentException | IllegalStateException | ArithmeticException e) {
            damaged = true;
            return -1;
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
