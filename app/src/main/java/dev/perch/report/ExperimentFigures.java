package dev.perch.report;

import dev.perch.model.Topology;
import dev.perch.report.chart.Figure;
import dev.perch.report.chart.IntervalChart;
import dev.perch.report.chart.LatencyChart;
import dev.perch.report.chart.LatencyChart.Series;
import dev.perch.report.chart.PredictionChart;
import dev.perch.report.chart.ReportRow;
import dev.perch.report.chart.ReportRow.Observed;
import dev.perch.report.chart.ReportTable;
import dev.perch.report.chart.TimelineChart;
import dev.perch.report.chart.WakeMatrixChart;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The charts of an experiment, by kind. */
final class ExperimentFigures {
    private final ExperimentReport report;

    ExperimentFigures(ExperimentReport report) {
        this.report = report;
    }

    List<Figure> intervals() {
        return report.tables().stream().map(IntervalChart::of).toList();
    }

    List<Figure> predictions() {
        return PredictionChart.isPossible(report.tables()) ? List.of(PredictionChart.of(report.tables())) : List.of();
    }

    /** One a row, all with the same steps of colour. */
    List<Figure> wakeMatrices() {
        double largest = 0;
        for (ReportTable table : report.tables()) {
            for (ReportRow row : table.rows()) {
                Observed observed = row.observed();
                if (observed != null) {
                    largest = Math.max(
                            largest,
                            WakeMatrixChart.largestShare(observed.observation().matrix(), topology(observed)));
                }
            }
        }
        List<Figure> figures = new ArrayList<>();
        for (ReportTable table : report.tables()) {
            for (ReportRow row : table.rows()) {
                Observed observed = row.observed();
                if (observed != null
                        && WakeMatrixChart.isPossible(observed.observation().matrix())) {
                    figures.add(WakeMatrixChart.of(
                            name(table, row), observed.observation().matrix(), topology(observed), largest));
                }
            }
        }
        return figures;
    }

    private static @Nullable Topology topology(Observed observed) {
        return observed.observation().audit().options().topology();
    }

    /** One a table. */
    List<Figure> latencies() {
        List<Figure> figures = new ArrayList<>();
        for (ReportTable table : report.tables()) {
            List<Series> series = new ArrayList<>();
            for (ReportRow row : table.rows()) {
                Observed observed = row.observed();
                if (observed != null) {
                    series.add(new Series(
                            row.label(),
                            observed.observation().audit().wakeups().latencies()));
                }
            }
            if (LatencyChart.isPossible(series)) {
                figures.add(LatencyChart.of(
                        "Wakeup latency: " + table.name(),
                        "wakeups",
                        "How long it took from the decision to wake a task until it ran, in one run of each row: the share of wakeups in"
                                + " bins of equal width on a logarithmic axis, twenty to each power of ten. Dashed lines are percentiles: p99"
                                + " is the time within which 99 of 100 woken tasks ran.",
                        series));
            }
        }
        return figures;
    }

    /** One a row. */
    List<Figure> timelines() {
        List<Figure> figures = new ArrayList<>();
        for (ReportTable table : report.tables()) {
            for (ReportRow row : table.rows()) {
                Observed observed = row.observed();
                if (observed != null && observed.observation().timeline() != null) {
                    figures.add(TimelineChart.of(
                            name(table, row) + ", repeat " + (observed.repeat() + 1),
                            observed.observation().timeline()));
                }
            }
        }
        return figures;
    }

    /** The row's label, with its table's where there are several. */
    private String name(ReportTable table, ReportRow row) {
        return report.tables().size() == 1 ? row.label() : row.label() + ", " + table.name();
    }
}
