package dev.perch.trace.perfetto;

import dev.perch.model.SchedEvents;
import dev.perch.trace.DefectKind;
import dev.perch.trace.EventKind;
import dev.perch.trace.Reading;
import dev.perch.trace.binary.EventLane;
import dev.perch.trace.binary.EventWindow;
import dev.perch.trace.binary.PackedEvents;
import java.io.IOException;
import java.util.Arrays;

/**
 * Decodes the compact encoding of sched_switch and sched_waking: a row of packed numbers for each field, times as differences, names as
 * indexes into a table.
 *
 * <p>Who is switched out is not written: it is who was switched in before, and −1 (with priority −1) where no such switch is there. The waker
 * is who runs. A waking at the very time of a switch counts as before it.
 */
final class CompactSched {
    private static final int SWITCH_TIMESTAMP = 1;
    private static final int SWITCH_PREV_STATE = 2;
    private static final int SWITCH_NEXT_PID = 3;
    private static final int SWITCH_NEXT_PRIO = 4;
    private static final int INTERN_TABLE = 5;
    private static final int SWITCH_NEXT_COMM = 6;
    private static final int WAKING_TIMESTAMP = 7;
    private static final int WAKING_PID = 8;
    private static final int WAKING_TARGET_CPU = 9;
    private static final int WAKING_PRIO = 10;
    private static final int WAKING_COMM = 11;
    private static final int WAKING_COMMON_FLAGS = 12;

    private final Reading reading;
    private final CpuStates cpus;
    private final ProtoFields fields = new ProtoFields();
    private final ProtoFields[] rows = new ProtoFields[WAKING_COMMON_FLAGS + 1];
    private final long[] values = new long[8];
    private int[] nameFrom = new int[64];
    private int[] nameTo = new int[64];
    private int nameCount;

    CompactSched(Reading reading, CpuStates cpus) {
        this.reading = reading;
        this.cpus = cpus;
        for (int i = 0; i < rows.length; i++) {
            rows[i] = new ProtoFields();
        }
    }

    /** Decodes the message that is the current field of {@code bundle}; returns the time of its first event, or the highest time. */
    long read(ProtoFields bundle, int cpu, EventLane lane, EventWindow window, long place) throws IOException {
        for (ProtoFields row : rows) {
            row.begin(bundle.bytes(), 0, 0);
        }
        nameCount = 0;
        fields.begin(bundle);
        while (fields.next()) {
            if (fields.number() == INTERN_TABLE && fields.isBytes()) {
                addName(fields.from(), fields.to());
            } else if (fields.number() < rows.length && fields.isBytes()) {
                rows[fields.number()].begin(fields);
            } else if (fields.number() < rows.length) {
                reading.defects().note(DefectKind.UNKNOWN_ENCODING, place);
            }
        }
        boolean broken = fields.isBroken();
        long switchNs = next(SWITCH_TIMESTAMP, 0);
        long wakingNs = next(WAKING_TIMESTAMP, 0);
        long first = Math.min(switchNs, wakingNs);
        while (switchNs < Long.MAX_VALUE || wakingNs < Long.MAX_VALUE) {
            if (wakingNs <= switchNs) {
                broken |= !waking(wakingNs, cpu, lane);
                wakingNs = next(WAKING_TIMESTAMP, wakingNs);
            } else {
                broken |= !switched(switchNs, cpu, lane);
                switchNs = next(SWITCH_TIMESTAMP, switchNs);
            }
            if (broken) {
                break;
            }
            window.relieve();
        }
        if (broken) {
            reading.defects().add(DefectKind.CORRUPT_RECORD, place);
        }
        return first;
    }

    /** The time after {@code ns} in a row of differences, the highest time at its end. */
    private long next(int row, long ns) {
        if (!rows[row].hasMore()) {
            return Long.MAX_VALUE;
        }
        long next = ns + rows[row].varint();
        return next < ns ? Long.MAX_VALUE : next;
    }

    private boolean switched(long ns, int cpu, EventLane lane) {
        if (!rows[SWITCH_NEXT_PID].hasMore() || !rows[SWITCH_PREV_STATE].hasMore()) {
            return false;
        }
        int next = (int) rows[SWITCH_NEXT_PID].varint();
        int nextPrio = rows[SWITCH_NEXT_PRIO].hasMore() ? (int) rows[SWITCH_NEXT_PRIO].varint() : -1;
        values[0] = cpus.running(cpu);
        values[1] = next;
        values[2] = rows[SWITCH_PREV_STATE].varint();
        values[3] = cpus.runningPrio(cpu);
        values[4] = nextPrio;
        learn(next, SWITCH_NEXT_COMM);
        cpus.runs(cpu, next, nextPrio);
        cpus.happened(cpu, ns);
        return PackedEvents.add(lane, EventKind.SWITCH, values, ns, cpu, next, SchedEvents.CONTEXT_UNKNOWN);
    }

    private boolean waking(long ns, int cpu, EventLane lane) {
        if (!rows[WAKING_PID].hasMore() || !rows[WAKING_TARGET_CPU].hasMore()) {
            return false;
        }
        int wakee = (int) rows[WAKING_PID].varint();
        values[0] = wakee;
        values[1] = (int) rows[WAKING_TARGET_CPU].varint();
        values[2] = rows[WAKING_PRIO].hasMore() ? (int) rows[WAKING_PRIO].varint() : -1;
        values[3] = -1;
        int context = rows[WAKING_COMMON_FLAGS].hasMore()
                ? PackedEvents.context((int) rows[WAKING_COMMON_FLAGS].varint())
                : SchedEvents.CONTEXT_UNKNOWN;
        learn(wakee, WAKING_COMM);
        cpus.happened(cpu, ns);
        return PackedEvents.add(lane, EventKind.WAKING, values, ns, cpu, cpus.running(cpu), context);
    }

    private void learn(int pid, int row) {
        if (!rows[row].hasMore()) {
            return;
        }
        long index = rows[row].varint();
        if (pid > 0 && index >= 0 && index < nameCount) {
            reading.names().learn(pid, rows[row].bytes(), nameFrom[(int) index], nameTo[(int) index]);
        }
    }

    private void addName(int from, int to) {
        if (nameCount == nameFrom.length) {
            nameFrom = Arrays.copyOf(nameFrom, nameCount * 2);
            nameTo = Arrays.copyOf(nameTo, nameCount * 2);
        }
        nameFrom[nameCount] = from;
        nameTo[nameCount++] = to;
    }
}
