package dev.perch.trace.binary;

import dev.perch.trace.DefectKind;
import dev.perch.trace.Reading;

/**
 * Takes the events out of the pages of the kernel's ring buffer.
 *
 * <pre>
 *   page   = time of the page (64 bits) | commit (length of data; bit 31: events lost before, bit 30: their number follows the data) | data
 *   event  = 5 bits type_len, 27 bits time since the event before | payload
 *   type_len 1 … 28  payload of type_len × 4 bytes      29  padding (delta 0: to the end of the page)
 *            0       32 bits length, payload            30  time since, continued     31  absolute time
 * </pre>
 *
 * <p>Source: kernel/trace/ring_buffer.c and include/linux/ring_buffer.h.
 */
public final class RingBufferPage {
    private static final int LOST = 1 << 31;
    private static final int LOST_COUNT_STORED = 1 << 30;
    private static final int LENGTH_MASK = (1 << 27) - 1;
    private static final int DELTA_BITS = 27;
    private static final int TYPE_PADDING = 29;
    private static final int TYPE_TIME_EXTEND = 30;
    private static final int TYPE_TIME_STAMP = 31;
    private static final long STAMP_TOP = 0xf8L << 56;

    private final ByteOrderReader order;
    private final RingBufferLayout layout;
    private final int pageSize;
    private final EventFormats formats;
    private final Reading reading;
    private final TimeScale scale;
    private final BufferShares shares;
    private final int buffer;

    /**
     * @param pageSize bytes of a page
     * @param scale makes nanoseconds of the buffer's times
     * @param shares which buffer's events of a kind count
     * @param buffer the number of the buffer that the pages are from
     */
    public RingBufferPage(
            TracingData data, int pageSize, Reading reading, TimeScale scale, BufferShares shares, int buffer) {
        this.order = data.order();
        this.layout = data.layout();
        this.formats = data.formats();
        this.pageSize = pageSize;
        this.reading = reading;
        this.scale = scale;
        this.shares = shares;
        this.buffer = buffer;
    }

    /**
     * Adds the events of the page that begins at {@code bytes[at]} to {@code lane}. Of a page that contradicts itself, what comes before the
     * contradiction is kept.
     *
     * @param available bytes that are there, less than a page if the file ends within it
     * @param place where the page lies in the file, for defects
     */
    public void read(byte[] bytes, int at, int available, int cpu, EventLane lane, long place) {
        if (available < layout.dataOffset()) {
            reading.defects().add(DefectKind.TRUNCATED, place);
            return;
        }
        long ns = order.s64(bytes, at);
        long pageNs = ns;
        int commit = (int) order.number(bytes, at + layout.commitOffset(), layout.commitSize(), false);
        int length = commit & LENGTH_MASK;
        if (layout.dataOffset() + length > pageSize) {
            reading.defects().add(DefectKind.CORRUPT_RECORD, place);
            return;
        }
        int end = at + layout.dataOffset() + length;
        boolean truncated = end > at + available;
        if (truncated) {
            reading.defects().add(DefectKind.TRUNCATED, place);
            end = at + available;
        }
        boolean lossPending = (commit & LOST) != 0;
        if (lossPending && length == 0) {
            lane.add(scale.ns(ns), PackedEvents.lostMeta(cpu), lost(bytes, at, end, available, commit), 0, 0);
            lossPending = false;
        }
        int next = at + layout.dataOffset();
        while (next + Integer.BYTES <= end) {
            int header = order.s32(bytes, next);
            int type = order.isBig() ? header >>> DELTA_BITS : header & 31;
            long delta = order.isBig() ? header & LENGTH_MASK : header >>> 5;
            next += Integer.BYTES;
            if (type == TYPE_PADDING && delta == 0) {
                break;
            }
            int size;
            if (type > 0 && type < TYPE_PADDING) {
                size = type * Integer.BYTES;
                ns += delta;
            } else if (next + Integer.BYTES > end) {
                damaged(truncated, place);
                return;
            } else if (type >= TYPE_TIME_EXTEND) {
                long stamp = (order.u32(bytes, next) << DELTA_BITS) + delta;
                // An absolute time has 59 bits; the page's time has the rest.
                ns = type == TYPE_TIME_STAMP ? stamp & ~STAMP_TOP | pageNs & STAMP_TOP : ns + stamp;
                next += Integer.BYTES;
                continue;
            } else {
                // The length counts the word that holds it.
                long words = order.u32(bytes, next);
                if (words < Integer.BYTES || words > pageSize) {
                    damaged(truncated, place);
                    return;
                }
                next += Integer.BYTES;
                size = (int) words - Integer.BYTES + 3 & ~3;
                ns += delta;
            }
            if (next + size > end) {
                damaged(truncated, place);
                return;
            }
            if (type != TYPE_PADDING) {
                long time = scale.ns(ns);
                if (lossPending) {
                    lossPending = false;
                    lane.add(time, PackedEvents.lostMeta(cpu), lost(bytes, at, end, available, commit), 0, 0);
                }
                if (shares.takes(formats, bytes, next, size, buffer)) {
                    formats.decode(bytes, next, size, time, cpu, lane, reading, place + next - at);
                } else {
                    reading.defects().add(DefectKind.DUPLICATE_EVENTS, place);
                }
            }
            next += size;
        }
    }

    /** Byte order of the pages. */
    public ByteOrderReader order() {
        return order;
    }

    /** What is cut off has been counted as such; everything else contradicts the format. */
    private void damaged(boolean truncated, long place) {
        if (!truncated) {
            reading.defects().add(DefectKind.CORRUPT_RECORD, place);
        }
    }

    private long lost(byte[] bytes, int at, int end, int available, int commit) {
        long count = -1;
        if ((commit & LOST_COUNT_STORED) != 0 && end + layout.commitSize() <= at + available) {
            count = order.number(bytes, end, layout.commitSize(), false);
        }
        count = count <= 0 || count > 1L << 48 ? -1 : count;
        reading.defects().add(DefectKind.EVENTS_LOST, Math.max(1, count), -1);
        return count;
    }
}
