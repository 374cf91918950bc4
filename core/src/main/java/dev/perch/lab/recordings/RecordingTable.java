package dev.perch.lab.recordings;

import dev.perch.lab.TextTable;
import dev.perch.lab.recordings.RecordingComparison.Effect;
import dev.perch.lab.recordings.RecordingComparison.Line;
import dev.perch.model.Times;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The comparison of two recordings as text for people. */
public final class RecordingTable {
    private static final String NOTHING = "–";
    private static final int MOST_LISTED = 5;

    private final RecordingComparison comparison;
    private final List<String> lines = new ArrayList<>();

    private RecordingTable(RecordingComparison comparison) {
        this.comparison = comparison;
    }

    public static List<String> lines(RecordingComparison comparison) {
        RecordingTable table = new RecordingTable(comparison);
        table.write();
        return table.lines;
    }

    private void write() {
        describe("A", comparison.first(), ", the baseline");
        describe("B", comparison.second(), "");
        lines.add("");
        List<Line> whole = comparison.whole();
        add("all wakeups", whole);
        List<Line> pairs = comparison.pairs();
        if (!pairs.isEmpty()) {
            lines.add("");
            add("pairs that wake most", pairs);
            lines.add("(those with " + RecordingComparison.LEAST_WAKEUPS + " wakeups or more in both)");
        }
        lines.add("");
        lines.add(percent()
                + " intervals by drawing blocks of time. A difference is shown if the interval leaves out 1, or 0 for"
                + " shares (pp: percentage points).");
        lines.add(
                "Each recording is one run: how much runs differ from each other, only several recordings of each show.");
        if (whole.stream().anyMatch(line -> line.interval().isEmpty())
                || pairs.stream().anyMatch(line -> line.interval().isEmpty())) {
            lines.add("no interval: fewer than " + RecordingComparison.LEAST_BLOCKS
                    + " blocks of time, or too rare to be in every draw");
        }
        addOnly("A", comparison.pairsOnlyIn(true));
        addOnly("B", comparison.pairsOnlyIn(false));
    }

    private void addOnly(String letter, List<String> names) {
        if (!names.isEmpty()) {
            lines.addAll(TextTable.wrap(
                    "pairs only in " + letter + " (wakeups): "
                            + String.join(", ", names.subList(0, Math.min(MOST_LISTED, names.size())))
                            + (names.size() > MOST_LISTED ? " and " + (names.size() - MOST_LISTED) + " more" : ""),
                    TextTable.WIDTH));
        }
    }

    private void describe(String letter, RecordingBlocks recording, String role) {
        lines.add(String.format(
                Locale.ROOT,
                "%s: %s%s; %,d wakeups in %.3f s, in %d blocks of %s",
                letter,
                recording.name(),
                role,
                recording.wakeupCount(),
                recording.duration(),
                recording.blockCount(),
                Times.format(recording.lengthNs())));
    }

    private String percent() {
        return String.format(Locale.ROOT, "%.4g%%", 100 * comparison.confidence())
                .replaceFirst("\\.?0+%", "%");
    }

    private void add(String heading, List<Line> rows) {
        TextTable table = new TextTable(List.of(heading, "A", "B", "B to A", percent() + " interval", ""), true);
        for (Line row : rows) {
            String name = row.subject().isEmpty()
                    ? row.metric().text()
                    : row.subject() + ": " + row.metric().text();
            table.add(List.of(
                    name,
                    value(row, row.first()),
                    value(row, row.second()),
                    effect(row, row.value()),
                    row.interval()
                            .map(interval -> effect(row, interval.low()) + " … " + effect(row, interval.high()))
                            .orElse(NOTHING),
                    row.verdict().words()));
        }
        lines.addAll(table.lines());
    }

    private static String value(Line row, double value) {
        return row.effect() == Effect.DIFFERENCE
                ? String.format(Locale.ROOT, "%.2f%%", 100 * value)
                : String.format(Locale.ROOT, "%.2f", value);
    }

    private static String effect(Line row, double value) {
        if (!Double.isFinite(value)) {
            return NOTHING;
        }
        return row.effect() == Effect.DIFFERENCE
                ? String.format(Locale.ROOT, "%+.2f pp", 100 * value)
                : String.format(Locale.ROOT, "%.3f", value);
    }
}
