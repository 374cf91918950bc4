package dev.perch.trace;

import dev.perch.model.CpuMask;
import dev.perch.model.SchedEvents;

/**
 * What a line of text says before the fields of its event: task, CPU, flags, time, the event's name. Nothing is allocated a line.
 *
 * <p>The hard part is where the task's name ends, for it may look like anything, {@code -123 [001] 1.0} included. Tools pad it to 16
 * bytes, so the end is looked for there first, and only then at every place where the rest of the line makes sense.
 */
abstract class RecordPrefix {
    /** How a time is written. */
    enum Stamp {
        /** Seconds with a fraction. */
        SECONDS,
        /** Microseconds since the start ({@code 16us+}, the latency format). */
        MICROSECONDS,
        /** A number of something: cycles, jiffies, events. */
        TICKS
    }

    /** Where the padded name ends. */
    static final int NAME_WIDTH = 16;

    private static final int MAX_PID = 1 << 22;
    private static final long MAX_SECONDS = Long.MAX_VALUE / 1_000_000_000L - 1;
    private static final byte[] MICROS = TextCursor.literal("us");
    private static final long[] POWER_OF_TEN = {
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000
    };

    final TextCursor cursor = new TextCursor();

    /** Where in the line the name's column may end: at the latest, */
    int nameEnd;
    /** and at the earliest, if the blanks before it may be padding of the next column. */
    int nameEndEarliest;
    /** How wide the tool makes the name's column. */
    int nameWidth = NAME_WIDTH;
    /** The task in whose context it happened; −1 if the line does not tell. */
    int current;
    /** −1 if the line does not tell. */
    int cpu;
    /** One of the contexts of {@link SchedEvents}. */
    int context;

    Stamp stamp = Stamp.SECONDS;
    /** The time, nanoseconds or ticks. */
    long time;
    /** Steps of the clock between two times that this line's could be told from. */
    long resolution;
    /** The event's name, without its system; empty if the line has none. */
    int eventFrom;

    int eventTo;
    /** The event's fields: from here to the end of the line. */
    int bodyFrom;
    /** Where the fields begin if the first is a bare name, whose blanks count: after the padding of the event's name. */
    int bareNameFrom;

    /** Reads the beginning of a line; false if it is no record. */
    abstract boolean read(byte[] bytes, int from, int to);

    /** {@code pid} into {@link #current}. */
    final boolean pid() {
        if (!cursor.number() || cursor.value > MAX_PID) {
            return false;
        }
        current = (int) cursor.value;
        return true;
    }

    /** {@code [cpu]} into {@link #cpu}. */
    final boolean bracketedCpu() {
        if (!cursor.skip('[') || !cursor.number() || cursor.value >= CpuMask.MAX_CPUS) {
            return false;
        }
        cpu = (int) cursor.value;
        return cursor.skip(']');
    }

    /** A time and the colon behind it. */
    final boolean time() {
        TextCursor at = cursor;
        if (!at.number()) {
            return false;
        }
        long whole = at.value;
        if (at.skip('.')) {
            if (!at.number() || at.digits > 9 || whole > MAX_SECONDS) {
                return false;
            }
            stamp = Stamp.SECONDS;
            resolution = POWER_OF_TEN[9 - at.digits];
            time = whole * 1_000_000_000L + at.value * resolution;
        } else if (at.skip(MICROS)) {
            if (whole > Long.MAX_VALUE / 1000) {
                return false;
            }
            stamp = Stamp.MICROSECONDS;
            resolution = 1000;
            time = whole * 1000;
            // A mark for the distance to the next event.
            if (at.pos < at.end && at.bytes[at.pos] != ':') {
                at.pos++;
            }
        } else {
            stamp = Stamp.TICKS;
            resolution = 1;
            time = whole;
        }
        return at.skip(':');
    }

    /** The event's name after blanks; {@code system:} in front of it is passed over. A line without one has an empty name. */
    final void event() {
        TextCursor at = cursor;
        at.skipBlanks();
        byte[] bytes = at.bytes;
        int end = at.end;
        int from = at.pos;
        int to = from;
        while (to < end && bytes[to] != ' ') {
            if (bytes[to] == ':' && to + 1 < end && bytes[to + 1] != ' ') {
                from = to + 1;
            }
            to++;
        }
        int body = to;
        if (to > from && bytes[to - 1] == ':') {
            to--;
        } else {
            to = from;
            body = at.pos;
        }
        eventFrom = from;
        eventTo = to;
        while (body < end && bytes[body] == ' ') {
            body++;
        }
        bodyFrom = body;
        bareNameFrom = Math.min(to + 2, end);
    }
}
