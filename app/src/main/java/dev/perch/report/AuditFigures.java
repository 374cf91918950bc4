package dev.perch.report;

import dev.perch.audit.AuditResult;
import dev.perch.report.chart.Figure;
import dev.perch.report.chart.LatencyChart;
import dev.perch.report.chart.LatencyChart.Series;
import dev.perch.report.chart.PairChart;
import dev.perch.report.chart.TimelineChart;
import dev.perch.report.chart.VerdictChart;
import dev.perch.report.chart.WakeMatrixChart;
import dev.perch.report.observe.Observation;
import java.util.List;

/** The charts of an audit, by kind. */
final class AuditFigures {
    private final Observation observation;
    private final AuditResult result;

    AuditFigures(Observation observation) {
        this.observation = observation;
        result = observation.audit();
    }

    List<Figure> verdicts() {
        return VerdictChart.isPossible(result) ? List.of(VerdictChart.of(result)) : List.of();
    }

    List<Figure> latencies() {
        List<Series> series = List.of(
                new Series("wakeup latency", result.wakeups().latencies()),
                new Series("run delay", result.system().runDelays()));
        if (!LatencyChart.isPossible(series)) {
            return List.of();
        }
        return List.of(LatencyChart.of(
                "Latencies",
                "waits",
                "Wakeup latency: from the waking record until the task ran. Run delay: every wait from being runnable to running, after"
                        + " a wakeup or after having given way. The share of waits in bins of equal width on a logarithmic axis, twenty to"
                        + " each power of ten; dashed lines are percentiles: p99 is the time within which 99 of 100 ran.",
                series));
    }

    List<Figure> wakeMatrices() {
        if (!WakeMatrixChart.isPossible(observation.matrix())) {
            return List.of();
        }
        double largest = WakeMatrixChart.largestShare(
                observation.matrix(), result.options().topology());
        return List.of(WakeMatrixChart.of(
                "all wakeups reported", observation.matrix(), result.options().topology(), largest));
    }

    List<Figure> pairs() {
        return PairChart.isPossible(result) ? List.of(PairChart.of(result)) : List.of();
    }

    List<Figure> timelines() {
        return observation.timeline() == null
                ? List.of()
                : List.of(TimelineChart.of("a representative millisecond", observation.timeline()));
    }
}
