package dev.perch.trace;

import dev.perch.model.SchedEvents;

/**
 * The beginning of a line as {@code perf script} prints it. Every column but the time may be missing; their order is fixed.
 *
 * <pre>
 *   C2 CompilerThre 26588 [001]  3612.799046:       sched:sched_switch: …
 *              java 26271/26272 [000]  3608.855178527:     45006 sched:sched_stat_runtime: …
 * </pre>
 */
final class PerfPrefix extends RecordPrefix {
    private boolean hasTask;

    @Override
    boolean read(byte[] bytes, int from, int to) {
        boolean columns =
                to - from > NAME_WIDTH && bytes[from + NAME_WIDTH] == ' ' && readAt(bytes, from, from + NAME_WIDTH, to);
        if (columns && hasTask && cpu >= 0) {
            return true;
        }
        // Either columns are missing, or a newline in the name has moved them.
        for (int pos = from; pos < to; pos++) {
            boolean starts = bytes[pos] == '[' || bytes[pos] >= '0' && bytes[pos] <= '9';
            if (starts && (pos == from || bytes[pos - 1] == ' ') && readAt(bytes, from, pos, to)) {
                return true;
            }
        }
        return columns && readAt(bytes, from, from + NAME_WIDTH, to);
    }

    /** Reads what follows the name. */
    private boolean readAt(byte[] bytes, int from, int columns, int to) {
        TextCursor at = cursor;
        at.set(bytes, columns, to);
        at.skipBlanks();
        int earliest = columns;
        while (earliest > from && bytes[earliest - 1] == ' ') {
            earliest--;
        }
        nameEnd = columns - from;
        nameEndEarliest = earliest - from;
        context = SchedEvents.CONTEXT_UNKNOWN;
        current = -1;
        cpu = -1;
        int start = at.pos;
        hasTask = bytes[start] != '[' && task();
        if (!hasTask) {
            current = -1;
            at.pos = start;
        }
        at.skipBlanks();
        if (bytes[at.pos] == '[') {
            if (!bracketedCpu()) {
                return false;
            }
            at.skipBlanks();
        }
        if (!time() || stamp != Stamp.SECONDS) {
            return false;
        }
        skipPeriod();
        event();
        return true;
    }

    /** {@code tid} or {@code pid/tid}, and a blank. */
    private boolean task() {
        TextCursor at = cursor;
        if (bytes(at) == '-') {
            // A task that perf does not know.
            at.pos++;
            if (!at.number()) {
                return false;
            }
            current = -1;
        } else if (!pid()) {
            return false;
        }
        if (at.skip('/') && !pid()) {
            return false;
        }
        return bytes(at) == ' ';
    }

    private static int bytes(TextCursor at) {
        return at.bytes[at.pos];
    }

    private void skipPeriod() {
        TextCursor at = cursor;
        int start = at.pos;
        at.skipBlanks();
        if (!at.number() || bytes(at) != ' ') {
            at.pos = start;
        }
    }
}
