package dev.perch.report;

import dev.perch.lab.ExperimentResult;
import dev.perch.lab.ExperimentRow;
import dev.perch.lab.ResultTable;
import dev.perch.lab.RowResult;
import dev.perch.lab.statistics.MeanInterval;
import dev.perch.lab.statistics.Sample;
import dev.perch.model.Distance;
import dev.perch.report.chart.ReportRow;
import dev.perch.report.chart.ReportRow.Observed;
import dev.perch.report.chart.ReportRow.PublishedValue;
import dev.perch.report.chart.ReportTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the pictures of an experiment show, apart from where it comes from: a run just made, or a stored one.
 *
 * @param source where the published values come from; may be empty
 * @param runs how often and how long each row was run, with which random seed
 * @param judgement what became of the predictions, in one line
 * @param notes what the reader must know
 */
public record ExperimentReport(
        String name,
        String title,
        String source,
        String runs,
        String judgement,
        List<ReportTable> tables,
        List<String> notes) {
    private static final double CONFIDENCE = 0.95;

    public ExperimentReport {
        tables = List.copyOf(tables);
        notes = List.copyOf(notes);
    }

    /**
     * The report of an experiment that was run.
     *
     * @param observed what was seen of each row of the result, in the order of these; empty if nobody watched
     */
    public static ExperimentReport of(ExperimentResult result, List<Observed> observed) {
        Map<Integer, Observed> byIndex = new HashMap<>();
        for (int i = 0; i < observed.size(); i++) {
            byIndex.put(result.rows().get(i).row().index(), observed.get(i));
        }
        List<ReportTable> tables = new ArrayList<>();
        for (List<RowResult> group : result.groups()) {
            List<String> units =
                    group.stream().map(RowResult::metric).distinct().toList();
            for (String unit : units) {
                List<RowResult> rows =
                        group.stream().filter(row -> row.metric().equals(unit)).toList();
                tables.add(table(rows, units.size() > 1 ? unit : "", result, byIndex));
            }
        }
        return new ExperimentReport(
                result.plan().experiment().name(),
                result.plan().experiment().title(),
                result.plan().experiment().source(),
                ResultTable.runs(result)
                        + (result.isComplete() ? "" : "; interrupted when " + result.runs() + " runs were done"),
                ResultTable.judgement(result),
                tables,
                ResultTable.notes(result));
    }

    /** @param unit said in the title; empty where it is the only one of its group */
    private static ReportTable table(
            List<RowResult> group, String unit, ExperimentResult result, Map<Integer, Observed> observed) {
        ExperimentRow first = group.getFirst().row();
        List<ReportRow> rows = new ArrayList<>();
        for (RowResult row : group) {
            rows.add(row(row, result, observed.get(row.row().index())));
        }
        String title = title(first);
        return new ReportTable(
                unit.isEmpty() ? title : title + (title.isEmpty() ? "" : ", ") + "in " + unit,
                ResultTable.heading(first),
                first.block().workloads().size() == 1 ? "kernel" : "workload",
                group.getFirst().metric(),
                group.stream().anyMatch(row -> row.instanceCount() > 1),
                rows);
    }

    private static String title(ExperimentRow first) {
        String reading = first.reading().label();
        String shown = reading.isEmpty() || first.reading().judged() ? reading : reading + " (not judged)";
        String block = first.block().title();
        return block.isEmpty() || shown.isEmpty() ? block + shown : block + ", " + shown;
    }

    private static ReportRow row(RowResult row, ExperimentResult result, @Nullable Observed observed) {
        Sample values = row.values();
        double[] shares = new double[Distance.all().length];
        for (Distance distance : Distance.all()) {
            shares[distance.ordinal()] = row.distanceShare(distance);
        }
        return new ReportRow(
                row.row().label(),
                values,
                MeanInterval.of(values, CONFIDENCE),
                result.ratio(row),
                row.row().published() == null
                        ? null
                        : new PublishedValue(
                                row.row().published().value(),
                                row.row().role(),
                                row.row().published().tolerance()),
                row.bounceRate(),
                shares,
                ResultTable.states(row),
                observed);
    }
}
