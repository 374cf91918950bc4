package dev.perch.lab.results;

import dev.perch.lab.TextTable;
import dev.perch.lab.results.Contrast.Method;
import dev.perch.lab.results.Contrast.Verdict;
import dev.perch.lab.statistics.Interval;
import dev.perch.lab.statistics.MeanInterval;
import dev.perch.lab.statistics.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A comparison as text for people: a table for each metric, with the interval of each ratio to the baseline. */
public final class RatioTable {
    private static final String NOTHING = "–";
    private static final int MOST_LISTED = 12;

    private final Comparison comparison;
    private final Options options;
    private final List<String> lines = new ArrayList<>();
    private final Set<String> reasons = new LinkedHashSet<>();
    private int contrasts;

    /**
     * How to compare.
     *
     * @param method of the ratio's interval
     * @param confidence of all intervals, such as 0.95
     * @param randomSeed of the bootstrap
     * @param details also medians, tests and effect sizes
     */
    public record Options(Method method, double confidence, long randomSeed, boolean details) {}

    private RatioTable(Comparison comparison, Options options) {
        this.comparison = comparison;
        this.options = options;
    }

    public static List<String> lines(Comparison comparison, Options options) {
        RatioTable table = new RatioTable(comparison, options);
        table.write();
        return table.lines;
    }

    private void write() {
        for (int column = 0; column < comparison.sets().size(); column++) {
            ResultSet set = comparison.sets().get(column);
            String distinction = comparison.distinction(set).toString();
            lines.add(letter(column) + ": " + set.name()
                    + (distinction.isEmpty() || distinction.equals(set.name()) ? "" : " (" + distinction + ")")
                    + (column == 0 ? ", the baseline" : ""));
        }
        if (!comparison.common().axes().isEmpty()) {
            lines.add("in all: " + comparison.common());
        }
        Map<Metric, List<Comparison.Row>> metrics = new LinkedHashMap<>();
        for (Comparison.Row row : comparison.shared()) {
            metrics.computeIfAbsent(row.metric(), key -> new ArrayList<>()).add(row);
        }
        metrics.forEach((metric, rows) -> {
            lines.add("");
            lines.add(metric.text() + ", " + better(metric.better()));
            lines.addAll(table(metric, rows).lines());
        });
        lines.add("");
        lines.addAll(TextTable.wrap(explanation(), TextTable.WIDTH));
        reasons.forEach(reason -> lines.add("no interval: " + reason));
        addAlone();
    }

    private static String better(Direction direction) {
        return switch (direction) {
            case HIGHER -> "higher is better";
            case LOWER -> "lower is better";
            case NEITHER -> "neither more nor less is better";
        };
    }

    private static String letter(int column) {
        return String.valueOf((char) ('A' + column));
    }

    private TextTable table(Metric metric, List<Comparison.Row> rows) {
        Set<String> axes = new LinkedHashSet<>();
        rows.forEach(row -> axes.addAll(row.labels().axes().keySet()));
        List<String> header =
                new ArrayList<>(List.of(axes.isEmpty() ? "" : String.join(" ", axes), "in", "n", "mean", "±"));
        if (options.details()) {
            header.addAll(List.of("median", "stddev"));
        }
        header.addAll(List.of("ratio", percent() + " interval"));
        if (options.details()) {
            header.addAll(List.of("Welch p", "M-W p", "g", "A12"));
        }
        header.add("");
        TextTable table = new TextTable(header, true);
        for (Comparison.Row row : rows) {
            addRow(table, metric, row);
        }
        return table;
    }

    private String percent() {
        return String.format(Locale.ROOT, "%s%%", trimmed(100 * options.confidence()));
    }

    private static String trimmed(double value) {
        return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
    }

