package dev.perch.trace.perfdata;

import dev.perch.trace.binary.ByteOrderReader;

/**
 * Where the parts of a sample lie, as one event's {@code sample_type} and {@code read_format} say, and of the {@code sample_id} that follows
 * other records. Immutable.
 */
final class SampleLayout {
    static final int IP = 1;
    static final int TID = 1 << 1;
    static final int TIME = 1 << 2;
    static final int ADDR = 1 << 3;
    static final int READ = 1 << 4;
    static final int CALLCHAIN = 1 << 5;
    static final int ID = 1 << 6;
    static final int CPU = 1 << 7;
    static final int PERIOD = 1 << 8;
    static final int STREAM_ID = 1 << 9;
    static final int RAW = 1 << 10;
    static final int IDENTIFIER = 1 << 16;

    private static final int READ_TOTAL_TIME_ENABLED = 1;
    private static final int READ_TOTAL_TIME_RUNNING = 1 << 1;
    private static final int READ_ID = 1 << 2;
    private static final int READ_GROUP = 1 << 3;
    private static final int READ_LOST = 1 << 4;

    /** Size of a record's header: type, misc, size. */
    static final int HEADER = 8;

    /** Not part of a sample. */
    static final int NONE = -1;

    private final long sampleType;
    private final long readFormat;
    private final int time;
    private final int id;
    private final int cpu;
    private final int variable;
    private final int trailerTime;
    private final int trailerCpu;

    SampleLayout(long sampleType, long readFormat) {
        this.sampleType = sampleType;
        this.readFormat = readFormat;
        int at = HEADER;
        int foundId = has(IDENTIFIER) ? at : NONE;
        at += size(IDENTIFIER) + size(IP) + size(TID);
        time = has(TIME) ? at : NONE;
        at += size(TIME) + size(ADDR);
        if (foundId == NONE && has(ID)) {
            foundId = at;
        }
        id = foundId;
        at += size(ID) + size(STREAM_ID);
        cpu = has(CPU) ? at : NONE;
        at += size(CPU) + size(PERIOD);
        variable = at;
        // The sample_id of other records, from their end.
        int end = size(IDENTIFIER) + size(CPU);
        trailerCpu = has(CPU) ? end : NONE;
        end += size(STREAM_ID) + size(ID) + size(TIME);
        trailerTime = has(TIME) ? end : NONE;
    }

    private boolean has(int part) {
        return (sampleType & part) != 0;
    }

    private int size(int part) {
        return has(part) ? Long.BYTES : 0;
    }

    /** Offset of the time in a sample, or {@link #NONE}. */
    int time() {
        return time;
    }

    /** Offset of the CPU in a sample, or {@link #NONE}. */
    int cpu() {
        return cpu;
    }

    /** Offset of the event's id in a sample, or {@link #NONE}. */
    int id() {
        return id;
    }

    boolean hasRaw() {
        return has(RAW);
    }

    /** Bytes that a sample has at least. */
    int fixedSize() {
        return variable;
    }

    /** How far from the end of a record other than a sample its time lies, or {@link #NONE}. */
    int trailerTime() {
        return trailerTime;
    }

    /** How far from the end of a record other than a sample its CPU lies, or {@link #NONE}. */
    int trailerCpu() {
        return trailerCpu;
    }

    /** Whether both have the id at the same place, so that it can be read before it is known whose sample it is. */
    boolean sharesId(SampleLayout other) {
        return id == other.id;
    }

    boolean sameAs(SampleLayout other) {
        return sampleType == other.sampleType && readFormat == other.readFormat;
    }

    /**
     * Where the raw data's length lies in the sample at {@code bytes[at]} of {@code size} bytes; {@link #NONE} if the sample is too short for
     * what comes before it.
     */
    int raw(ByteOrderReader order, byte[] bytes, int at, int size) {
        long offset = variable;
        if (has(READ)) {
            offset = afterRead(order, bytes, at, size, offset);
        }
        if (has(CALLCHAIN)) {
            if (offset < 0 || offset + Long.BYTES > size) {
                return NONE;
            }
            offset = afterList(order.s64(bytes, at + (int) offset), Long.BYTES, offset + Long.BYTES, size);
        }
        return offset < 0 || offset + Integer.BYTES > size ? NONE : (int) offset;
    }

    private long afterRead(ByteOrderReader order, byte[] bytes, int at, int size, long offset) {
        int times = part(READ_TOTAL_TIME_ENABLED) + part(READ_TOTAL_TIME_RUNNING);
        int more = part(READ_ID) + part(READ_LOST);
        if ((readFormat & READ_GROUP) == 0) {
            return offset + Long.BYTES + times + more;
        }
        if (offset + Long.BYTES > size) {
            return NONE;
        }
        return afterList(order.s64(bytes, at + (int) offset), Long.BYTES + more, offset + Long.BYTES + times, size);
    }

    private int part(int bit) {
        return (readFormat & bit) != 0 ? Long.BYTES : 0;
    }

    private static long afterList(long count, int entry, long offset, int size) {
        return count < 0 || count > size ? NONE : offset + count * entry;
    }
}
