package dev.perch.trace;

import dev.perch.model.CpuMask;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One reading of a recording that is lines of text: goes through the lines, hands each to who understands it, and takes note of those
 * that nobody does. Nothing is allocated a line.
 *
 * <p>A task's name may hold newlines, and every tool prints them as they are. An event that stops inside a name is joined with the lines
 * after it; lines that are the beginning of a name in the task column are told by its width.
 */
final class TextReading {
    /** A line with two names of 15 newlines has that many lines, and one more. */
    private static final int MOST_JOINED = 31;
    /** A line put together is no longer than this, bytes. */
    private static final int LONGEST_JOINED = 512;

    /** If one in so many records is older than the one before it, these are no times of one clock. */
    private static final int MOST_BACKWARDS = 5;

    private static final byte[] COMM = TextCursor.literal("comm=");
    private static final byte[] CONTINUATION = TextCursor.literal("(continued line)");
    private static final byte[] NO_NAME = TextCursor.literal("(no event name)");
    private static final byte[] STACK = TextCursor.literal("(stack trace line)");
    private static final byte[] LOST = TextCursor.literal("PERF_RECORD_LOST");

    private final Lines lines;
    private final RecordPrefix record;
    private final Reading reading;
    private final Defects defects;
    private final EventSorter events;
    private final EventFields fields;
    private final TextRemarks remarks;

    /** What runs on each CPU as far as the switches told, −1 if not known: some lines do not name their task. */
    private final int[] running = new int[CpuMask.MAX_CPUS];

    private RecordPrefix.@Nullable Stamp stamp;
    private long resolution = Long.MAX_VALUE;
    private long lastTime;
    private long records;
    private long backwards;

    /** Lines that are no records and may be the beginning of the next record's name: their bytes with newlines, and how many count. */
    private int pendingLength;

    private int pendingLines;
    private long pendingPlace;
    private boolean nameOpen;

    TextReading(Lines lines, RecordPrefix record, Reading reading) {
        this.lines = lines;
        this.record = record;
        this.reading = reading;
        defects = reading.defects();
        events = new EventSorter(reading.events(), EventSorter.WINDOW, defects);
        fields = new EventFields(events, reading.names());
        remarks = new TextRemarks(reading, fields.schedSwitch());
        Arrays.fill(running, -1);
    }

    void run() throws IOException {
        while (lines.next()) {
            events.place(lines.number());
            if (lines.isTooLong()) {
                defects.add(DefectKind.LONG_LINE, lines.number());
            } else if (lines.isCutOff()) {
                lastLine();
            } else {
                line();
            }
        }
        settlePending(false);
        lost(lastTime);
        events.flush();
        if (backwards * MOST_BACKWARDS > records) {
            defects.note(DefectKind.DISORDERED, -1);
        }
        if (fields.schedSwitch().numbersAssumed()) {
            defects.note(DefectKind.ASSUMED_STATE_NUMBERS, -1);
        }
        tellClock();
    }

    /** A line without a newline: what it says may be cut off inside a number, so that it is not believed. */
    private void lastLine() {
        defects.add(DefectKind.TRUNCATED, lines.number());
    }

    private void line() throws IOException {
        byte[] bytes = lines.bytes();
        int start = lines.start();
        int end = lines.end();
        if (end > start && bytes[end - 1] == '\r') {
            end--;
        }
        boolean comment = start < end && bytes[start] == '#';
        if (record.read(bytes, start, end) && (!comment || beginsLikeComment())) {
            settlePending(true);
            record(end);
        } else if (comment) {
            remarks.comment(bytes, start, end);
        } else {
            lost(lastTime);
            if (!remarks.remark(bytes, start, end)) {
                noRecord(bytes, start, end);
            }
        }
    }

    /**
     * Whether the record just read may begin with #: as the second half of a name with a newline, whose first half is then pending, or
     * with a name that fills its column, which only the narrow one of the latency format lets happen.
     */
    private boolean beginsLikeComment() {
        return pendingLength > 0 || record.nameWidth < RecordPrefix.NAME_WIDTH && record.nameEnd == record.nameWidth;
    }

    /** Passes on what the last remark said of lost events: they are missing before the record that follows, at {@code time}. */
    private void lost(long time) {
        if (remarks.hasLost()) {
            running[remarks.lostCpu()] = -1;
            events.lost(time, remarks.lostCpu(), remarks.takeLost());
        }
    }

    private void record(int end) throws IOException {
        if (!sameClock()) {
            defects.add(DefectKind.MIXED_CLOCKS, lines.number());
            return;
        }
        lost(record.time);
        records++;
        if (record.time < lastTime) {
            backwards++;
        }
        lastTime = record.time;
        byte[] bytes = lines.bytes();
        int from = record.eventFrom;
        int to = record.eventTo;
        nameOpen = false;
        if (from == to) {
            unnamed(bytes, end);
            return;
        }
        Tracepoint tracepoint = Tracepoint.find(bytes, from, to);
        if (tracepoint == null) {
            reading.skipped().add(bytes, from, to);
            nameOpen = isNameOpen(bytes, end);
            return;
        }
        if (record.current < 0 && record.cpu >= 0) {
            record.current = running[record.cpu];
        }
        switch (fields.read(tracepoint, record, end, false)) {
            case PASSED_ON -> passedOn(tracepoint);
            case NOTHING -> reading.skipped().add(bytes, from, to);
            case UNREADABLE -> unreadable(tracepoint);
        }
    }

