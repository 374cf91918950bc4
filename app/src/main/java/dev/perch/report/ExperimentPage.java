package dev.perch.report;

import dev.perch.model.Distance;
import dev.perch.report.chart.DataTable;
import dev.perch.report.chart.DataTable.Column;
import dev.perch.report.chart.Figure;
import dev.perch.report.chart.Numbers;
import dev.perch.report.chart.ReportRow;
import dev.perch.report.chart.ReportRow.PublishedValue;
import dev.perch.report.chart.ReportTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The page of {@code perch run --report}. */
public final class ExperimentPage {
    private static final String COLUMNS =
            "±: half of the 95 % confidence interval of the mean (Student); ratio: mean over that of the first row; bounce: share of wakeups"
                    + " that left the previous CPU; the columns after it: share of wakeups by the distance from the waker's CPU to the"
                    + " chosen one.";

    private final ExperimentReport report;
    private final ExperimentFigures figures;
    private final HtmlPage page;

    private ExperimentPage(ExperimentReport report) {
        this.report = report;
        figures = new ExperimentFigures(report);
        page = new HtmlPage(report.title().isEmpty() ? report.name() : report.title());
    }

    /**
     * The page: equal reports give equal bytes.
     *
     * @param version of Perch, such as {@code perch 0.1.0}
     */
    public static String html(ExperimentReport report, String version) {
        ExperimentPage page = new ExperimentPage(report);
        page.write();
        return page.page.finish("Experiment " + report.name(), "Made by " + version + " from a simulated run.");
    }

    private void write() {
        page.section("summary", "Summary");
        page.lead(report.judgement());
        Map<String, String> facts = new LinkedHashMap<>();
        if (!report.source().isEmpty()) {
            facts.put("published", report.source());
        }
        facts.put("runs", report.runs());
        page.facts(facts);
        page.section("results", "Results");
        List<Figure> intervals = figures.intervals();
        for (int i = 0; i < intervals.size(); i++) {
            ReportTable table = report.tables().get(i);
            page.heading(table.name());
            if (!table.title().isEmpty()) {
                page.paragraph(table.setting());
            }
            page.table(table(table));
            if (i == 0) {
                page.paragraph(COLUMNS);
            }
            page.figure(intervals.get(i));
        }
        section("predictions", "Prediction and publication", figures.predictions());
        section("wake-matrix", "From which CPU to which", figures.wakeMatrices());
        section("latency", "Wakeup latency", figures.latencies());
        section("timeline", "A representative millisecond", figures.timelines());
        page.section("notes", "Notes");
        List<String> notes = new ArrayList<>(report.notes());
        notes.add(
                "Wake matrices, latencies and timelines are of one run of each row: the repeat whose result is nearest to the median of"
                        + " the row's results, in its measured time. Housekeeping tasks are included.");
        page.list(notes);
    }

    private void section(String id, String heading, List<Figure> charts) {
        if (!charts.isEmpty()) {
            page.section(id, heading);
            page.figures(charts);
        }
    }

    private static DataTable table(ReportTable table) {
        boolean published = table.rows().stream().anyMatch(row -> row.published() != null);
        boolean states = table.rows().stream().anyMatch(row -> !row.endStates().isEmpty());
        List<Distance> distances = distances(table);
        List<Column> columns = new ArrayList<>();
        columns.add(Column.text(table.axis()));
        for (String name : List.of("mean", "±", "ratio")) {
            columns.add(Column.number(name));
        }
        if (published) {
            columns.addAll(List.of(Column.number("published"), Column.number("error"), Column.text("judgement")));
        }
        columns.add(Column.number("bounce"));
        distances.forEach(distance -> columns.add(Column.number(distance.word())));
        if (states) {
            columns.add(Column.text("end states"));
        }
        List<List<String>> rows = new ArrayList<>();
        for (ReportRow row : table.rows()) {
            rows.add(cells(row, table.metric(), published, distances, states));
        }
        return new DataTable(table.name() + "; values in " + table.unit(), columns, rows, "");
    }

    private static List<Distance> distances(ReportTable table) {
        List<Distance> distances = new ArrayList<>();
        for (Distance distance : Distance.all()) {
            if (table.rows().stream().anyMatch(row -> row.distanceShares()[distance.ordinal()] > 0)) {
                distances.add(distance);
            }
        }
        return distances;
    }

    private static List<String> cells(
            ReportRow row, String metric, boolean published, List<Distance> distances, boolean states) {
        List<String> cells = new ArrayList<>();
        cells.add(row.label());
        cells.add(Numbers.value(row.values().mean(), metric));
        cells.add(row.hasInterval() ? Numbers.value(row.interval().orElseThrow().halfWidth(), metric) : "one run");
        cells.add(Numbers.decimal(row.ratio(), 3));
        if (published) {
            PublishedValue value = row.published();
            cells.add(value == null ? "" : Numbers.value(value.value(), metric));
            cells.add(value == null ? "" : Numbers.signedPercent(row.error()));
            cells.add(row.judgement());
        }
        cells.add(Numbers.percent(row.bounceRate()));
        distances.forEach(distance -> cells.add(Numbers.percent(row.distanceShares()[distance.ordinal()])));
        if (states) {
            cells.add(row.endStates());
        }
        return cells;
    }
}
