package dev.perch.trace.binary;

import dev.perch.trace.DefectKind;
import dev.perch.trace.Reading;
import java.io.IOException;

/**
 * Takes events from many sources in order of time, then CPU, then as they came, and passes them on.
 *
 * <p>A binary heap over the sources' first events. An event that is older than one that was passed on before, because its source was not in
 * order, is left out, counted as a defect and reported as lost: times never decrease.
 */
public final class EventMerge {
    private final Reading reading;
    private StateNumbers states = StateNumbers.ofRelease(null);
    private EventSource[] heap = new EventSource[8];
    private int size;
    private long lastNs = Long.MIN_VALUE;

    public EventMerge(Reading reading) {
        this.reading = reading;
    }

    /** What the numbers of task states mean in events from now on. */
    public void states(StateNumbers numbers) {
        states = numbers;
    }

    /** Adds a lane and takes from it, and from what it is refilled with, until it ends. */
    public void addLane(EventLane lane) throws IOException {
        if (!lane.isEmpty() || lane.refill()) {
            add(lane);
        }
    }

    /** Adds a source that has at least one event. */
    void add(EventSource source) {
        if (size == heap.length) {
            heap = java.util.Arrays.copyOf(heap, size * 2);
        }
        int at = size++;
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            if (!before(source, heap[parent])) {
                break;
            }
            heap[at] = heap[parent];
            at = parent;
        }
        heap[at] = source;
    }

    /** Passes everything on that is not later than {@code limitNs}; sources that end are dropped. */
    public void run(long limitNs) throws IOException {
        while (size > 0) {
            EventSource top = heap[0];
            long ns = top.words[top.head];
            if (ns > limitNs) {
                return;
            }
            if (ns >= lastNs) {
                lastNs = ns;
                PackedEvents.emit(top.words, top.head, states, reading.events());
            } else {
                reading.defects().add(DefectKind.OUT_OF_ORDER, -1);
                reading.events().lost(lastNs, PackedEvents.cpu(top.words[top.head + 1]), 1);
            }
            next(top);
        }
    }

    /** Copies everything that the sources hold, in order, without passing it on. */
    void copyTo(PackedEventSink target) throws IOException {
        while (size > 0) {
            EventSource top = heap[0];
            target.take(top.words, top.head);
            next(top);
        }
    }

    /** Forgets all sources, wherever they are. */
    void clear() {
        size = 0;
    }

    private void next(EventSource top) throws IOException {
        if (!top.advance()) {
            EventSource last = heap[--size];
            if (size == 0) {
                return;
            }
            siftDown(last);
        } else {
            siftDown(top);
        }
    }

    private void siftDown(EventSource source) {
        EventSource[] array = heap;
        int count = size;
        int at = 0;
        while (true) {
            int child = 2 * at + 1;
            if (child >= count) {
                break;
            }
            if (child + 1 < count && before(array[child + 1], array[child])) {
                child++;
            }
            if (!before(array[child], source)) {
                break;
            }
            array[at] = array[child];
            at = child;
        }
        array[at] = source;
    }

    private static boolean before(EventSource a, EventSource b) {
        long aNs = a.words[a.head];
        long bNs = b.words[b.head];
        if (aNs != bNs) {
            return aNs < bNs;
        }
        int aCpu = PackedEvents.cpu(a.words[a.head + 1]);
        int bCpu = PackedEvents.cpu(b.words[b.head + 1]);
        return aCpu != bCpu ? aCpu < bCpu : a.rank < b.rank;
    }
}
