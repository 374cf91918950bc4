package dev.perch.report;

import dev.perch.lab.results.Comparison;
import dev.perch.lab.results.Contrast;
import dev.perch.lab.results.RatioTable;
import dev.perch.lab.results.Series;
import dev.perch.lab.statistics.MeanInterval;
import dev.perch.lab.statistics.Sample;
import dev.perch.model.Distance;
import dev.perch.report.chart.Figure;
import dev.perch.report.chart.IntervalChart;
import dev.perch.report.chart.RatioChart;
import dev.perch.report.chart.RatioRow;
import dev.perch.report.chart.ReportRow;
import dev.perch.report.chart.ReportTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The charts of a comparison of results. */
final class ComparisonFigures {
    private static final double CONFIDENCE = 0.95;

    private final Comparison comparison;
    private final RatioTable.Options options;

    ComparisonFigures(Comparison comparison, RatioTable.Options options) {
        this.comparison = comparison;
        this.options = options;
    }

    /** Every series that has a baseline: the first of its row. */
    List<RatioRow> rows() {
        List<RatioRow> rows = new ArrayList<>();
        for (Comparison.Row row : comparison.shared()) {
            int first = 0;
            while (row.cells().get(first).isEmpty()) {
                first++;
            }
            Series baseline = row.cells().get(first).orElseThrow();
            for (int column = first + 1; column < row.cells().size(); column++) {
                Optional<Series> cell = row.cells().get(column);
                if (cell.isPresent()) {
                    rows.add(new RatioRow(
                            label(row),
                            row.metric(),
                            comparison.sets().get(first).name(),
                            comparison.sets().get(column).name(),
                            Contrast.of(
                                    baseline,
                                    cell.get(),
                                    options.method(),
                                    options.confidence(),
                                    options.randomSeed())));
                }
            }
        }
        return rows;
    }

    /** The labels of a row, and its metric where there are several. */
    private String label(Comparison.Row row) {
        long metrics = comparison.shared().stream()
                .map(Comparison.Row::metric)
                .distinct()
                .count();
        String labels = row.labels().toString();
        return metrics < 2
                ? labels
                : labels.isEmpty()
                        ? row.metric().name()
                        : labels + ", " + row.metric().name();
    }

    List<Figure> ratios() {
        List<RatioRow> rows = rows();
        return rows.isEmpty() ? List.of() : List.of(RatioChart.of(rows, options.confidence()));
    }

    /** The runs of each row, one chart a row: different rows have different scales. */
    List<Figure> intervals() {
        List<Figure> figures = new ArrayList<>();
        for (Comparison.Row row : comparison.shared()) {
            List<ReportRow> rows = new ArrayList<>();
            double baseline = 0;
            for (int column = 0; column < row.cells().size(); column++) {
                Optional<Series> cell = row.cells().get(column);
                if (cell.isPresent()) {
                    Sample sample = new Sample(cell.get().repeats());
                    baseline = rows.isEmpty() ? sample.mean() : baseline;
                    rows.add(new ReportRow(
                            comparison.sets().get(column).name(),
                            sample,
                            MeanInterval.of(sample, CONFIDENCE),
                            baseline == 0 ? 0 : sample.mean() / baseline,
                            null,
                            0,
                            new double[Distance.all().length],
                            "",
                            null));
                }
            }
            String label = label(row);
            figures.add(IntervalChart.of(new ReportTable(
                    label.isEmpty() ? row.metric().text() : label,
                    "",
                    "in",
                    row.metric().unit(),
                    false,
                    rows)));
        }
        return figures;
    }
}
