package dev.perch.trace;

import dev.perch.model.CpuMask;
import java.nio.charset.StandardCharsets;

/** Lines of text recordings that are no events: comments at the top, lost events, the tools' own remarks. */
final class TextRemarks {
    private static final byte[] CPU = TextCursor.literal("CPU:");
    private static final byte[] LOST = TextCursor.literal("LOST ");
    private static final byte[] LOST_WORD = TextCursor.literal(" lost ");
    private static final byte[] DROPPED = TextCursor.literal("EVENTS DROPPED");
    private static final byte[] EVENTS = TextCursor.literal("EVENTS");
    private static final byte[][] PREAMBLE = {
        TextCursor.literal("cpus="),
        TextCursor.literal("version = "),
        TextCursor.literal("CPU "),
        TextCursor.literal("trace.dat")
    };
    private static final String LATENCY_HEADER = " latency trace v";
    private static final String OS_RELEASE = "# os release :";
    private static final String ENTRIES = "entries-in-buffer/entries-written:";

    private final Reading reading;
    private final SwitchFields schedSwitch;
    private final TextCursor cursor = new TextCursor();
    private String clockName = Clock.UNKNOWN_NAME;
    private boolean hasLost;
    private int lostCpu;
    private long lostCount;
    private int comments;

    TextRemarks(Reading reading, SwitchFields schedSwitch) {
        this.reading = reading;
        this.schedSwitch = schedSwitch;
    }

    /** What the comments say about the clock. */
    String clockName() {
        return clockName;
    }

    /** Whether a loss was reported that has not been taken yet; it belongs before the next event. */
    boolean hasLost() {
        return hasLost;
    }

    int lostCpu() {
        return lostCpu;
    }

    /** How many were lost, −1 if that is not told. */
    long takeLost() {
        hasLost = false;
        return lostCount;
    }

    /** A line that begins with #. Only the first thousand are looked at. */
    void comment(byte[] bytes, int from, int to) {
        if (++comments > 1000) {
            return;
        }
        String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        int latency = text.indexOf(LATENCY_HEADER);
        if (latency >= 0) {
            int on = text.indexOf(" on ", latency);
            if (on >= 0) {
                kernelRelease(text.substring(on + 4).strip());
            }
        } else if (text.startsWith(OS_RELEASE)) {
            kernelRelease(text.substring(OS_RELEASE.length()).strip());
        } else if (text.contains(ENTRIES)) {
            overwritten(text);
        } else if (text.startsWith(TextHead.SIMULATED)) {
            reading.simulated();
            clockName = "simulation";
        }
    }

    private void kernelRelease(String release) {
        reading.kernelRelease(release);
        schedSwitch.kernelRelease(release);
    }

    /** {@code # entries-in-buffer/entries-written: 406/175037   #P:2}. */
    private void overwritten(String text) {
        byte[] numbers =
                (text.substring(text.indexOf(ENTRIES) + ENTRIES.length()) + '\n').getBytes(StandardCharsets.UTF_8);
        cursor.set(numbers, 0, numbers.length - 1);
        cursor.skipBlanks();
        if (!cursor.number()) {
            return;
        }
        long kept = cursor.value;
        if (cursor.skip('/') && cursor.number() && cursor.value > kept) {
            reading.defects().add(DefectKind.OVERWRITTEN, cursor.value - kept, -1);
        }
    }

    /** A line that is neither event nor comment; false if it is no remark of the tools either. */
    boolean remark(byte[] bytes, int from, int to) {
        cursor.set(bytes, from, to);
        if (cursor.skip(CPU)) {
            return lost();
        }
        for (byte[] known : PREAMBLE) {
            if (cursor.matches(from, known)) {
                return true;
            }
        }
        return false;
    }

    /**
     * {@code CPU:0 [LOST 1142 EVENTS]} and {@code CPU:0 [LOST EVENTS]} of the kernel, {@code CPU:0 [1142 EVENTS DROPPED]} and
     * {@code CPU:0 [EVENTS DROPPED]} of trace-cmd.
     */
    private boolean lost() {
        TextCursor at = cursor;
        if (!at.number() || at.value >= CpuMask.MAX_CPUS) {
            return false;
        }
        int cpu = (int) at.value;
        at.skipBlanks();
        if (!at.skip('[')) {
            return false;
        }
        boolean lost = at.skip(LOST);
        long count = -1;
        if (at.number()) {
            count = at.value;
            at.skipBlanks();
        }
        if (!(lost ? at.skip(EVENTS) : at.skip(DROPPED)) || !at.skip(']')) {
            return false;
        }
        hasLost = true;
        lostCpu = cpu;
        lostCount = count;
        reading.defects().add(DefectKind.EVENTS_LOST, Math.max(1, count), -1);
        return true;
    }

    /** The number in {@code PERF_RECORD_LOST lost 55}, the cursor standing behind the first word; −1 if there is none. */
    long lostCount(TextCursor at) {
        return at.skip(LOST_WORD) && at.number() ? at.value : -1;
    }

    /** Whether this is a line of a stack trace: {@code ffffffff813af60a dequeue_task}, or {@code  => dequeue_task}. */
    static boolean isStackLine(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && (bytes[at] == ' ' || bytes[at] == '\t')) {
            at++;
        }
        if (at == from) {
            return false;
        }
        if (at + 1 < to && bytes[at] == '=' && bytes[at + 1] == '>') {
            return true;
        }
        int digits = 0;
        while (at < to && Character.digit(bytes[at], 16) >= 0) {
            at++;
            digits++;
        }
        return digits >= 6 && at < to && bytes[at] == ' ';
    }
}
