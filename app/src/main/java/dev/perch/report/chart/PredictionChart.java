package dev.perch.report.chart;

import dev.perch.lab.Experiment.Role;
import dev.perch.report.chart.DataTable.Column;
import dev.perch.report.chart.ReportRow.PublishedValue;
import dev.perch.report.drawing.Canvas;
import dev.perch.report.drawing.Drawing;
import dev.perch.report.drawing.Ink;
import dev.perch.report.drawing.Scale;
import dev.perch.report.drawing.Shape.Align;
import dev.perch.report.drawing.TextWidth;
import java.util.ArrayList;
import java.util.List;

/** How far each simulated mean is from what was published, beside how far off it may be. */
public final class PredictionChart {
    private static final double WIDTH = 860;
    private static final double ROW = 28;
    private static final double COLUMN = 92;
    private static final double COLUMNS = 3 * COLUMN + 112;
    private static final double JUDGEMENT = WIDTH - 96;
    private static final int TICKS = 5;

    /** Errors above are drawn at the edge: a single one must not press all others together. */
    private static final double WIDEST = 1.5;

    private PredictionChart() {}

    /** Whether any row has a published value. */
    public static boolean isPossible(List<ReportTable> tables) {
        return tables.stream().anyMatch(table -> !published(table).isEmpty());
    }

    /** One chart for all tables that have published values. */
    public static Figure of(List<ReportTable> all) {
        List<ReportTable> tables =
                all.stream().filter(table -> !published(table).isEmpty()).toList();
        return new Figure(drawing(tables), sentence(tables), data(tables));
    }

    private static List<ReportRow> published(ReportTable table) {
        return table.rows().stream().filter(row -> row.published() != null).toList();
    }

    private static Drawing drawing(List<ReportTable> tables) {
        List<ReportRow> rows =
                tables.stream().flatMap(table -> published(table).stream()).toList();
        double low = 0;
        double high = 0;
        for (ReportRow row : rows) {
            double tolerance = row.published() == null ? 0 : row.published().tolerance();
            double published = row.published() == null ? 1 : row.published().value();
            low = Math.min(low, Math.min(row.low() / published - 1, -tolerance));
            high = Math.max(high, Math.max(Math.min(row.high() / published - 1, WIDEST), tolerance));
        }
        Canvas canvas = new Canvas();
        double left = 24 + Axes.labelWidth(rows.stream().map(ReportRow::label).toList(), 200);
        double right = WIDTH - COLUMNS;
        Scale.Linear scale = Scale.Linear.nice(low, high, left, right, TICKS);
        Legend legend = new Legend(canvas, left, WIDTH, 14);
        legend.box(Ink.BAND, "tolerance of a prediction");
        legend.diamond(Ink.BLUE, "within it, or not judged");
        legend.diamond(Ink.VERMILLION, "beyond it: failed");
        double top = legend.bottom() + 22;
        double bottom = top + ROW * rows.size() + (tables.size() > 1 ? ROW * tables.size() : 0);
        Axes.horizontal(
                canvas,
                scale,
                left,
                right,
                top,
                bottom,
                "error: simulated over published mean, less one",
                tick -> (tick > 0 ? "+" : "") + Numbers.decimal(100 * tick, Math.max(0, scale.decimals() - 2))
                        + "\u00A0%");
        headings(canvas, top - 8);
        double y = top;
        for (ReportTable table : tables) {
            if (tables.size() > 1) {
                canvas.bold(8, y + 19, TextWidth.fit(table.name(), Canvas.SIZE, WIDTH - 60), Align.START, Ink.TEXT);
                y += ROW;
            }
            for (ReportRow row : published(table)) {
                row(canvas, row, table.metric(), scale, left, y);
                y += ROW;
            }
        }
        canvas.line(scale.at(0), top, scale.at(0), bottom, Ink.AXIS, 1);
        return canvas.finish(WIDTH, bottom + Axes.HEIGHT, "Predictions against published values", description(tables));
    }

    private static void headings(Canvas canvas, double y) {
        double x = WIDTH - COLUMNS + COLUMN;
        for (String heading : List.of("published", "simulated", "error")) {
            canvas.text(x, y, heading, Align.END, Ink.MUTED, Canvas.SMALL);
            x += COLUMN;
        }
        canvas.text(JUDGEMENT, y, "judgement", Align.START, Ink.MUTED, Canvas.SMALL);
    }

