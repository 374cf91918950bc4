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
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/** Histograms of times below each other on one logarithmic axis, their percentiles marked. */
public final class LatencyChart {
    private static final double WIDTH = 860;
    private static final double PANEL = 92;
    private static final double GAP = 14;
    private static final double HEAD = 26;
    private static final double LABEL = 10;

    /** Percentiles nearer to each other share a label, pixels. */
    private static final double CLOSE = 50;

    private static final double[] PERCENTILES = {50, 90, 99, 99.9};
    private static final String[] PERCENTILE_NAMES = {"p50", "p90", "p99", "p99.9"};

    private final String title;
    private final String what;
    private final List<Series> series;
    private final List<LatencyBins> bins;

    /** A histogram in nanoseconds and what it is called. */
    public record Series(String name, Histogram histogram) {}

    private LatencyChart(String title, String what, List<Series> series) {
        this.title = title;
        this.what = what;
        this.series = series;
        bins = series.stream().map(one -> LatencyBins.of(one.histogram())).toList();
    }

    /**
     * The chart.
     *
     * @param what is counted, in the plural: {@code wakeups}
     * @param sentence what is shown
     * @param all empty histograms are left out; at least one is not empty
     */
    public static Figure of(String title, String what, String sentence, List<Series> all) {
        List<Series> filled =
                all.stream().filter(one -> one.histogram().getTotalCount() > 0).toList();
        LatencyChart chart = new LatencyChart(title, what, filled);
        return new Figure(chart.drawing(), sentence, chart.data());
    }

    /** Whether any histogram holds something. */
    public static boolean isPossible(List<Series> all) {
        return all.stream().anyMatch(one -> one.histogram().getTotalCount() > 0);
    }

    private Drawing drawing() {
        Canvas canvas = new Canvas();
        double left = 16
                + Math.max(
                        104, Axes.labelWidth(series.stream().map(Series::name).toList(), 220) * 1.1);
        double right = WIDTH - 68;
        int first = bins.stream().mapToInt(LatencyBins::first).min().orElseThrow();
        int last = bins.stream().mapToInt(LatencyBins::last).max().orElseThrow() + 1;
        double highest =
                bins.stream().mapToDouble(LatencyBins::largestShare).max().orElseThrow();
        Scale.Logarithmic scale = new Scale.Logarithmic(LatencyBins.edge(first), LatencyBins.edge(last), left, right);
        double height = series.size() * (HEAD + PANEL + GAP);
        Axes.horizontal(canvas, scale, left, right, HEAD, height, "time (logarithmic axis)", Numbers::roundTime);
        double y = 0;
        for (int i = 0; i < series.size(); i++) {
            panel(canvas, i, scale, left, right, y + HEAD, highest);
            y += HEAD + PANEL + GAP;
        }
        canvas.upwards(WIDTH - 6, HEAD + PANEL / 2, "share in a bin", Ink.MUTED);
        return canvas.finish(WIDTH, height + Axes.HEIGHT, title, description());
    }

    private void panel(Canvas canvas, int index, Scale scale, double left, double right, double top, double highest) {
        LatencyBins binned = bins.get(index);
        Histogram histogram = series.get(index).histogram();
        double bottom = top + PANEL;
        canvas.line(left, bottom, right, bottom, Ink.AXIS, 1);
        canvas.line(left, top, right, top, Ink.GRID, 1);
        canvas.text(right + 6, top + 4, Numbers.wholePercent(highest), Align.START, Ink.MUTED, Canvas.SMALL);
        canvas.text(right + 6, bottom + 4, "0", Align.START, Ink.MUTED, Canvas.SMALL);
        for (int bin = binned.first(); bin <= binned.last(); bin++) {
            double share = binned.share(bin);
            if (share > 0) {
                double from = scale.at(LatencyBins.edge(bin));
                double width = scale.at(LatencyBins.edge(bin + 1)) - from;
                double tall = Math.max(0.75, PANEL * share / highest);
                canvas.box(
                        from + 0.5,
                        bottom - tall,
                        Math.max(0.5, width - 1),
                        tall,
                        Ink.BLUE,
                        range(bin) + ": " + Numbers.percent(share) + " of " + what);
            }
        }
        canvas.bold(
                8, top + 12, TextWidth.fit(series.get(index).name(), Canvas.SIZE, left - 20), Align.START, Ink.TEXT);
        canvas.text(
                8,
                top + 27,
                Numbers.count(histogram.getTotalCount()) + " " + what,
                Align.START,
                Ink.MUTED,
                Canvas.SMALL);
        percentiles(canvas, histogram, scale, top, bottom);
    }

