package dev.perch.store.parquet;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes that grow, with the encodings that Parquet's pages are made of; little-endian throughout. */
final class Bytes {
    private byte[] bytes = new byte[1 << 12];
    private int size;

    int size() {
        return size;
    }

    byte[] array() {
        return bytes;
    }

    void clear() {
        size = 0;
    }

    private void reserve(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }

    void add(int value) {
        reserve(1);
        bytes[size++] = (byte) value;
    }

    /** The low {@code count} bytes of {@code value}. */
    void addLittleEndian(long value, int count) {
        reserve(count);
        for (int i = 0; i < count; i++) {
            bytes[size++] = (byte) (value >>> 8 * i);
        }
    }

    void addAll(byte[] more) {
        reserve(more.length);
        System.arraycopy(more, 0, bytes, size, more.length);
        size += more.length;
    }

    void addUtf8(String text) {
        addAll(text.getBytes(StandardCharsets.UTF_8));
    }

    /** An unsigned number, seven bits a byte, the lowest first. */
    void addVarint(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            add((int) (rest & 0x7f | 0x80));
            rest >>>= 7;
        }
        add((int) rest);
    }

    /** Four bytes at {@code at} that were left for a length. */
    void setInt(int at, int value) {
        for (int i = 0; i < Integer.BYTES; i++) {
            bytes[at + i] = (byte) (value >>> 8 * i);
        }
    }

    /**
     * Parquet's hybrid of run lengths and packed bits, as one run: of equal values if all are, of packed bits if not.
     *
     * @param width bits a value, 0 to 32
     */
    void addHybrid(int[] values, int count, int width) {
        if (allEqual(values, count)) {
            addVarint((long) count << 1);
            addLittleEndian(count == 0 ? 0 : values[0], (width + 7) / 8);
            return;
        }
        int groups = (count + 7) / 8;
        addVarint((long) groups << 1 | 1);
        reserve(groups * width);
        long waiting = 0;
        int bits = 0;
        for (int i = 0; i < groups * 8; i++) {
            waiting |= (i < count ? values[i] & 0xffffffffL : 0) << bits;
            bits += width;
            while (bits >= 8) {
                bytes[size++] = (byte) waiting;
                waiting >>>= 8;
                bits -= 8;
            }
        }
    }

    private static boolean allEqual(int[] values, int count) {
        for (int i = 1; i < count; i++) {
            if (values[i] != values[0]) {
                return false;
            }
        }
        return true;
    }
}