    private static void row(Canvas canvas, ReportRow row, String metric, Scale.Linear scale, double left, double y) {
        PublishedValue published = row.published();
        if (published == null) {
            return;
        }
        double middle = y + ROW / 2;
        double baseline = middle + 4;
        if (published.role() == Role.PREDICTION) {
            double from = scale.at(-published.tolerance());
            canvas.box(from, y + 4, scale.at(published.tolerance()) - from, ROW - 8, Ink.BAND);
        }
        Ink ink = row.isFailed() ? Ink.VERMILLION : Ink.BLUE;
        if (row.hasInterval() && row.error() <= scale.high()) {
            double to = Math.min(scale.high(), row.high() / published.value() - 1);
            double from = Math.max(scale.low(), row.low() / published.value() - 1);
            canvas.line(scale.at(from), middle, scale.at(to), middle, ink, 3);
        }
        boolean beyond = row.error() > scale.high();
        double x = scale.at(Math.min(row.error(), scale.high()));
        canvas.diamond(x, middle, 5.5, ink);
        if (beyond) {
            canvas.text(x - 10, baseline, "beyond →", Align.END, Ink.TEXT, Canvas.SMALL);
        }
        canvas.text(left - 12, baseline, TextWidth.fit(row.label(), Canvas.SIZE, left - 16), Align.END, Ink.TEXT);
        double column = WIDTH - COLUMNS + COLUMN;
        canvas.text(column, baseline, Numbers.value(published.value(), metric), Align.END, Ink.TEXT);
        column += COLUMN;
        canvas.text(column, baseline, Numbers.value(row.values().mean(), metric), Align.END, Ink.TEXT);
        column += COLUMN;
        canvas.text(column, baseline, Numbers.signedPercent(row.error()), Align.END, Ink.TEXT);
        String word = row.judgement();
        if (row.isFailed()) {
            canvas.bold(JUDGEMENT, baseline, word, Align.START, Ink.TEXT);
        } else {
            canvas.text(
                    JUDGEMENT,
                    baseline,
                    word.equals("calibration input") ? "calibration" : word,
                    Align.START,
                    Ink.TEXT);
        }
    }

    private static List<ReportRow> predictions(List<ReportTable> tables) {
        return tables.stream()
                .flatMap(table -> published(table).stream())
                .filter(row -> row.published() != null && row.published().role() == Role.PREDICTION)
                .toList();
    }

    private static String description(List<ReportTable> tables) {
        StringBuilder text = new StringBuilder();
        for (ReportTable table : tables) {
            for (ReportRow row : published(table)) {
                text.append(row.label())
                        .append(": error ")
                        .append(Numbers.signedPercent(row.error()))
                        .append(", ")
                        .append(row.judgement())
                        .append(". ");
            }
        }
        return text.toString().strip();
    }

    private static String sentence(List<ReportTable> tables) {
        List<ReportRow> predictions = predictions(tables);
        String meaning =
                "Each diamond is the error of a simulated mean against the published value (the line through it: the mean's 95 %"
                        + " confidence interval); the band is how far off a prediction may be.";
        if (predictions.isEmpty()) {
            return meaning + " None of these rows is a prediction, so none is judged.";
        }
        long failed = predictions.stream().filter(ReportRow::isFailed).count();
        return meaning + " Of " + Numbers.count(predictions.size(), "prediction", "predictions") + ", "
                + Numbers.count(predictions.size() - failed) + " passed and " + Numbers.count(failed) + " failed.";
    }

    private static DataTable data(List<ReportTable> tables) {
        List<Column> columns = List.of(
                Column.text("row"),
                Column.text("table"),
                Column.text("unit"),
                Column.number("published"),
                Column.number("simulated"),
                Column.number("error"),
                Column.number("tolerance"),
                Column.text("judgement"));
        List<List<String>> rows = new ArrayList<>();
        for (ReportTable table : tables) {
            for (ReportRow row : published(table)) {
                PublishedValue published = row.published();
                if (published != null) {
                    rows.add(List.of(
                            row.label(),
                            table.name(),
                            table.unit(),
                            Numbers.value(published.value(), table.metric()),
                            Numbers.value(row.values().mean(), table.metric()),
                            Numbers.signedPercent(row.error()),
                            published.role() == Role.PREDICTION
                                    ? "±" + Numbers.wholePercent(published.tolerance())
                                    : "",
                            row.judgement()));
                }
            }
        }
        return new DataTable("Published and simulated values", columns, rows, "");
    }
}
