package dev.perch.trace;

import dev.perch.model.CpuMask;
import dev.perch.model.TaskNames;
import java.util.Arrays;

/**
 * Reads the fields of an event from text. Nothing is allocated an event.
 *
 * <p>Task names may hold anything, also blanks and what looks like fields. A name ends where everything after it up to the end of the
 * line reads as the fields that must follow; the 15 bytes that the kernel gives a name cannot hold all of those, so that this place is
 * unique. Whoever reads an event tries every place that {@link #nextEnd} offers.
 */
final class FieldCursor extends TextCursor {
    /** The longest name that the kernel keeps, bytes. */
    static final int KERNEL_NAME = 15;
    /** The longest name that is accepted. */
    static final int LONGEST_NAME = 120;
    /** The largest pid that Linux gives (PID_MAX_LIMIT). */
    static final int MAX_PID = 1 << 22;

    private static final byte[] ARRAY = literal("ARRAY[");

    private final TaskNames names;
    private final byte[] decoded = new byte[LONGEST_NAME];
    private int longest = KERNEL_NAME;
    private boolean strict = true;

    /** What {@link #field} read. */
    int field;

    FieldCursor(TaskNames names) {
        this.names = names;
    }

    /**
     * What will be believed from now on.
     *
     * @param longestName longest name, bytes
     * @param nothingFollows whether nothing may follow the last field
     */
    void believe(int longestName, boolean nothingFollows) {
        longest = longestName;
        strict = nothingFollows;
    }

    /** The next place at or after {@code from} where a name that begins at {@code nameFrom} may end: where {@code label} begins. */
    int nextEnd(byte[] label, int nameFrom, int from) {
        return find(label, from, nameFrom + longest);
    }

    /** Reads {@code label} and a number after it into {@link #field}. */
    boolean field(byte[] label) {
        if (!skip(label) || !signed() || value != (int) value) {
            return false;
        }
        field = (int) value;
        return true;
    }

    boolean pidField(byte[] label) {
        return field(label) && field >= 0 && field <= MAX_PID;
    }

    boolean cpuField(byte[] label) {
        return field(label) && field >= 0 && field < CpuMask.MAX_CPUS;
    }

    /** Whether the event ends here. */
    boolean ends() {
        if (pos >= end) {
            return true;
        }
        if (!strict) {
            return bytes[pos] == ' ';
        }
        int at = pos;
        while (at < end && bytes[at] == ' ') {
            at++;
        }
        return at == end;
    }

    /** {@code pid} is called by the bytes {@code from} to {@code to}. The idle threads have a name a CPU and keep none. */
    void name(int pid, int from, int to) {
        if (pid == 0) {
            return;
        }
        int size = to > from && bytes[to - 1] == ']' ? decodeArray(from, to) : -1;
        if (size >= 0) {
            names.learn(pid, decoded, 0, size);
        } else {
            names.learn(pid, bytes, from, to);
        }
    }

    /** {@code ARRAY[e6, 97, a5, 00]}, as {@code trace-cmd report -R} prints bytes that are not ASCII; −1 if it is not that. */
    private int decodeArray(int from, int to) {
        int length = ARRAY.length;
        if (to - from <= length || !Arrays.equals(bytes, from, from + length, ARRAY, 0, length)) {
            return -1;
        }
        int size = 0;
        int at = from + length;
        while (at + 2 < to) {
            int high = Character.digit(bytes[at], 16);
            int low = Character.digit(bytes[at + 1], 16);
            if (high < 0) {
                return -1;
            }
            int step = low < 0 ? 1 : 2;
            int b = low < 0 ? high : high << 4 | low;
            if (b == 0) {
                return size;
            }
            decoded[size++] = (byte) b;
            at += step;
            if (bytes[at] == ']') {
                return size;
            }
            if (bytes[at] != ',' || bytes[at + 1] != ' ') {
                return -1;
            }
            at += 2;
        }
        return -1;
    }
}
