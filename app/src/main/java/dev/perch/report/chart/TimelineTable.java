package dev.perch.report.chart;

import dev.perch.report.chart.DataTable.Column;
import dev.perch.report.observe.Timeline;
import dev.perch.report.observe.Timeline.Stint;
import dev.perch.report.observe.Timeline.Wake;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A stretch of time as a table: stints and wakeups in the order in which they began. */
final class TimelineTable {
    private static final int MOST_ROWS = 100;

    private TimelineTable() {}

    private record Entry(long ns, int order, List<String> cells) {}

    /** {@code name}: whose millisecond it is. */
    static DataTable of(String name, Timeline timeline) {
        List<Entry> entries = new ArrayList<>();
        for (Stint stint : timeline.stints()) {
            String ran = Numbers.decimal((stint.toNs() - stint.fromNs()) / 1e3, 3);
            entries.add(new Entry(
                    stint.fromNs(),
                    1,
                    List.of(
                            micros(stint.fromNs()),
                            Integer.toString(stint.cpu()),
                            stint.pid() == 0 ? "idle" : "runs",
                            stint.pid() == 0 ? "" : label(stint.pid(), stint.name()),
                            ran,
                            "")));
        }
        for (Wake wake : timeline.wakes()) {
            boolean begun = wake.ns() >= 0;
            entries.add(new Entry(
                    begun ? wake.ns() : wake.queuedNs(),
                    0,
                    List.of(
                            micros(begun ? wake.ns() : wake.queuedNs()),
                            wake.cpu() < 0 ? "" : Integer.toString(wake.cpu()),
                            begun ? "wakes" : "queued, woken before",
                            label(wake.wakee(), wake.wakeeName()),
                            begun && wake.queuedNs() >= 0
                                    ? Numbers.decimal((wake.queuedNs() - wake.ns()) / 1e3, 3)
                                    : "",
                            wake.target() < 0 ? "later" : Integer.toString(wake.target()))));
        }
        entries.sort(Comparator.comparingLong(Entry::ns).thenComparingInt(Entry::order));
        return new DataTable(
                        "What happened, in order: " + name,
                        List.of(
                                Column.number("at, µs"),
                                Column.number("CPU"),
                                Column.text("event"),
                                Column.text("task"),
                                Column.number("for, or until queued, µs"),
                                Column.number("queue of CPU")),
                        entries.stream().map(Entry::cells).toList(),
                        "")
                .shortened(MOST_ROWS, "perch run --events and perch audit --wakeups give all.");
    }

    private static String micros(long ns) {
        return Numbers.decimal(ns / 1e3, 3);
    }

    private static String label(int pid, String name) {
        return (name.isEmpty() ? "task" : name) + " (" + pid + ")";
    }
}
