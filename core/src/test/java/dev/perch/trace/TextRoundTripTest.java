package dev.perch.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.model.TaskNames;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random schedules, written as every tool prints them, are read back equal: events and names. */
class TextRoundTripTest {
    private static final int SEEDS = 12;
    private static final int EVENTS = 900;

    @ParameterizedTest
    @EnumSource(TextFixture.Style.class)
    void readsBackWhatTheToolPrinted(TextFixture.Style style) {
        for (long seed = 0; seed < SEEDS; seed++) {
            TaskNames written = new TaskNames();
            EventLog expected = new EventLog();
            TextFixture fixture = new TextFixture(style, written);
            new RandomSchedule(seed, 6, style.step(), written).run(EVENTS, expected);
            new RandomSchedule(seed, 6, style.step(), written).run(EVENTS, fixture);

            EventLog read = new EventLog();
            TaskNames names = new TaskNames();
            RecordingSummary summary = Reads.bytes(fixture.bytes(), read, names);

            assertSame(comparable(read.lines(), style), comparable(expected.lines(), style));
            assertThat(summary.defects().all())
                    .filteredOn(defect -> defect.kind() != DefectKind.ASSUMED_STATE_NUMBERS)
                    .as("defects of %s, seed %d", style, seed)
                    .isEmpty();
            assertThat(summary.format()).isEqualTo(formatOf(style));
            assertThat(summary.clock().resolution()).isEqualTo(style.step());
            for (int pid = 1; pid <= 60; pid++) {
                if (!names.nameOf(pid).isEmpty()) {
                    assertThat(names.nameOf(pid)).isEqualTo(written.nameOf(pid));
                }
            }
        }
    }

    private static RecordingFormat formatOf(TextFixture.Style style) {
        if (style.isPerf()) {
            return RecordingFormat.PERF_SCRIPT;
        }
        return style.isTraceCmd() ? RecordingFormat.TRACE_CMD_REPORT : RecordingFormat.FTRACE_TEXT;
    }

    /** Where the tool does not print the context, it need not be read. */
    private static List<String> comparable(List<String> lines, TextFixture.Style style) {
        Stream<String> stream = lines.stream();
        if (!style.hasContext()) {
            stream =
                    stream.map(line -> line.replaceFirst("^((?:waking|wakeup|wakeup_new) \\S+ \\S+ \\S+) \\d", "$1 ?"));
        }
        return stream.toList();
    }

    private static void assertSame(List<String> actual, List<String> expected) {
        for (int i = 0; i < Math.min(actual.size(), expected.size()); i++) {
            assertThat(actual.get(i)).as("event %d", i).isEqualTo(expected.get(i));
        }
        assertThat(actual).hasSameSizeAs(expected);
    }
}
