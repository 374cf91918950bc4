package dev.perch.trace.perfetto;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * Protobuf messages that are being written: fields in the order of the calls, messages inside messages by {@link #begin} and {@link #end}.
 *
 * <p>The length of an inner message is not known before it is written, so room is left for it: {@value #LENGTH_BYTES} bytes, which the
 * encoding allows to be more than needed. So a message has at most 2<sup>28</sup> bytes. Allocates only to grow.
 *
 * <p>Source: the protocol buffers documentation, "Encoding".
 */
final class ProtoBuffer {
    private static final int LENGTH_BYTES = 4;
    private static final int LONGEST_VARINT = 10;
    private static final int MAX_DEPTH = 8;

    private byte[] bytes = new byte[1 << 12];
    private int size;
    private final int[] starts = new int[MAX_DEPTH];
    private int depth;

    int size() {
        return size;
    }

    void clear() {
        size = 0;
        depth = 0;
    }

    /** A field of a number type that is not fixed; negative numbers as their two's complement, as int32 and int64 fields have them. */
    ProtoBuffer number(int field, long value) {
        ensure(2 * LONGEST_VARINT);
        varint((long) field << 3 | ProtoFields.VARINT);
        varint(value);
        return this;
    }

    /** A field of type fixed64. */
    ProtoBuffer fixed64(int field, long value) {
        ensure(LONGEST_VARINT + Long.BYTES);
        varint((long) field << 3 | ProtoFields.FIXED64);
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            bytes[size++] = (byte) (value >>> shift);
        }
        return this;
    }

    /** A field of text or bytes. */
    ProtoBuffer bytes(int field, byte[] from, int length) {
        ensure(2 * LONGEST_VARINT + length);
        varint((long) field << 3 | ProtoFields.BYTES);
        varint(length);
        System.arraycopy(from, 0, bytes, size, length);
        size += length;
        return this;
    }

    /** A field of text that is ASCII. */
    ProtoBuffer ascii(int field, String text) {
        int length = text.length();
        ensure(2 * LONGEST_VARINT + length);
        varint((long) field << 3 | ProtoFields.BYTES);
        varint(length);
        for (int i = 0; i < length; i++) {
            bytes[size++] = (byte) text.charAt(i);
        }
        return this;
    }

    /** The fields in {@code other}, which become fields of the message that is being written. */
    ProtoBuffer append(ProtoBuffer other) {
        ensure(other.size);
        System.arraycopy(other.bytes, 0, bytes, size, other.size);
        size += other.size;
        return this;
    }

    /** Begins a message that is a field of the one that is being written. */
    ProtoBuffer begin(int field) {
        ensure(LONGEST_VARINT + LENGTH_BYTES);
        varint((long) field << 3 | ProtoFields.BYTES);
        size += LENGTH_BYTES;
        starts[depth++] = size;
        return this;
    }

    /** Ends the message that was begun last. */
    ProtoBuffer end() {
        int start = starts[--depth];
        int length = size - start;
        for (int i = 0; i < LENGTH_BYTES; i++) {
            int more = i < LENGTH_BYTES - 1 ? 0x80 : 0;
            bytes[start - LENGTH_BYTES + i] = (byte) (length >>> 7 * i & 0x7f | more);
        }
        return this;
    }

    /** Writes what there is and begins anew. */
    void flushTo(OutputStream out) throws IOException {
        out.write(bytes, 0, size);
        clear();
    }

    private void varint(long value) {
        long left = value;
        while ((left & ~0x7fL) != 0) {
            bytes[size++] = (byte) (left & 0x7f | 0x80);
            left >>>= 7;
        }
        bytes[size++] = (byte) left;
    }

    private void ensure(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(size + more, bytes.length * 2));
        }
    }
}
