package dev.perch.trace.binary;

import dev.perch.trace.DefectKind;
import dev.perch.trace.EventKind;
import dev.perch.trace.Reading;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All event descriptions of a recording, and the decoding of records by them. Events of other kinds are counted. */
public final class EventFormats {
    private static final int IDS = 1 << 16;

    private final ByteOrderReader order;
    private final int longSize;
    private final LearntNames learnt = new LearntNames();
    private final List<EventFormat> formats = new ArrayList<>();
    private @Nullable TracepointDecoder[] decoders = new TracepointDecoder[1024];
    private long[] skipped = new long[1024];
    private @Nullable StateNumbers states;
    private int typeOffset;
    private int typeSize = 2;

    /** @param longSize bytes of a {@code long} on the machine, 4 or 8 */
    public EventFormats(ByteOrderReader order, int longSize) {
        this.order = order;
        this.longSize = longSize;
    }

    /** Adds the description {@code text}, the content of a tracefs file {@code format}; says whether it could be read. */
    public boolean add(String text) {
        EventFormat format = EventFormat.parse(text);
        if (format == null) {
            return false;
        }
        formats.add(format);
        EventField type = format.fieldCalled("common_type");
        if (type != null && (type.size() == 2 || type.size() == 4)) {
            typeOffset = type.offset();
            typeSize = type.size();
        }
        TracepointFields tracepoint = TracepointFields.called(format.name());
        if (tracepoint == null) {
            return true;
        }
        TracepointDecoder decoder = TracepointDecoder.of(tracepoint, format, order, longSize, learnt);
        if (decoder == null) {
            return false;
        }
        if (tracepoint == TracepointFields.SCHED_SWITCH) {
            states = StateNumbers.ofPrintFormat(format.printFormat());
        }
        grow(format.id());
        decoders[format.id()] = decoder;
        return true;
    }

    private void grow(int id) {
        if (id >= decoders.length) {
            int length = Math.min(IDS, Integer.highestOneBit(id) << 1);
            decoders = Arrays.copyOf(decoders, length);
            skipped = Arrays.copyOf(skipped, length);
        }
    }

    public boolean isEmpty() {
        return formats.isEmpty();
    }

    /** What the numbers of task states mean here: by the description of sched_switch, else by the kernel's release. */
    public StateNumbers states(@Nullable String release) {
        StateNumbers found = states;
        return found == null ? StateNumbers.ofRelease(release) : found;
    }

    /**
     * Decodes a record and adds what it says to {@code lane}. A record that cannot be read is counted as a defect.
     *
     * @param at where the record begins in {@code bytes}
     * @param length its length, bytes; within the array
     * @param place where it lies in the file, for defects
     */
    public void decode(
            byte[] bytes, int at, int length, long ns, int cpu, EventLane lane, Reading reading, long place) {
        if (length < typeOffset + typeSize) {
            reading.defects().add(DefectKind.CORRUPT_RECORD, place);
            return;
        }
        int id = (int) order.number(bytes, at + typeOffset, typeSize, false) & IDS - 1;
        TracepointDecoder decoder = id < decoders.length ? decoders[id] : null;
        if (decoder == null) {
            grow(id);
            skipped[id]++;
        } else if (!decoder.decode(bytes, at, length, ns, cpu, lane, reading.names())) {
            reading.defects().add(DefectKind.UNPARSED_EVENT, place);
        }
    }

    /** Something other than an event told what {@code pid} is called. */
    public void named(int pid) {
        learnt.forget(pid);
    }

    /** The kind of the record that begins at {@code bytes[at]}, or null if it is skipped or too short to tell. */
    @Nullable
    EventKind kind(byte[] bytes, int at, int length) {
        if (length < typeOffset + typeSize) {
            return null;
        }
        int id = (int) order.number(bytes, at + typeOffset, typeSize, false) & IDS - 1;
        TracepointDecoder decoder = id < decoders.length ? decoders[id] : null;
        return decoder == null ? null : decoder.kind();
    }

    /** Reports the events that were skipped, by their names; to be called once, at the end. */
    public void reportSkipped(Reading reading) {
        for (EventFormat format : formats) {
            if (format.id() < skipped.length && skipped[format.id()] > 0) {
                reading.skipped().add(format.name(), skipped[format.id()]);
                skipped[format.id()] = 0;
            }
        }
        for (int id = 0; id < skipped.length; id++) {
            if (skipped[id] > 0) {
                reading.skipped().add("event " + id, skipped[id]);
            }
        }
    }
}
