package dev.perch.host.record;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.perch.host.linux.OpenFiles;
import dev.perch.host.linux.SystemCallException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * The ring into which the kernel writes the records of one CPU, mapped into this process.
 *
 * <p>The kernel moves {@code data_head}, we move {@code data_tail}; both only grow. A record begins at a multiple of eight bytes, so its
 * header never lies across the ring's end, other parts may. When the ring is full the kernel drops events, and says how many in a record
 * as soon as there is room.
 *
 * <p>Draining copies bytes from the ring to the file and reads one header a record to count it; nothing is allocated.
 *
 * <p>Source: perf_event_open(2), "MMAP layout"; kernel/events/ring_buffer.c.
 */
final class PerfRing implements AutoCloseable {
    private static final VarHandle LONG = JAVA_LONG.varHandle();
    private static final long DATA_HEAD = 1024;
    private static final long DATA_TAIL = 1032;

    private static final int RECORD_LOST = 2;
    private static final int RECORD_SAMPLE = 9;
    private static final int LOST_COUNT = 16;
    private static final int SIZE_SHIFT = 48;

    private final MemorySegment mapped;
    private final MemorySegment data;
    private final ByteBuffer bytes;
    private final long mask;
    private long tail;
    private long samples;
    private long lost;
    private long firstNs;
    private long lastNs;

    /**
     * @param file of the event whose records, and those redirected to it, the ring gets
     * @param size bytes of records it holds, a power of two
     * @throws SystemCallException EPERM if that is more memory than may be locked
     */
    PerfRing(int file, int pageSize, int size) {
        mapped = OpenFiles.map(file, (long) pageSize + size);
        data = mapped.asSlice(pageSize, size);
        bytes = data.asByteBuffer();
        mask = size - 1L;
    }

    /**
     * Moves what the ring holds to the end of {@code file}.
     *
     * @return bytes moved
     */
    long drain(FileChannel file) throws IOException {
        long head = (long) LONG.getAcquire(mapped, DATA_HEAD);
        long from = tail;
        if (head == from) {
            return 0;
        }
        count(from, head);
        int start = (int) (from & mask);
        int end = (int) (head & mask);
        if (start < end) {
            write(file, start, end);
        } else {
            write(file, start, (int) (mask + 1));
            write(file, 0, end);
        }
        tail = head;
        LONG.setRelease(mapped, DATA_TAIL, head);
        return head - from;
    }

    private void write(FileChannel file, int from, int to) throws IOException {
        bytes.limit(to).position(from);
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
    }

    private void count(long from, long head) {
        MemorySegment records = data;
        long inRing = mask;
        long newSamples = 0;
        long last = -1;
        long at = from;
        while (at < head) {
            long header = records.get(JAVA_LONG, at & inRing);
            long size = header >>> SIZE_SHIFT;
            if (size == 0) {
                throw new IllegalStateException("the kernel's ring of records has one without a size");
            }
            int type = (int) header;
            if (type == RECORD_SAMPLE) {
                if (samples + newSamples == 0) {
                    firstNs = records.get(JAVA_LONG, at + PerfAttribute.SAMPLE_TIME & inRing);
                }
                newSamples++;
                last = at;
            } else if (type == RECORD_LOST) {
                lost += records.get(JAVA_LONG, at + LOST_COUNT & inRing);
            }
            at += size;
        }
        samples += newSamples;
        if (last >= 0) {
            lastNs = records.get(JAVA_LONG, last + PerfAttribute.SAMPLE_TIME & inRing);
        }
    }

    /** Samples moved so far. */
    long samples() {
        return samples;
    }

    /** Events that the kernel dropped, as far as it has said so. */
    long lost() {
        return lost;
    }

    /** When the first sample was; of no meaning without one. */
    long firstNs() {
        return firstNs;
    }

    long lastNs() {
        return lastNs;
    }

    @Override
    public void close() {
        OpenFiles.unmap(mapped);
    }
}
