package dev.perch.trace.perfdata;

import dev.perch.trace.binary.ByteOrderReader;
import dev.perch.trace.binary.DamageException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The events that were recorded ({@code perf_event_attr}) and the ids by which samples name them. */
final class PerfAttrs {
    private static final int TYPE_TRACEPOINT = 2;
    private static final int MIN_SIZE = 64;
    private static final int MAX_IDS = 1 << 22;

    private static final int SAMPLE_TYPE = 24;
    private static final int READ_FORMAT = 32;

    /**
     * One event.
     *
     * @param tracepoint whether its samples' raw data is a tracepoint's record
     */
    record Attr(boolean tracepoint, SampleLayout layout) {}

    private final List<Attr> attrs = new ArrayList<>();
    private long[] ids = new long[1024];
    private @Nullable Attr[] owners = new Attr[1024];
    private int idCount;
    private long lastId = -1;
    private @Nullable Attr last;

    /**
     * Adds the event whose {@code perf_event_attr} begins at {@code bytes[at]}.
     *
     * @param size its size as the file says, within the array
     */
    Attr add(ByteOrderReader order, byte[] bytes, int at, int size) throws DamageException {
        if (size < MIN_SIZE) {
            throw new DamageException("describes an event in " + size + " bytes, which is too short", -1);
        }
        SampleLayout layout = new SampleLayout(order.s64(bytes, at + SAMPLE_TYPE), order.s64(bytes, at + READ_FORMAT));
        Attr attr = new Attr(order.s32(bytes, at) == TYPE_TRACEPOINT, layout);
        attrs.add(attr);
        return attr;
    }

    void addId(long id, Attr attr) throws DamageException {
        if (idCount >= MAX_IDS) {
            throw new DamageException("names more events than any recording has", -1);
        }
        if (idCount * 2 >= ids.length) {
            grow();
        }
        int slot = slot(id);
        if (owners[slot] == null) {
            idCount++;
        }
        ids[slot] = id;
        owners[slot] = attr;
    }

    private int slot(long id) {
        int mask = ids.length - 1;
        int slot = (int) (id * 0x9E3779B97F4A7C15L >>> 40) & mask;
        while (owners[slot] != null && ids[slot] != id) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private void grow() {
        long[] oldIds = ids;
        @Nullable Attr[] oldOwners = owners;
        ids = new long[oldIds.length * 2];
        owners = new Attr[ids.length];
        for (int i = 0; i < oldIds.length; i++) {
            if (oldOwners[i] != null) {
                int slot = slot(oldIds[i]);
                ids[slot] = oldIds[i];
                owners[slot] = oldOwners[i];
            }
        }
    }

    boolean isEmpty() {
        return attrs.isEmpty();
    }

    /** The first tracepoint, else the first event. */
    Attr first() {
        for (Attr attr : attrs) {
            if (attr.tracepoint()) {
                return attr;
            }
        }
        return attrs.getFirst();
    }

    /** Where every sample has its event's id, or {@link SampleLayout#NONE} if they differ or have none. */
    int idOffset() {
        SampleLayout first = attrs.getFirst().layout();
        boolean same = attrs.stream().allMatch(attr -> attr.layout().sharesId(first));
        return same ? first.id() : SampleLayout.NONE;
    }

    /** The event of the sample with this id; the first one if the id was never announced. */
    Attr of(long id) {
        Attr known = last;
        if (known != null && id == lastId) {
            return known;
        }
        Attr found = owners[slot(id)];
        if (found == null) {
            found = first();
        }
        lastId = id;
        last = found;
        return found;
    }
}
