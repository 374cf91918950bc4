package dev.perch.trace.binary;

import java.io.IOException;
import java.util.Arrays;

/**
 * The events of one CPU, in the order in which they came and soon by time. Grows as needed; what was taken makes room.
 *
 * <p>A CPU's events are nearly in order: one that an interrupt wrote while another was being written may stand before it. {@link #sort}
 * repairs that by insertion, or by a merge sort where the disorder is greater.
 */
public class EventLane extends EventSource {
    private static final int INITIAL = 256 * PackedEvents.WORDS;
    private static final int SHIFTS_PER_EVENT = 16;

    private int tail;
    private boolean sorted = true;

    /** @param rank lanes that hold events of equal time and CPU come in this order */
    protected EventLane(int rank) {
        words = new long[INITIAL];
        this.rank = rank;
    }

    /** Adds an event; see {@link PackedEvents} for the words. */
    public final void add(long ns, long meta, long a, long b, long c) {
        if (tail + PackedEvents.WORDS > words.length) {
            makeRoom();
        }
        long[] array = words;
        int at = tail;
        if (at > head && ns < array[at - PackedEvents.WORDS]) {
            sorted = false;
        }
        array[at] = ns;
        array[at + 1] = meta;
        array[at + 2] = a;
        array[at + 3] = b;
        array[at + 4] = c;
        tail = at + PackedEvents.WORDS;
    }

    private void makeRoom() {
        int used = tail - head;
        long[] target = used > words.length / 2 ? new long[words.length * 2] : words;
        System.arraycopy(words, head, target, 0, used);
        words = target;
        head = 0;
        tail = used;
    }

    public final boolean isEmpty() {
        return head == tail;
    }

    /** How many events there are. */
    final int size() {
        return (tail - head) / PackedEvents.WORDS;
    }

    @Override
    boolean advance() throws IOException {
        head += PackedEvents.WORDS;
        if (head < tail) {
            return true;
        }
        head = 0;
        tail = 0;
        sorted = true;
        return refill();
    }

    /** Called when the lane is empty: adds what comes next, if there is a place to take it from; false if the lane remains empty. */
    protected boolean refill() throws IOException {
        return false;
    }

    /** Puts the events in order of time; those of equal times stay in the order in which they came. */
    final void sort() {
        if (sorted) {
            return;
        }
        sorted = true;
        long budget = (long) size() * SHIFTS_PER_EVENT;
        long[] array = words;
        long[] event = new long[PackedEvents.WORDS];
        for (int at = head + PackedEvents.WORDS; at < tail; at += PackedEvents.WORDS) {
            long ns = array[at];
            int to = at;
            while (to > head && array[to - PackedEvents.WORDS] > ns) {
                to -= PackedEvents.WORDS;
                if (--budget < 0) {
                    mergeSort();
                    return;
                }
            }
            if (to < at) {
                System.arraycopy(array, at, event, 0, PackedEvents.WORDS);
                System.arraycopy(array, to, array, to + PackedEvents.WORDS, at - to);
                System.arraycopy(event, 0, array, to, PackedEvents.WORDS);
            }
        }
    }

    private void mergeSort() {
        int length = tail - head;
        long[] from = Arrays.copyOfRange(words, head, tail);
        long[] to = new long[length];
        for (long width = PackedEvents.WORDS; width < length; width *= 2) {
            for (long start = 0; start < length; start += 2 * width) {
                int middle = (int) Math.min(start + width, length);
                int end = (int) Math.min(start + 2 * width, length);
                merge(from, (int) start, middle, end, to);
            }
            long[] swap = from;
            from = to;
            to = swap;
        }
        System.arraycopy(from, 0, words, head, length);
    }

    private static void merge(long[] from, int start, int middle, int end, long[] to) {
        int left = start;
        int right = middle;
        for (int at = start; at < end; at += PackedEvents.WORDS) {
            boolean takeLeft = left < middle && (right >= end || from[left] <= from[right]);
            System.arraycopy(from, takeLeft ? left : right, to, at, PackedEvents.WORDS);
            if (takeLeft) {
                left += PackedEvents.WORDS;
            } else {
                right += PackedEvents.WORDS;
            }
        }
    }
}
