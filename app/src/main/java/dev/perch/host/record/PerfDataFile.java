package dev.perch.host.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;

/**
 * A perf.data that is being written: header, ids and attributes of the events, records, features. The sizes in the header are written last;
 * what was killed before is read as cut off.
 *
 * <p>Source: tools/perf/Documentation/perf.data-file-format.txt, tools/perf/util/header.c.
 */
final class PerfDataFile implements AutoCloseable {
    private static final String MAGIC = "PERFILE2";
    private static final int HEADER_SIZE = 104;
    private static final int FEATURE_BITS = 256;
    private static final int SECTION_SIZE = 2 * Long.BYTES;
    private static final int FINISHED_ROUND = 68;
    private static final int LOST = 2;
    private static final int RECORD_HEADER = 8;

    private final FileChannel file;
    private final long attributesAt;
    private final long attributesSize;
    private final long dataAt;
    private final ByteBuffer roundEnd =
            ByteBuffer.allocateDirect(RECORD_HEADER).put(finishedRound()).flip();

    /** Begins the file, or overwrites it. */
    PerfDataFile(Path path, List<PerfEvents.Source> sources) throws IOException {
        file = FileChannel.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        ByteSink ids = new ByteSink();
        ByteSink attributes = new ByteSink();
        for (PerfEvents.Source source : sources) {
            attributes.raw(source.attribute());
            attributes
                    .u64(HEADER_SIZE + ids.size())
                    .u64((long) Long.BYTES * source.ids().size());
            source.ids().forEach(ids::u64);
        }
        attributesAt = (long) HEADER_SIZE + ids.size();
        attributesSize = attributes.size();
        dataAt = attributesAt + attributesSize;
        append(header(0, new BitSet()));
        append(ids.toBytes());
        append(attributes.toBytes());
    }

    private static byte[] finishedRound() {
        return new ByteSink().u32(FINISHED_ROUND).u16(0).u16(RECORD_HEADER).toBytes();
    }

    private byte[] header(long dataSize, BitSet features) {
        ByteSink header = new ByteSink();
        header.raw(MAGIC.getBytes(StandardCharsets.US_ASCII));
        header.u64(HEADER_SIZE).u64(PerfAttribute.SIZE + SECTION_SIZE);
        header.u64(attributesAt).u64(attributesSize);
        header.u64(dataAt).u64(dataSize);
        header.u64(0).u64(0); // event types, which perf no longer writes
        byte[] bits = features.toByteArray();
        return header.raw(bits).zeros(FEATURE_BITS / Byte.SIZE - bits.length).toBytes();
    }

    private void append(byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            file.write(buffer);
        }
    }

    /** Where records are to be written, at its end. */
    FileChannel records() {
        return file;
    }

    void addRecords(byte[] records) throws IOException {
        append(records);
    }

    /**
     * Says that events were dropped, as the kernel does.
     *
     * @param id of one of the events
     * @param ns when, at the latest
     */
    void addLost(long id, long count, int cpu, long ns) throws IOException {
        int size = RECORD_HEADER + 2 * Long.BYTES + PerfAttribute.TRAILER_SIZE;
        ByteSink record = new ByteSink().u32(LOST).u16(0).u16(size).u64(id).u64(count);
        record.u64(0).u64(ns).u64(cpu).u64(id); // the trailer, of no task
        append(record.toBytes());
    }

    /**
     * All rings have been drained: what is written later is younger than the newest record before the last such mark.
     */
    void finishRound() throws IOException {
        roundEnd.rewind();
        while (roundEnd.hasRemaining()) {
            file.write(roundEnd);
        }
    }

    /**
     * Completes the file.
     *
     * @param features contents by the features' numbers
     * @return its size
     */
    long finish(SortedMap<Integer, byte[]> features) throws IOException {
        long dataSize = file.position() - dataAt;
        BitSet present = new BitSet();
        features.keySet().forEach(present::set);
        long at = file.position() + (long) SECTION_SIZE * features.size();
        ByteSink table = new ByteSink();
        for (byte[] content : features.values()) {
            table.u64(at).u64(content.length);
            at += content.length;
        }
        append(table.toBytes());
        for (byte[] content : features.values()) {
            append(content);
        }
        ByteBuffer header = ByteBuffer.wrap(header(dataSize, present));
        while (header.hasRemaining()) {
            file.write(header, header.position());
        }
        return at;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