    private void passedOn(Tracepoint tracepoint) {
        if (record.cpu < 0) {
            defects.note(DefectKind.NO_CPU, lines.number());
        }
        if (tracepoint == Tracepoint.SCHED_SWITCH) {
            if (fields.schedSwitch().stateUnknown()) {
                defects.add(DefectKind.UNKNOWN_STATE, lines.number());
            }
            if (record.cpu >= 0) {
                running[record.cpu] = fields.schedSwitch().next();
            }
        } else if (record.current < 0) {
            defects.add(DefectKind.NO_CURRENT_TASK, lines.number());
        }
    }

    /** The rest of the event may be in the lines after this, because a name has newlines. */
    private void unreadable(Tracepoint tracepoint) throws IOException {
        int length = lines.end() - lines.start();
        for (int i = 0; i < MOST_JOINED; i++) {
            int bodyFrom = record.bodyFrom - lines.start();
            int bareNameFrom = record.bareNameFrom - lines.start();
            if (!lines.join() || lines.end() - lines.start() > length + LONGEST_JOINED) {
                break;
            }
            int start = lines.start();
            record.bodyFrom = start + bodyFrom;
            record.bareNameFrom = start + bareNameFrom;
            record.cursor.bytes = lines.bytes();
            EventFields.Outcome outcome = fields.read(tracepoint, record, lines.end(), true);
            if (outcome != EventFields.Outcome.UNREADABLE) {
                if (outcome == EventFields.Outcome.PASSED_ON) {
                    passedOn(tracepoint);
                }
                return;
            }
        }
        lines.split(length);
        defects.add(DefectKind.UNPARSED_EVENT, lines.number());
    }

    /** A line whose event has no name: perf's own records, or the function tracer. */
    private void unnamed(byte[] bytes, int end) {
        int from = record.bodyFrom;
        int to = from;
        while (to < end && (bytes[to] >= 'A' && bytes[to] <= 'Z' || bytes[to] == '_')) {
            to++;
        }
        if (to - from == LOST.length && record.cursor.matches(from, LOST)) {
            TextCursor at = record.cursor;
            at.set(bytes, to, end);
            events.lost(record.time, record.cpu, remarks.lostCount(at));
            defects.add(DefectKind.EVENTS_LOST, lines.number());
        } else if (to > from) {
            reading.skipped().add(bytes, from, to);
        } else {
            reading.skipped().add(NO_NAME, 0, NO_NAME.length);
        }
    }

    /** Whether an event that is skipped stops inside a name, so that the next line is the rest of it. */
    private boolean isNameOpen(byte[] bytes, int end) {
        int from = Math.max(record.bodyFrom, end - FieldCursor.KERNEL_NAME - COMM.length);
        for (int at = from; at + COMM.length <= end; at++) {
            if (bytes[at] == 'c' && record.cursor.matches(at, COMM)) {
                return true;
            }
        }
        return false;
    }

    private void noRecord(byte[] bytes, int start, int end) {
        if (nameOpen && start < end) {
            nameOpen = false;
            reading.skipped().add(CONTINUATION, 0, CONTINUATION.length);
            return;
        }
        if (TextRemarks.isStackLine(bytes, start, end)) {
            reading.skipped().add(STACK, 0, STACK.length);
            return;
        }
        if (pendingLength == 0) {
            pendingPlace = lines.number();
        }
        pendingLength += end - start + 1;
        if (start < end) {
            pendingLines++;
        }
        if (pendingLength > RecordPrefix.NAME_WIDTH) {
            settlePending(false);
        }
    }

    /** Decides what the lines before a record were: the first part of its task's name, or nothing that can be read. */
    private void settlePending(boolean beforeRecord) {
        if (pendingLength == 0) {
            return;
        }
        boolean nameBegan = beforeRecord
                && pendingLength + record.nameEndEarliest <= record.nameWidth
                && pendingLength + record.nameEnd >= record.nameWidth;
        if (!nameBegan && pendingLines > 0) {
            defects.add(DefectKind.UNPARSED_LINE, pendingLines, pendingPlace);
        }
        pendingLength = 0;
        pendingLines = 0;
    }

    private boolean sameClock() {
        RecordPrefix.Stamp first = stamp;
        if (first == null) {
            stamp = record.stamp;
        } else if (first != record.stamp) {
            return false;
        }
        if (record.resolution < resolution) {
            resolution = record.resolution;
        }
        return true;
    }

    private void tellClock() {
        boolean ticks = stamp == RecordPrefix.Stamp.TICKS;
        if (ticks) {
            defects.note(DefectKind.UNKNOWN_CLOCK_UNIT, -1);
        }
        Clock.Unit unit = ticks ? Clock.Unit.TICKS : Clock.Unit.NANOSECONDS;
        reading.clock(new Clock(remarks.clockName(), unit, stamp == null ? 1 : resolution));
    }
}
