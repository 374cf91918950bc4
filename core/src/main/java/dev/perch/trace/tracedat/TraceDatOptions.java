package dev.perch.trace.tracedat;

import dev.perch.model.InputException;
import dev.perch.model.Topology;
import dev.perch.trace.DefectKind;
import dev.perch.trace.ListedTopology;
import dev.perch.trace.Reading;
import dev.perch.trace.binary.ByteCursor;
import dev.perch.trace.binary.DamageException;
import dev.perch.trace.binary.TimeScale;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The options of a trace.dat: facts about the recording, and in version 7 where everything lies. */
final class TraceDatOptions {
    static final int DONE = 0;
    static final int HEADER_INFO = 16;
    static final int FTRACE_EVENTS = 17;
    static final int EVENT_FORMATS = 18;
    static final int COMMAND_LINES = 21;

    private static final int CPU_STAT = 2;
    private static final int BUFFER = 3;
    private static final int TRACE_CLOCK = 4;
    private static final int UNAME = 5;
    private static final int OFFSET = 7;
    /** What made the file; Perch's recorder tells the machine's topology there, since no other option is for text. */
    private static final int VERSION = 9;

    private static final int TSC_TO_NSEC = 14;
    private static final int BUFFER_TEXT = 22;

    private static final int MAX_TEXT = 1 << 16;
    private static final int MAX_SHIFT = 32;
    private static final int MAX_BUFFERS = 4096;
    private static final Pattern SELECTED = Pattern.compile("\\[([^]]*)]");
    private static final Pattern COUNTER = Pattern.compile("(overrun|dropped events): (\\d{1,18})");

    /** A buffer as an option announces it: where its description lies, and in version 7 the description itself. */
    record Announced(long offset, ByteCursor rest) {}

    private final Reading reading;
    private final List<Announced> buffers = new ArrayList<>();
    private final long[] sections = new long[COMMAND_LINES + 1];
    private String clock = "";
    private long mult = 1;
    private int shift;
    private long offset;
    private boolean hasText;
    private @Nullable Topology topology;

    TraceDatOptions(Reading reading) {
        this.reading = reading;
    }

    /** Reads the option with this number. */
    void read(int number, ByteCursor in) throws IOException {
        switch (number) {
            case CPU_STAT -> cpuStat(text(in));
            case BUFFER -> {
                if (buffers.size() >= MAX_BUFFERS) {
                    throw new DamageException("has more buffers than can be", in.position());
                }
                buffers.add(new Announced(in.s64(), in));
            }
            case TRACE_CLOCK -> {
                String clocks = text(in);
                Matcher match = SELECTED.matcher(clocks);
                clock = match.find() ? match.group(1) : clocks.strip();
            }
            case UNAME -> {
                String[] words = text(in).strip().split("\\s+");
                if (words.length >= 3) {
                    reading.kernelRelease(words[2]);
                }
            }
            case VERSION -> topology(text(in));
            case OFFSET -> {
                try {
                    offset += Long.decode(text(in).strip());
                } catch (NumberFormatException _) {
                    reading.defects().add(DefectKind.CORRUPT_RECORD, in.position());
                }
            }
            case TSC_TO_NSEC -> {
                mult = in.u32();
                shift = (int) Math.min(MAX_SHIFT, in.u32());
                offset += in.s64();
            }
            case HEADER_INFO, FTRACE_EVENTS, EVENT_FORMATS, COMMAND_LINES -> sections[number] = in.s64();
            case BUFFER_TEXT -> hasText = true;
            default -> {}
        }
    }

    private void topology(String text) {
        if (!text.startsWith(TraceDat.OUR_VERSION)) {
            return;
        }
        try {
            topology = ListedTopology.parse(text).topology();
        } catch (InputException _) {
            reading.defects().note(DefectKind.CORRUPT_RECORD, -1);
        }
    }

    /** The machine's topology, if the file tells it. */
    @Nullable
    Topology topology() {
        return topology;
    }

    private static String text(ByteCursor in) throws IOException {
        String text = new String(in.bytes(in.remaining(), MAX_TEXT), StandardCharsets.UTF_8);
        int end = text.indexOf('\0');
        return end < 0 ? text : text.substring(0, end);
    }

    private void cpuStat(String text) {
        Matcher match = COUNTER.matcher(text);
        while (match.find()) {
            long count = Long.parseLong(match.group(2));
            if (count > 0 && match.group(1).equals("overrun")) {
                reading.defects().add(DefectKind.OVERWRITTEN, count, -1);
            } else if (count > 0) {
                reading.defects().add(DefectKind.EVENTS_LOST, count, -1);
            }
        }
    }

    List<Announced> buffers() {
        return buffers;
    }

    /** Byte offset of the section with this number, 0 if there is none. */
    long section(int number) {
        return sections[number];
    }

    /** Name of the trace clock, empty if it is not told. */
    String clock() {
        return clock;
    }

    /** Whether the clock's times become nanoseconds by {@link #scale}. */
    boolean isScaled() {
        return mult != 1;
    }

    TimeScale scale() {
        return new TimeScale(mult, shift, offset);
    }

    /** Whether a buffer was saved as text. */
    boolean hasText() {
        return hasText;
    }
}
