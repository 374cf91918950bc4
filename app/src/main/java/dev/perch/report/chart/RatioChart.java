package dev.perch.report.chart;

import dev.perch.lab.results.Contrast.Verdict;
import dev.perch.report.chart.DataTable.Column;
import dev.perch.report.drawing.Canvas;
import dev.perch.report.drawing.Drawing;
import dev.perch.report.drawing.Ink;
import dev.perch.report.drawing.Scale;
import dev.perch.report.drawing.Shape.Align;
import dev.perch.report.drawing.TextWidth;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** How series compare with their baselines: the ratio of the means and its interval, one row each. */
public final class RatioChart {
    private static final double WIDTH = 860;
    private static final double ROW = 28;
    private static final double COLUMN = 88;
    private static final double COLUMNS = 3 * COLUMN + 136;
    private static final double VERDICT = WIDTH - 124;
    private static final int TICKS = 5;

    /** Ratios above are drawn at the edge: a single one must not press all others together. */
    private static final double WIDEST = 3;

    private final List<RatioRow> rows;
    private final String confidence;

    private RatioChart(List<RatioRow> rows, double confidence) {
        this.rows = rows;
        this.confidence = Numbers.roundPercent(confidence);
    }

    /**
     * The chart of one or more rows.
     *
     * @param confidence of the intervals, such as 0.95
     */
    public static Figure of(List<RatioRow> rows, double confidence) {
        RatioChart chart = new RatioChart(rows, confidence);
        return new Figure(chart.drawing(), chart.sentence(), chart.data());
    }

    private static double low(RatioRow row) {
        return row.contrast().interval().map(interval -> interval.low()).orElse(ratio(row));
    }

    private static double high(RatioRow row) {
        return row.contrast().interval().map(interval -> interval.high()).orElse(ratio(row));
    }

    private static double ratio(RatioRow row) {
        return row.contrast().ratio().orElse(1);
    }

    private static String name(RatioRow row) {
        return row.label().isEmpty() ? row.other() : row.label() + ", " + row.other();
    }

    /** Whether a heading with its label stands above the row. */
    private boolean isHeaded(int index) {
        String label = rows.get(index).label();
        return !label.isEmpty() && (index == 0 || !rows.get(index - 1).label().equals(label));
    }

    private Drawing drawing() {
        double low = 1;
        double high = 1;
        for (RatioRow row : rows) {
            low = Math.min(low, low(row));
            high = Math.max(high, Math.min(high(row), WIDEST));
        }
        Canvas canvas = new Canvas();
        double left = 24 + Axes.labelWidth(rows.stream().map(RatioRow::other).toList(), 220);
        double right = WIDTH - COLUMNS;
        Scale.Linear scale = Scale.Linear.nice(low, high, left, right, TICKS);
        Legend legend = new Legend(canvas, left, WIDTH, 14);
        legend.diamond(Ink.BLUE, "ratio of the means");
        legend.interval(Ink.BLUE, confidence + " interval");
        legend.diamond(Ink.VERMILLION, "worse");
        double top = legend.bottom() + 22;
        double bottom = top
                + ROW
                        * (rows.size()
                                + IntStream.range(0, rows.size())
                                        .filter(this::isHeaded)
                                        .count());
        Axes.horizontal(
                canvas,
                scale,
                left,
                right,
                top,
                bottom,
                "mean over that of the baseline, " + rows.getFirst().baseline(),
                tick -> Numbers.decimal(tick, scale.decimals()));
        double x = WIDTH - COLUMNS + COLUMN;
        for (String heading : List.of("baseline", "mean", "ratio")) {
            canvas.text(x, top - 8, heading, Align.END, Ink.MUTED, Canvas.SMALL);
            x += COLUMN;
        }
        double y = top;
        for (int i = 0; i < rows.size(); i++) {
            if (isHeaded(i)) {
                String label = TextWidth.fit(rows.get(i).label(), Canvas.SIZE, WIDTH - 60);
                canvas.bold(8, y + 19, label, Align.START, Ink.TEXT);
                y += ROW;
            }
            row(canvas, rows.get(i), scale, left, y);
            y += ROW;
        }
        canvas.line(scale.at(1), top, scale.at(1), bottom, Ink.AXIS, 1.5);
        return canvas.finish(WIDTH, bottom + Axes.HEIGHT, "Ratios to the baseline", description());
    }

