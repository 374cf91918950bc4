package dev.perch.trace.perfdata;

import dev.perch.trace.binary.ByteOrderReader;
import java.io.IOException;
import java.io.InputStream;

/** Goes through the records of a perf.data one by one. A record lies whole in {@link #bytes()} until the next one is asked for. */
final class PerfRecords {
    private static final int BUFFER = 1 << 20;
    private static final int HEADER = SampleLayout.HEADER;

    /** How a row of records ended. */
    enum End {
        /** It has not. */
        NOT_YET,
        /** After a whole record. */
        WHOLE,
        /** In the middle of a record. */
        CUT_OFF,
        /** With a record whose length cannot be. */
        DAMAGED
    }

    private final InputStream in;
    private final ByteOrderReader order;
    private final byte[] buffer = new byte[BUFFER];
    private long bufferPlace;
    private int end;
    private int at;
    private int size;
    private End ending = End.NOT_YET;

    /** @param place byte offset of the first record, for defects */
    PerfRecords(InputStream in, ByteOrderReader order, long place) {
        this.in = in;
        this.order = order;
        bufferPlace = place;
    }

    /** Goes on to the next record; false if there is none. */
    boolean next() throws IOException {
        at += size;
        size = 0;
        if (end - at < HEADER && !fill(HEADER)) {
            ending = at == end ? End.WHOLE : End.CUT_OFF;
            return false;
        }
        int length = order.u16(buffer, at + 6);
        if (length < HEADER) {
            ending = End.DAMAGED;
            return false;
        }
        if (end - at < length && !fill(length)) {
            ending = End.CUT_OFF;
            return false;
        }
        size = length;
        return true;
    }

    private boolean fill(int needed) throws IOException {
        System.arraycopy(buffer, at, buffer, 0, end - at);
        bufferPlace += at;
        end -= at;
        at = 0;
        while (end < needed) {
            int count = in.read(buffer, end, buffer.length - end);
            if (count < 0) {
                return false;
            }
            end += count;
        }
        return true;
    }

    /** Leaves out {@code count} bytes that follow the record and are no record; false if there are not so many. */
    boolean skip(long count) throws IOException {
        long left = count;
        at += size;
        size = 0;
        while (left > end - at) {
            left -= end - at;
            at = end;
            if (!fill(1)) {
                return false;
            }
        }
        at += (int) left;
        return true;
    }

    /** Takes {@code count} bytes that follow the record and are no record; null if there are not so many. */
    byte @org.jspecify.annotations.Nullable [] take(long count, int most) throws IOException {
        if (count < 0 || count > most) {
            return null;
        }
        at += size;
        size = 0;
        // Grows with what is there, not with what is said to be there.
        java.io.ByteArrayOutputStream taken = new java.io.ByteArrayOutputStream();
        long left = count;
        while (left > 0) {
            if (at == end && !fill(1)) {
                return null;
            }
            int piece = (int) Math.min(left, end - at);
            taken.write(buffer, at, piece);
            at += piece;
            left -= piece;
        }
        return taken.toByteArray();
    }

    byte[] bytes() {
        return buffer;
    }

    /** Where the record begins in {@link #bytes()}. */
    int at() {
        return at;
    }

    /** The record's length with its header. */
    int size() {
        return size;
    }

    int type() {
        return order.s32(buffer, at);
    }

    /** Byte offset of the record. */
    long place() {
        return bufferPlace + at;
    }

    End ending() {
        return ending;
    }
}