    private void addRow(TextTable table, Metric metric, Comparison.Row row) {
        Optional<Series> baseline = Optional.empty();
        String label = row.labels().toString();
        for (int column = 0; column < row.cells().size(); column++) {
            Optional<Series> cell = row.cells().get(column);
            if (cell.isEmpty()) {
                continue;
            }
            Sample sample = new Sample(cell.get().repeats());
            List<String> cells = new ArrayList<>();
            cells.add(baseline.isEmpty() ? label : "");
            cells.add(letter(column));
            cells.add(String.valueOf(sample.size()));
            cells.add(NumberText.value(sample.mean(), metric.unit()));
            cells.add(NumberText.plusMinus(MeanInterval.relativeHalfWidth(sample, options.confidence())));
            if (options.details()) {
                cells.add(NumberText.value(sample.median(), metric.unit()));
                cells.add(sample.size() < 2 ? NOTHING : NumberText.value(sample.standardDeviation(), metric.unit()));
            }
            if (baseline.isEmpty()) {
                cells.addAll(List.of("", ""));
                if (options.details()) {
                    cells.addAll(List.of("", "", "", ""));
                }
                cells.add(column == 0 ? "" : "baseline of this row");
                baseline = cell;
            } else {
                addContrast(
                        cells,
                        Contrast.of(
                                baseline.get(),
                                cell.get(),
                                options.method(),
                                options.confidence(),
                                options.randomSeed()));
            }
            table.add(cells);
        }
    }

    private void addContrast(List<String> cells, Contrast contrast) {
        contrasts++;
        cells.add(
                contrast.ratio().isPresent() ? NumberText.ratio(contrast.ratio().getAsDouble()) : NOTHING);
        cells.add(contrast.interval().map(RatioTable::text).orElse(NOTHING));
        if (options.details()) {
            cells.add(contrast.welch()
                    .map(test -> NumberText.probability(test.p()))
                    .orElse(NOTHING));
            cells.add(contrast.mannWhitney()
                    .map(test -> NumberText.probability(test.p()))
                    .orElse(NOTHING));
            cells.add(contrast.effect()
                    .map(effect -> NumberText.effect(effect.g()))
                    .orElse(NOTHING));
            cells.add(contrast.mannWhitney()
                    .map(test -> String.format(Locale.ROOT, "%.2f", test.a12()))
                    .orElse(NOTHING));
        }
        Verdict verdict = contrast.verdict();
        if (verdict == Verdict.UNKNOWN) {
            reasons.add(contrast.reason());
        }
        cells.add(verdict.words() + change(contrast, verdict));
    }

    /** {@code , +13.6%}, where a difference is shown. */
    private static String change(Contrast contrast, Verdict verdict) {
        return switch (verdict) {
            case BETTER, WORSE, MORE, LESS ->
                String.format(Locale.ROOT, ", %+.1f%%", 100 * (contrast.ratio().orElse(1) - 1));
            case NOT_SHOWN, EQUAL, UNKNOWN -> "";
        };
    }

    private static String text(Interval interval) {
        return NumberText.ratio(interval.low()) + " … " + NumberText.ratio(interval.high());
    }

    private String explanation() {
        StringBuilder text = new StringBuilder();
        text.append(percent())
                .append(" intervals; of ratios of means: ")
                .append(
                        switch (options.method()) {
                            case WELCH -> "Welch's, on logarithms";
                            case BOOTSTRAP -> "BCa bootstrap";
                        });
        text.append(". A difference is shown if the interval leaves out 1");
        if (contrasts > 4) {
            text.append(String.format(
                    Locale.ROOT,
                    "; of %d comparisons without any difference, chance shows about %.1f",
                    contrasts,
                    contrasts * (1 - options.confidence())));
        }
        return text.append('.').toString();
    }

    /** What cannot be compared, and why. */
    private void addAlone() {
        List<Comparison.Row> alone = comparison.alone();
        for (int i = 0; i < alone.size() && i < MOST_LISTED; i++) {
            lines.add("not compared: " + describe(alone.get(i)));
        }
        if (alone.size() > MOST_LISTED) {
            lines.add("not compared: " + (alone.size() - MOST_LISTED) + " more rows that only one input has");
        }
    }

    private String describe(Comparison.Row row) {
        String name = (row.labels() + " " + row.metric().text()).strip();
        String only = "";
        for (int column = 0; column < row.cells().size(); column++) {
            if (row.cells().get(column).isPresent()) {
                only = letter(column);
            }
        }
        for (Comparison.Row other : comparison.rows()) {
            if (!other.metric().equals(row.metric())
                    && other.labels().equals(row.labels())
                    && other.metric().name().equals(row.metric().name())) {
                return name + " is only in " + only + "; others have it as "
                        + other.metric().text() + ", " + better(other.metric().better());
            }
        }
        return name + " is only in " + only;
    }
}
