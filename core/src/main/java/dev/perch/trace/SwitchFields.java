package dev.perch.trace;

import dev.perch.model.SchedEvents;
import dev.perch.model.TaskState;
import org.jspecify.annotations.Nullable;

/**
 * The fields of sched_switch, in the kernel's way of writing, as raw numbers, or in the short form of libtraceevent's plugin.
 *
 * <pre>
 *   prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120
 *   prev_comm=a prev_pid=1 prev_prio=120 prev_state=1 next_comm=b next_pid=2 next_prio=120
 *   a:1 [120] S ==> b:2 [120]
 * </pre>
 */
final class SwitchFields {
    private static final byte[] PREV_COMM = TextCursor.literal("prev_comm=");
    private static final byte[] PREV_PID = TextCursor.literal(" prev_pid=");
    private static final byte[] PREV_PRIO = TextCursor.literal(" prev_prio=");
    private static final byte[] PREV_STATE = TextCursor.literal(" prev_state=");
    private static final byte[] ARROW = TextCursor.literal(" ==>");
    private static final byte[] NEXT_COMM = TextCursor.literal(" next_comm=");
    private static final byte[] NEXT_PID = TextCursor.literal(" next_pid=");
    private static final byte[] NEXT_PRIO = TextCursor.literal(" next_prio=");
    private static final byte[] COLON = TextCursor.literal(":");
    private static final byte[] BRACKET = TextCursor.literal(" [");

    private static final long FIRST_CHANGED_BIT = 0x10;

    private final FieldCursor at;
    private TaskStates.@Nullable Numbering numbering;
    private boolean numbersAssumed;

    private int prev;
    private int prevPrio;
    private int stateFrom;
    private int stateTo;
    private boolean asNumber;
    private int nextFrom;
    private int nextTo;
    private int next;
    private int nextPrio;
    private TaskState state = TaskState.UNKNOWN;

    SwitchFields(FieldCursor cursor) {
        at = cursor;
    }

    /** Task states as numbers mean what they do in this kernel. */
    void kernelRelease(String release) {
        numbering = TaskStates.Numbering.of(release);
    }

    /** Whether some state was a number whose meaning had to be assumed. */
    boolean numbersAssumed() {
        return numbersAssumed;
    }

    /** Whether the last event had a state that no kernel writes. */
    boolean stateUnknown() {
        return state == TaskState.UNKNOWN;
    }

    /** The task that the last event switched to. */
    int next() {
        return next;
    }

    /** Reads the fields that begin at the cursor and passes the event on; false if they cannot be read. */
    boolean read(RecordPrefix record, SchedEvents events) {
        boolean fields = at.skip(PREV_COMM);
        if (!fields) {
            at.pos = record.bareNameFrom;
        }
        int prevFrom = at.pos;
        byte[] label = fields ? PREV_PID : COLON;
        int prevTo = at.nextEnd(label, prevFrom, prevFrom);
        while (prevTo >= 0) {
            at.pos = prevTo;
            if (fields ? afterName() : afterShortName()) {
                if (!fields) {
                    state = ofShortForm();
                } else {
                    state = asNumber ? ofNumber() : TaskStates.ofText(at.bytes, stateFrom, stateTo);
                }
                at.name(prev, prevFrom, prevTo);
                at.name(next, nextFrom, nextTo);
                events.switched(record.time, record.cpu, prev, prevPrio, state, next, nextPrio);
                return true;
            }
            prevTo = at.nextEnd(label, prevFrom, prevTo + 1);
        }
        return false;
    }

    private boolean afterName() {
        if (!at.pidField(PREV_PID)) {
            return false;
        }
        prev = at.field;
        if (!at.field(PREV_PRIO)) {
            return false;
        }
        prevPrio = at.field;
        if (!at.skip(PREV_STATE)) {
            return false;
        }
        state();
        if (!at.skip(ARROW)) {
            // Raw numbers come without an arrow.
            asNumber = true;
        }
        if (!at.skip(NEXT_COMM)) {
            return false;
        }
        nextFrom = at.pos;
        nextTo = at.nextEnd(NEXT_PID, nextFrom, nextFrom);
        while (nextTo >= 0) {
            at.pos = nextTo;
            if (at.pidField(NEXT_PID)) {
                next = at.field;
                if (at.field(NEXT_PRIO) && at.ends()) {
                    nextPrio = at.field;
                    return true;
                }
            }
            nextTo = at.nextEnd(NEXT_PID, nextFrom, nextTo + 1);
        }
        return false;
    }

    private boolean afterShortName() {
        if (!shortTask()) {
            return false;
        }
        prev = pid;
        prevPrio = prio;
        if (!at.skip(' ')) {
            return false;
        }
        state();
        if (!at.skip(ARROW) || !at.skip(' ')) {
            return false;
        }
        nextFrom = at.pos;
        nextTo = at.nextEnd(COLON, nextFrom, nextFrom);
        while (nextTo >= 0) {
            at.pos = nextTo;
            if (shortTask() && at.ends()) {
                next = pid;
                nextPrio = prio;
                return true;
            }
            nextTo = at.nextEnd(COLON, nextFrom, nextTo + 1);
        }
        return false;
    }

    private int pid;
    private int prio;

    /** {@code :1 [120]}. */
    private boolean shortTask() {
        if (!at.pidField(COLON)) {
            return false;
        }
        pid = at.field;
        if (!at.field(BRACKET) || !at.skip(']')) {
            return false;
        }
        prio = at.field;
        return true;
    }

    private void state() {
        stateFrom = at.pos;
        while (at.pos < at.end && at.bytes[at.pos] != ' ') {
            at.pos++;
        }
        stateTo = at.pos;
        int first = at.bytes[stateFrom];
        asNumber = stateTo > stateFrom && first >= '0' && first <= '9' && at.bytes[stateFrom + 1] != 'x';
    }

    private TaskState ofNumber() {
        int resume = at.pos;
        at.pos = stateFrom;
        boolean read = at.number() && at.pos == stateTo;
        long bits = at.value;
        at.pos = resume;
        return read ? ofBits(bits) : TaskStates.ofText(at.bytes, stateFrom, stateTo);
    }

    private TaskState ofShortForm() {
        long bits = TaskStates.bitsOfShortForm(at.bytes[stateFrom]);
        return bits < 0 ? TaskStates.ofText(at.bytes, stateFrom, stateTo) : ofBits(bits);
    }

    private TaskState ofBits(long bits) {
        TaskStates.Numbering known = numbering;
        if (known == null) {
            // The bits for the usual sleeps never changed.
            numbersAssumed |= bits >= FIRST_CHANGED_BIT;
            known = TaskStates.Numbering.SINCE_4_14;
        }
        return TaskStates.ofBits(bits, known);
    }
}