    private static void row(Canvas canvas, RatioRow row, Scale.Linear scale, double left, double y) {
        double middle = y + ROW / 2;
        double baseline = middle + 4;
        String unit = row.metric().unit();
        Ink ink = row.contrast().verdict() == Verdict.WORSE ? Ink.VERMILLION : Ink.BLUE;
        canvas.text(left - 12, baseline, TextWidth.fit(row.other(), Canvas.SIZE, left - 16), Align.END, Ink.TEXT);
        if (row.contrast().ratio().isPresent()) {
            double x = scale.at(Math.min(ratio(row), scale.high()));
            if (row.contrast().interval().isPresent() && low(row) <= scale.high()) {
                double to = scale.at(Math.min(high(row), scale.high()));
                canvas.line(scale.at(low(row)), middle, to, middle, ink, 3);
            }
            canvas.diamond(x, middle, 5.5, ink);
            if (ratio(row) > scale.high()) {
                canvas.text(x - 10, baseline, "beyond →", Align.END, Ink.TEXT, Canvas.SMALL);
            }
        }
        double x = WIDTH - COLUMNS + COLUMN;
        canvas.text(x, baseline, Numbers.value(row.contrast().baseline().mean(), unit), Align.END, Ink.TEXT);
        canvas.text(x + COLUMN, baseline, Numbers.value(row.contrast().other().mean(), unit), Align.END, Ink.TEXT);
        canvas.text(x + 2 * COLUMN, baseline, text(row), Align.END, Ink.TEXT);
        if (row.contrast().verdict() == Verdict.WORSE) {
            canvas.bold(VERDICT, baseline, row.contrast().verdict().words(), Align.START, Ink.TEXT);
        } else {
            canvas.text(VERDICT, baseline, row.contrast().verdict().words(), Align.START, Ink.TEXT);
        }
    }

    private static String text(RatioRow row) {
        return row.contrast().ratio().isPresent() ? Numbers.decimal(ratio(row), 3) : "none";
    }

    private String description() {
        return rows.stream()
                        .map(row -> name(row) + ": ratio " + text(row) + ", "
                                + row.contrast().verdict().words())
                        .collect(Collectors.joining("; "))
                + '.';
    }

    private String sentence() {
        return "Each diamond is a mean over that of the baseline, the line through it the ratio's " + confidence
                + " confidence interval; a difference is shown only where the interval leaves out 1.";
    }

    private DataTable data() {
        List<Column> columns = List.of(
                Column.text("row"),
                Column.text("compared"),
                Column.text("with"),
                Column.text("unit"),
                Column.number("baseline"),
                Column.number("mean"),
                Column.number("runs"),
                Column.number("ratio"),
                Column.number("interval, from"),
                Column.number("to"),
                Column.text("verdict"));
        List<List<String>> table = new ArrayList<>();
        for (RatioRow row : rows) {
            boolean known = row.contrast().interval().isPresent();
            table.add(List.of(
                    row.label(),
                    row.other(),
                    row.baseline(),
                    row.metric().unit(),
                    Numbers.value(row.contrast().baseline().mean(), row.metric().unit()),
                    Numbers.value(row.contrast().other().mean(), row.metric().unit()),
                    row.contrast().baseline().size() + " and "
                            + row.contrast().other().size(),
                    text(row),
                    known ? Numbers.decimal(low(row), 3) : "",
                    known ? Numbers.decimal(high(row), 3) : "",
                    row.contrast().verdict().words()
                            + (row.contrast().reason().isEmpty()
                                    ? ""
                                    : ": " + row.contrast().reason())));
        }
        return new DataTable("Ratios to the baseline", columns, table, "");
    }
}
