package dev.perch.trace.perfdata;

import java.io.IOException;
import java.io.InputStream;

/**
 * The compressed bytes of all compressed records one after the other: one zstd stream, whose decoder must keep its state from record to
 * record.
 *
 * <p>perf never ends the stream's frame; an empty last block is appended, so that the decoder hands out what it holds back.
 */
final class CompressedPayloads extends InputStream {
    private static final byte[] LAST_BLOCK = {1, 0, 0};

    /** Moves on to the next compressed record. */
    interface Source {
        /** The next compressed record is the current one; false if there are no more. Other records are dealt with on the way. */
        boolean nextCompressed() throws IOException;
    }

    private final PerfRecords records;
    private final int type2;
    private final Source source;
    private final dev.perch.trace.binary.ByteOrderReader order;
    private int at;
    private int end;
    private int lastBlockAt;

    /**
     * @param records its current record is the first compressed one
     * @param type2 type of the records that begin with the length of their data
     */
    CompressedPayloads(PerfRecords records, dev.perch.trace.binary.ByteOrderReader order, int type2, Source source) {
        this.records = records;
        this.order = order;
        this.type2 = type2;
        this.source = source;
        take();
    }

    private void take() {
        at = records.at() + SampleLayout.HEADER;
        end = records.at() + records.size();
        if (records.type() == type2) {
            long size = end - at < Long.BYTES ? 0 : order.s64(records.bytes(), at);
            at = Math.min(end, at + Long.BYTES);
            end = size >= 0 && size <= end - at ? at + (int) size : end;
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        while (at == end) {
            if (lastBlockAt > 0 || !source.nextCompressed()) {
                int count = Math.min(length, LAST_BLOCK.length - lastBlockAt);
                System.arraycopy(LAST_BLOCK, lastBlockAt, target, offset, count);
                lastBlockAt += count;
                return count == 0 ? -1 : count;
            }
            take();
        }
        int count = Math.min(length, end - at);
        System.arraycopy(records.bytes(), at, target, offset, count);
        at += count;
        return count;
    }
}
