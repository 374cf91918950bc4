package dev.perch.trace.perfetto;

/**
 * Goes through the fields of one protobuf message in a byte array. Used again for message after message; allocates nothing.
 *
 * <p>A message that contradicts the encoding ends there, and {@link #isBroken} says so.
 */
final class ProtoFields {
    static final int VARINT = 0;
    static final int FIXED64 = 1;
    static final int BYTES = 2;
    static final int FIXED32 = 5;

    private byte[] bytes = new byte[0];
    private int at;
    private int end;
    private int number;
    private int wireType;
    private long value;
    private int from;
    private boolean broken;

    /** Begins with the message that lies from {@code start} (included) to {@code stop} (excluded). */
    ProtoFields begin(byte[] message, int start, int stop) {
        bytes = message;
        at = start;
        end = stop;
        broken = false;
        return this;
    }

    /** Begins with the message that is the current field of {@code outer}. */
    ProtoFields begin(ProtoFields outer) {
        return begin(outer.bytes, outer.from(), outer.to());
    }

    /** Goes on to the next field; false at the end or if the message is broken. */
    boolean next() {
        if (at >= end) {
            return false;
        }
        long tag = varint();
        number = (int) (tag >>> 3);
        wireType = (int) tag & 7;
        if (broken || tag >>> 3 == 0 || tag >>> 3 > 0x1fffffff) {
            return fail();
        }
        switch (wireType) {
            case VARINT -> value = varint();
            case FIXED64 -> skip(8);
            case FIXED32 -> skip(4);
            case BYTES -> {
                long length = varint();
                if (broken || length < 0 || length > end - at) {
                    return fail();
                }
                skip((int) length);
            }
            default -> {
                return fail();
            }
        }
        return !broken;
    }

    private boolean fail() {
        broken = true;
        at = end;
        return false;
    }

    private void skip(int length) {
        if (length > end - at) {
            fail();
            return;
        }
        from = at;
        at += length;
    }

    /** Whether there is more, for rows of packed numbers. */
    boolean hasMore() {
        return at < end;
    }

    /** The next number of a row of packed numbers; 0 when there is none. */
    long varint() {
        long result = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            if (at >= end) {
                fail();
                return 0;
            }
            byte next = bytes[at++];
            if (shift < 64) {
                result |= (long) (next & 0x7f) << shift;
            }
            if (next >= 0) {
                return result;
            }
        }
        fail();
        return 0;
    }

    /** The current field's number. */
    int number() {
        return number;
    }

    boolean isBytes() {
        return wireType == BYTES;
    }

    boolean isVarint() {
        return wireType == VARINT;
    }

    /** The current field's number value; only if {@link #isVarint}. */
    long value() {
        return value;
    }

    byte[] bytes() {
        return bytes;
    }

    /** Where the current field's bytes begin; only if {@link #isBytes}. */
    int from() {
        return from;
    }

    /** Where they end. */
    int to() {
        return at;
    }

    /** Byte offset of what comes next, in the array. */
    int position() {
        return at;
    }

    boolean isBroken() {
        return broken;
    }
}
