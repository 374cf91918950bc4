package dev.perch.report.chart;

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

/** The repeats of each row of a table, their mean and its confidence interval, on one axis. */
public final class IntervalChart {
    private static final double WIDTH = 860;
    private static final double ROW = 32;
    private static final int TICKS = 7;

    private IntervalChart() {}

    /** The chart of one table. */
    public static Figure of(ReportTable table) {
        return new Figure(drawing(table), sentence(table), data(table));
    }

    private static boolean anyPublished(ReportTable table) {
        return table.rows().stream().anyMatch(row -> row.published() != null);
    }

    private static boolean anyInterval(ReportTable table) {
        return table.rows().stream().anyMatch(row -> row.hasInterval());
    }

    private static Scale.Linear scale(ReportTable table, double from, double to) {
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (ReportRow row : table.rows()) {
            low = Math.min(low, row.values().min());
            high = Math.max(high, row.values().max());
            if (row.hasInterval()) {
                low = Math.min(low, row.low());
                high = Math.max(high, row.high());
            }
            if (row.published() != null) {
                low = Math.min(low, row.published().value());
                high = Math.max(high, row.published().value());
            }
        }
        // From zero on, unless all lies so close together that nothing could be told apart then.
        return Scale.Linear.nice(low >= 0 && low < 0.6 * high ? 0 : low, high, from, to, TICKS);
    }

    private static Drawing drawing(ReportTable table) {
        Canvas canvas = new Canvas();
        double left =
                24 + Axes.labelWidth(table.rows().stream().map(ReportRow::label).toList(), 240);
        double right = WIDTH - 36;
        Legend legend = new Legend(canvas, left, right, 14);
        legend.ring(Ink.MUTED, "one run");
        legend.diamond(Ink.BLUE, "mean");
        if (anyInterval(table)) {
            legend.interval(Ink.BLUE, "95 % confidence interval of the mean");
        }
        if (anyPublished(table)) {
            legend.bar(Ink.VERMILLION, "published");
        }
        double top = legend.bottom() + 4;
        double bottom = top + ROW * table.rows().size();
        Scale.Linear scale = scale(table, left, right);
        String title = table.unit() + (scale.low() > 0 ? " (the axis does not begin at 0)" : "");
        Axes.horizontal(
                canvas, scale, left, right, top, bottom, title, tick -> Numbers.decimal(tick, scale.decimals()));
        double y = top;
        for (ReportRow row : table.rows()) {
            row(canvas, row, scale, left, y);
            y += ROW;
        }
        return canvas.finish(WIDTH, bottom + Axes.HEIGHT, "Runs and intervals: " + table.name(), description(table));
    }

    private static void row(Canvas canvas, ReportRow row, Scale scale, double left, double y) {
        double middle = y + ROW / 2;
        canvas.text(left - 12, middle + 4, TextWidth.fit(row.label(), Canvas.SIZE, left - 16), Align.END, Ink.TEXT);
        if (row.published() != null) {
            double x = scale.at(row.published().value());
            canvas.line(x, y + 4, x, y + ROW - 4, Ink.VERMILLION, 2);
        }
        for (double value : row.values().values()) {
            canvas.ring(scale.at(value), middle - 6, 3.5, Ink.MUTED);
        }
        if (row.hasInterval()) {
            canvas.line(scale.at(row.low()), middle + 6, scale.at(row.high()), middle + 6, Ink.BLUE, 3);
        }
        canvas.diamond(scale.at(row.values().mean()), middle + 6, 5.5, Ink.BLUE);
    }

    private static String description(ReportTable table) {
        return "Means in " + table.unit() + ": "
                + table.rows().stream()
                        .map(row ->
                                row.label() + " " + Numbers.value(row.values().mean(), table.metric()))
                        .collect(Collectors.joining("; "))
                + '.';
    }

    private static String sentence(ReportTable table) {
        int least =
                table.rows().stream().mapToInt(row -> row.values().size()).min().orElse(0);
        int most =
                table.rows().stream().mapToInt(row -> row.values().size()).max().orElse(0);
        String runs = least == most
                ? Numbers.count(most, "run", "runs")
                : least + " to " + Numbers.count(most, "run", "runs");
        String intervals = anyInterval(table)
                ? " The line under the runs is the interval that holds the mean with 95 % confidence; where two intervals lie apart,"
                        + " the rows differ."
                : " One run tells nothing of the spread.";
        return "Each ring is the result of one run (" + runs + " a row), the diamond their mean." + intervals;
    }

    private static DataTable data(ReportTable table) {
        int runs = table.rows().stream()
                .mapToInt(row -> row.values().values().length)
                .max()
                .orElse(0);
        List<Column> columns = new ArrayList<>();
        columns.add(Column.text(table.axis()));
        columns.addAll(List.of(Column.number("mean"), Column.number("95 % interval, from"), Column.number("to")));
        for (int run = 1; run <= runs; run++) {
            columns.add(Column.number("run " + run));
        }
        List<List<String>> rows = new ArrayList<>();
        for (ReportRow row : table.rows()) {
            List<String> cells = new ArrayList<>();
            cells.add(row.label());
            cells.add(Numbers.value(row.values().mean(), table.metric()));
            boolean known = row.hasInterval();
            cells.add(known ? Numbers.value(row.low(), table.metric()) : "");
            cells.add(known ? Numbers.value(row.high(), table.metric()) : "");
            for (int run = 0; run < runs; run++) {
                boolean made = run < row.values().values().length;
                cells.add(made ? Numbers.value(row.values().values()[run], table.metric()) : "");
            }
            rows.add(cells);
        }
        return new DataTable("Results of all runs, " + table.unit(), columns, rows, "");
    }
}
