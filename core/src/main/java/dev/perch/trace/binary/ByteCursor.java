package dev.perch.trace.binary;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads numbers and texts one after the other from a stretch of a file or from bytes in memory.
 *
 * <p>Lengths are checked against what is left before anything is allocated. For headers and tables; too slow for events.
 */
public final class ByteCursor {
    private static final int BUFFER = 64 * 1024;

    private final @Nullable FileChannel file;
    private final long limit;
    private ByteOrderReader order = ByteOrderReader.LITTLE;
    private byte[] buffer;
    private long bufferStart;
    private int bufferEnd;
    private long position;

    private ByteCursor(@Nullable FileChannel file, byte[] buffer, int bufferEnd, long from, long limit) {
        this.file = file;
        this.buffer = buffer;
        this.bufferStart = from;
        this.bufferEnd = bufferEnd;
        this.position = from;
        this.limit = limit;
    }

    /** The bytes {@code from} (included) to {@code to} (excluded) of a file; less if the file is shorter. */
    public static ByteCursor of(FileChannel file, long from, long to) throws IOException {
        long size = file.size();
        long start = Math.clamp(from, 0, size);
        return new ByteCursor(file, new byte[BUFFER], 0, start, Math.clamp(to, start, size));
    }

    /** All of {@code bytes}. */
    public static ByteCursor of(byte[] bytes) {
        return new ByteCursor(null, bytes, bytes.length, 0, bytes.length);
    }

    public void order(ByteOrderReader found) {
        order = found;
    }

    public ByteOrderReader order() {
        return order;
    }

    /** Byte offset of what comes next. */
    public long position() {
        return position;
    }

    /** How many bytes are left. */
    public long remaining() {
        return limit - position;
    }

    /** Makes {@code count} bytes available in the buffer and returns where they begin there. */
    private int need(int count) throws IOException {
        if (count > limit - position) {
            throw new DamageException("ends in the middle of its headers", position);
        }
        long at = position - bufferStart;
        if (at < 0 || at + count > bufferEnd) {
            fill(count);
            at = 0;
        }
        position += count;
        return (int) at;
    }

    private void fill(int count) throws IOException {
        FileChannel channel = file;
        if (channel == null) {
            throw new DamageException("ends in the middle of its headers", position);
        }
        if (buffer.length < count) {
            buffer = new byte[count];
        }
        ByteBuffer target = ByteBuffer.wrap(buffer, 0, (int) Math.min(buffer.length, limit - position));
        bufferStart = position;
        bufferEnd = 0;
        while (target.hasRemaining()) {
            int read = channel.read(target, bufferStart + target.position());
            if (read < 0) {
                break;
            }
        }
        bufferEnd = target.position();
        if (bufferEnd < count) {
            throw new DamageException("ends in the middle of its headers", position);
        }
    }

    public int u8() throws IOException {
        int at = need(1);
        return buffer[at] & 0xff;
    }

    public int u16() throws IOException {
        int at = need(2);
        return order.u16(buffer, at);
    }

    public long u32() throws IOException {
        int at = need(4);
        return order.u32(buffer, at);
    }

    public long s64() throws IOException {
        int at = need(8);
        return order.s64(buffer, at);
    }

    /** A length of 32 bits that what is left must hold. */
    public long length32() throws IOException {
        return checked(u32());
    }

    /** A length of 64 bits that what is left must hold. */
    public long length64() throws IOException {
        return checked(s64());
    }

    private long checked(long length) throws DamageException {
        if (length < 0 || length > remaining()) {
            throw new DamageException(
                    "has a part that is said to be " + Long.toUnsignedString(length) + " bytes long, but only "
                            + remaining() + " bytes are left",
                    position);
        }
        return length;
    }

    /** The next {@code count} bytes, at most {@code most}. */
    public byte[] bytes(long count, int most) throws IOException {
        checked(count);
        if (count > most) {
            throw new DamageException("has a part of " + count + " bytes, which is more than it can have", position);
        }
        int length = (int) count;
        byte[] result = new byte[length];
        int done = 0;
        while (done < length) {
            int piece = Math.min(length - done, BUFFER);
            int at = need(piece);
            System.arraycopy(buffer, at, result, done, piece);
            done += piece;
        }
        return result;
    }

    public void skip(long count) throws IOException {
        position += checked(count);
    }

    /** The text up to the next NUL, which is consumed; at most {@code most} bytes. */
    public String text(int most) throws IOException {
        byte[] bytes = new byte[most];
        for (int length = 0; length < most; length++) {
            int next = u8();
            if (next == 0) {
                return new String(bytes, 0, length, StandardCharsets.UTF_8);
            }
            bytes[length] = (byte) next;
        }
        throw new DamageException("has a name that does not end", position);
    }

    /** Goes on if the next bytes are {@code expected}, in ASCII; else complains about the part called so. */
    public void expect(String expected, String part) throws IOException {
        byte[] wanted = expected.getBytes(StandardCharsets.ISO_8859_1);
        if (!Arrays.equals(bytes(Math.min(wanted.length, remaining()), wanted.length), wanted)) {
            throw new DamageException("has no " + part + " where it should be", position);
        }
    }
}