    private static void percentiles(Canvas canvas, Histogram histogram, Scale scale, double top, double bottom) {
        double[] places = new double[PERCENTILES.length];
        for (int i = 0; i < PERCENTILES.length; i++) {
            long ns = histogram.getValueAtPercentile(PERCENTILES[i]);
            places[i] = scale.at((double) Math.max(1, ns));
            canvas.dashed(places[i], top - 4, places[i], bottom, Ink.VERMILLION, 1.25);
            canvas.text(
                    8,
                    top + 42 + 14 * i,
                    PERCENTILE_NAMES[i] + " " + Numbers.time(ns),
                    Align.START,
                    Ink.TEXT,
                    Canvas.SMALL);
        }
        int first = 0;
        while (first < places.length) {
            int last = first;
            while (last + 1 < places.length && places[last + 1] - places[last] < CLOSE) {
                last++;
            }
            String label = PERCENTILE_NAMES[first] + (last > first ? " to " + PERCENTILE_NAMES[last] : "");
            canvas.text((places[first] + places[last]) / 2, top - 8, label, Align.MIDDLE, Ink.TEXT, LABEL);
            first = last + 1;
        }
    }

    private static String range(int bin) {
        return Numbers.time(Math.round(LatencyBins.edge(bin))) + " to "
                + Numbers.time(Math.round(LatencyBins.edge(bin + 1)));
    }

    private String description() {
        StringBuilder text = new StringBuilder();
        for (Series one : series) {
            text.append(one.name())
                    .append(": half within ")
                    .append(Numbers.time(one.histogram().getValueAtPercentile(50)))
                    .append(", 99 % within ")
                    .append(Numbers.time(one.histogram().getValueAtPercentile(99)))
                    .append(", the longest ")
                    .append(Numbers.time(one.histogram().getMaxValue()))
                    .append(". ");
        }
        return text.toString().strip();
    }

    private DataTable data() {
        List<Column> columns = new ArrayList<>();
        columns.add(Column.text("time"));
        series.forEach(one -> columns.add(Column.number(one.name() + ", share of " + what)));
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i < PERCENTILES.length; i++) {
            double percentile = PERCENTILES[i];
            rows.add(row(PERCENTILE_NAMES[i], one -> Numbers.time(one.getValueAtPercentile(percentile))));
        }
        rows.add(row("longest", one -> Numbers.time(one.getMaxValue())));
        rows.add(row("number", one -> Numbers.count(one.getTotalCount())));
        int first = bins.stream().mapToInt(LatencyBins::first).min().orElseThrow();
        int last = bins.stream().mapToInt(LatencyBins::last).max().orElseThrow();
        for (int bin = first; bin <= last; bin++) {
            List<String> cells = new ArrayList<>();
            cells.add(range(bin));
            for (LatencyBins one : bins) {
                cells.add(one.share(bin) == 0 ? "0" : Numbers.percent(one.share(bin)));
            }
            rows.add(cells);
        }
        return new DataTable(title + ": percentiles, then the bins of the histogram", columns, rows, "");
    }

    private List<String> row(String name, Function<Histogram, String> cell) {
        List<String> cells = new ArrayList<>();
        cells.add(name);
        series.forEach(one -> cells.add(cell.apply(one.histogram())));
        return cells;
    }
}
