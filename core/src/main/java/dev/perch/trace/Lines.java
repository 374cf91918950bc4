package dev.perch.trace;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A stream cut into lines, in one buffer that is used again and again.
 *
 * <p>The byte at {@link #end} is always the newline, or a newline put there where the stream ends without one.
 */
final class Lines {
    /** Longest line, bytes. No record comes near it. */
    static final int MAX_LENGTH = 64 * 1024;

    private static final int SIZE = 4 * MAX_LENGTH;
    private static final int SLACK = Long.BYTES + 1;
    private static final long NEWLINES = 0x0A0A0A0A0A0A0A0AL;
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final InputStream in;
    private final byte[] buffer = new byte[SIZE + SLACK];
    private int limit;
    private boolean exhausted;
    private int start;
    private int end = -1;
    private long number;
    private int joined = 1;
    private boolean tooLong;

    Lines(InputStream in) {
        this.in = in;
    }

    /** The buffer; valid until the next {@link #next} or {@link #join}, which may move everything. */
    byte[] bytes() {
        return buffer;
    }

    /** First byte of the line. */
    int start() {
        return start;
    }

    /** After the last byte of the line: its newline. */
    int end() {
        return end;
    }

    /** Number of the line, from 1; of its first line if some were joined. */
    long number() {
        return number;
    }

    /** Whether this is the last line and has no newline: it may be cut off. */
    boolean isCutOff() {
        return exhausted && end == limit;
    }

    /** Whether the line is longer than {@link #MAX_LENGTH}; its bytes are then only the beginning. */
    boolean isTooLong() {
        return tooLong;
    }

    /** Goes to the next line; false at the end of the stream. */
    boolean next() throws IOException {
        if (tooLong) {
            skipRestOfLine();
        }
        start = end + 1;
        number += joined;
        joined = 1;
        tooLong = false;
        if (start > limit) {
            start = limit;
        }
        int newline = newline(start);
        if (newline < 0) {
            if (start == limit) {
                end = limit - 1;
                return false;
            }
            // The last line, without a newline; or one that is too long.
            end = limit;
            tooLong = !exhausted;
            buffer[end] = '\n';
        } else {
            end = newline;
            tooLong = end - start > MAX_LENGTH;
        }
        return true;
    }

    /** Makes the next line a part of this one, with the newline between them; false if there is none or both are too long together. */
    boolean join() throws IOException {
        if (tooLong || end >= limit) {
            return false;
        }
        int length = end - start;
        int newline = newline(end + 1);
        end = start + length;
        if (newline < 0 || newline - start > MAX_LENGTH) {
            return false;
        }
        end = newline;
        joined++;
        return true;
    }

    /** Takes back all joins: the line ends again where it ended {@code length} bytes after its start. */
    void split(int length) {
        end = start + length;
        joined = 1;
    }

    private void skipRestOfLine() throws IOException {
        while (true) {
            int newline = scan(end, limit);
            if (newline >= 0) {
                end = newline;
                return;
            }
            limit = 0;
            start = 0;
            end = 0;
            if (!fill()) {
                end = -1;
                return;
            }
        }
    }

    /** The next newline at {@code from} or later, having read on if necessary; −1 if there is none within the buffer. */
    private int newline(int from) throws IOException {
        int scanned = from;
        while (true) {
            int found = scan(scanned, limit);
            if (found >= 0) {
                return found;
            }
            scanned = limit;
            if (exhausted) {
                return -1;
            }
            if (limit == SIZE) {
                if (start == 0) {
                    return -1;
                }
                System.arraycopy(buffer, start, buffer, 0, limit - start);
                limit -= start;
                scanned -= start;
                start = 0;
            }
            fill();
        }
    }

    private boolean fill() throws IOException {
        int count = in.read(buffer, limit, SIZE - limit);
        if (count < 0) {
            exhausted = true;
            return false;
        }
        limit += count;
        return true;
    }

    /** Looks at eight bytes at once: a byte of the word is zero where the buffer has a newline. */
    private int scan(int from, int to) {
        byte[] bytes = buffer;
        int at = from;
        while (at < to) {
            long word = (long) WORD.get(bytes, at) ^ NEWLINES;
            long zeros = word - 0x0101010101010101L & ~word & 0x8080808080808080L;
            if (zeros != 0) {
                int found = at + (Long.numberOfTrailingZeros(zeros) >>> 3);
                return found < to ? found : -1;
            }
            at += Long.BYTES;
        }
        return -1;
    }
}
