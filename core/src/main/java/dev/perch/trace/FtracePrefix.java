package dev.perch.trace;

import dev.perch.model.CpuMask;
import dev.perch.model.SchedEvents;

/**
 * The beginning of a line as the kernel's {@code trace} and as {@code trace-cmd report} print it.
 *
 * <pre>
 *            bash-26260 (  26260) [001] d..2.  3623.713618: sched_waking: …
 *            bash-26260   [001]  3623.713618: sched_waking: …      without flags and thread group
 *     bash-26260     1d..2.  16649us+: sched_waking: …             latency format: the CPU sticks to the flags
 * </pre>
 *
 * <p>Source: kernel/trace/trace_output.c (trace_print_context, trace_print_lat_context), 2.6.39 to 6.18; trace-cmd 3.1.
 */
final class FtracePrefix extends RecordPrefix {
    private static final int LATENCY_NAME_WIDTH = 8;
    /** trace-cmd pads an event's name, its colon included, to this width. */
    private static final int TRACE_CMD_EVENT_WIDTH = 22;

    private static final int MIN_FLAGS = 4;
    private static final int MAX_FLAGS = 8;
    private static final byte[] NO_TASK = TextCursor.literal("-1 ");

    /** What may stand among the flags, and what it says about the context; −1: no flag. */
    private static final byte[] FLAGS = new byte[256];

    static {
        java.util.Arrays.fill(FLAGS, (byte) -1);
        for (char flag : ".dDbXNnplLB#?0123456789abcdef".toCharArray()) {
            FLAGS[flag] = SchedEvents.IN_TASK;
        }
        for (char flag : "hHzZ".toCharArray()) {
            FLAGS[flag] = SchedEvents.IN_HARDIRQ;
        }
        FLAGS['s'] = SchedEvents.IN_SOFTIRQ;
    }

    @Override
    boolean read(byte[] bytes, int from, int to) {
        if (to - from > NAME_WIDTH && bytes[from + NAME_WIDTH] == '-' && readAt(bytes, from, from + NAME_WIDTH, to)) {
            return true;
        }
        if (to - from > LATENCY_NAME_WIDTH
                && bytes[from + LATENCY_NAME_WIDTH] == '-'
                && readAt(bytes, from, from + LATENCY_NAME_WIDTH, to)) {
            return true;
        }
        for (int dash = from; dash < to; dash++) {
            if (bytes[dash] == '-' && readAt(bytes, from, dash, to)) {
                return true;
            }
        }
        return false;
    }

    private boolean readAt(byte[] bytes, int from, int dash, int to) {
        TextCursor at = cursor;
        at.set(bytes, dash + 1, to);
        if (at.matches(at.pos, NO_TASK) && dash == from + NAME_WIDTH) {
            at.pos += 2;
            current = -1;
        } else if (!pid()) {
            return false;
        }
        nameEnd = dash - from;
        nameEndEarliest = nameEnd;
        context = SchedEvents.CONTEXT_UNKNOWN;
        at.skipBlanks();
        if (bytes[at.pos] == '(' && !skipThreadGroup()) {
            return false;
        }
        if (bytes[at.pos] == '[') {
            if (!bracketedCpu()) {
                return false;
            }
            nameWidth = NAME_WIDTH;
            at.skipBlanks();
            int next = bytes[at.pos] - '0';
            if ((next < 0 || next > 9) && !flags()) {
                return false;
            }
        } else {
            if (!at.number() || at.value >= CpuMask.MAX_CPUS) {
                return false;
            }
            cpu = (int) at.value;
            nameWidth = LATENCY_NAME_WIDTH;
            if (!flags()) {
                return false;
            }
        }
        at.skipBlanks();
        if (!time()) {
            return false;
        }
        skipDifference();
        event();
        if (bodyFrom >= eventFrom + TRACE_CMD_EVENT_WIDTH) {
            bareNameFrom = Math.max(bareNameFrom, eventFrom + TRACE_CMD_EVENT_WIDTH);
        }
        return true;
    }

    /** {@code (  1234)} or {@code (-----)}. */
    private boolean skipThreadGroup() {
        TextCursor at = cursor;
        int pos = at.pos + 1;
        while (pos < at.end) {
            byte b = at.bytes[pos++];
            if (b == ')') {
                at.pos = pos;
                at.skipBlanks();
                return true;
            }
            if (b != ' ' && b != '-' && (b < '0' || b > '9')) {
                return false;
            }
        }
        return false;
    }

    /**
     * The flags, four to eight of them. Their order and number depend on the kernel's version and configuration, but the letters for the
     * context are used for nothing else.
     */
    private boolean flags() {
        TextCursor at = cursor;
        byte[] bytes = at.bytes;
        int start = at.pos;
        int pos = start;
        int found = SchedEvents.IN_TASK;
        while (pos < at.end && bytes[pos] != ' ') {
            int flag = FLAGS[bytes[pos] & 0xff];
            if (flag < 0) {
                return false;
            }
            found |= flag;
            pos++;
        }
        int length = pos - start;
        if (length < MIN_FLAGS || length > MAX_FLAGS) {
            return false;
        }
        at.pos = pos;
        context = found;
        return true;
    }

    /** The column {@code (+7)} of {@code trace-cmd report --ts-diff}. */
    private void skipDifference() {
        TextCursor at = cursor;
        int start = at.pos;
        at.skipBlanks();
        if (at.skip('(') && at.skip('+') && at.number() && at.skip(')')) {
            return;
        }
        at.pos = start;
    }
}
