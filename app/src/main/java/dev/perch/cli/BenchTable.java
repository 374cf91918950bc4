package dev.perch.cli;

import dev.perch.host.HostSystem;
import dev.perch.host.Noise;
import dev.perch.host.bench.BenchPlan;
import dev.perch.host.bench.BenchResult;
import dev.perch.host.bench.BenchRow;
import dev.perch.lab.ResultTable;
import dev.perch.lab.TextTable;
import dev.perch.lab.statistics.Interval;
import dev.perch.lab.statistics.MeanInterval;
import dev.perch.lab.statistics.Sample;
import dev.perch.model.Distance;
import dev.perch.model.Times;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What a benchmark measured on the host, as a table: a row for each placement. */
final class BenchTable {
    private static final double CONFIDENCE = 0.95;
    private static final String NOTHING = "–";

    private BenchTable() {}

    /** What was measured, in one line. */
    static String title(BenchPlan plan) {
        if (plan.isMessaging()) {
            return plan.groups() + " groups of 20 senders and 20 receivers, "
                    + (plan.threads() ? "threads of one process" : "processes") + ", over "
                    + (plan.pipes() ? "pipes" : "sockets") + ", " + plan.loops() + " messages from each to each";
        }
        return "two " + (plan.threads() ? "threads of one process" : "processes") + " and "
                + plan.benchmark().title();
    }

    static List<String> lines(BenchResult result) {
        BenchPlan plan = result.plan();
        HostSystem host = result.host();
        String unit = plan.benchmark().unit();
        List<String> lines = new ArrayList<>();
        lines.add(plan.benchmark().word() + ": " + title(plan));
        lines.add("measured on " + host.title() + ", kernel " + host.kernel() + ", CPUs " + host.cpus() + "; "
                + plan.repeats() + " repeats"
                + (plan.isMessaging()
                        ? ""
                        : " of " + Times.format(plan.durationNs()) + " after " + Times.format(plan.warmupNs())
                                + " of warm-up"));
        lines.add("");
        TextTable table = new TextTable(
                List.of(
                        "CPUs",
                        "distance",
                        "mean [" + unit + "]",
                        "95% interval",
                        "min",
                        "median",
                        "max",
                        "switches/op",
                        "migrations",
                        "steal",
                        "other tasks"),
                false);
        result.rows().forEach(row -> table.add(cells(row, unit)));
        lines.addAll(table.lines());
        lines.add("");
        if (!result.isComplete()) {
            int all = plan.placements().size() * plan.repeats();
            lines.add("interrupted: " + result.finished() + " of " + all + " measurements are done");
        }
        result.notes().forEach(note -> lines.add("note: " + note));
        if (lines.getLast().isEmpty()) {
            lines.removeLast();
        }
        return lines;
    }

    private static List<String> cells(BenchRow row, String unit) {
        Sample values = row.values();
        return List.of(
                row.placement().text(),
                row.placement().distance().map(Distance::word).orElse(NOTHING),
                ResultTable.value(values.mean(), unit),
                MeanInterval.of(values, CONFIDENCE)
                        .map(interval -> text(interval, unit))
                        .orElse(NOTHING),
                ResultTable.value(values.min(), unit),
                ResultTable.value(values.median(), unit),
                ResultTable.value(values.max(), unit),
                String.format(Locale.ROOT, "%.2f", row.switchesPerOperation()),
                row.migrations()
                        .map(migrations -> String.format(Locale.ROOT, "%.1f", migrations))
                        .orElse(NOTHING),
                share(row, Noise::steal),
                share(row, Noise::others));
    }

    private static String text(Interval interval, String unit) {
        return ResultTable.value(interval.low(), unit) + " … " + ResultTable.value(interval.high(), unit);
    }

    private static String share(BenchRow row, ToDoubleFunction<Noise> part) {
        return row.noise()
                .map(noise -> String.format(Locale.ROOT, "%.1f%%", 100 * part.applyAsDouble(noise)))
                .orElse(NOTHING);
    }
}
