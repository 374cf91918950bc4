package dev.perch.report.chart;

import java.util.List;

/**
 * Rows that are compared with each other: one table of an experiment.
 *
 * @param title may be empty
 * @param setting machine, workload and settings that hold for all rows, in one line
 * @param axis what the rows differ in: {@code kernel} or {@code workload}
 * @param metric unit of the values
 * @param perInstance whether a value is the mean over the instances of a run
 */
public record ReportTable(
        String title, String setting, String axis, String metric, boolean perInstance, List<ReportRow> rows) {
    public ReportTable {
        rows = List.copyOf(rows);
    }

    /** The title, or what stands for it. */
    public String name() {
        return title.isEmpty() ? setting : title;
    }

    /** What the values are, such as {@code transactions/s per instance}. */
    public String unit() {
        return perInstance ? metric + " per instance" : metric;
    }
}
