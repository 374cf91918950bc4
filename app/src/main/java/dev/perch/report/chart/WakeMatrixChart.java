package dev.perch.report.chart;

import dev.perch.model.Topology;
import dev.perch.report.chart.DataTable.Column;
import dev.perch.report.drawing.Canvas;
import dev.perch.report.drawing.Drawing;
import dev.perch.report.drawing.Ink;
import dev.perch.report.drawing.Shape.Align;
import dev.perch.report.observe.CpuGroups;
import dev.perch.report.observe.CpuGroups.Group;
import dev.perch.report.observe.WakeMatrix;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where wakeups went: a heat map from the waker's CPU to the chosen one. */
public final class WakeMatrixChart {
    private static final double LEFT = 92;
    private static final double TOP = 58;
    private static final double MINIMUM_WIDTH = 420;
    private static final int MOST_ROWS = 200;
    private static final int FULL_TABLE = 16;

    private final String name;
    private final CpuGroups groups;
    private final long[][] counts;
    private final long total;
    private final long unknown;
    private final HeatSteps steps;

    private WakeMatrixChart(String name, WakeMatrix matrix, CpuGroups groups, HeatSteps steps) {
        this.name = name;
        this.groups = groups;
        this.steps = steps;
        counts = counts(matrix, groups);
        total = matrix.total();
        unknown = matrix.unknown();
    }

    /** Whether there is anything to show. */
    public static boolean isPossible(WakeMatrix matrix) {
        return matrix.total() > 0;
    }

    /**
     * The largest share of a cell of the chart; over all charts of a report, it decides the steps of their colours.
     *
     * @param topology of the machine, if known
     */
    public static double largestShare(WakeMatrix matrix, @Nullable Topology topology) {
        long largest = 0;
        for (long[] row : counts(matrix, CpuGroups.of(matrix.cpus(), topology))) {
            for (long count : row) {
                largest = Math.max(largest, count);
            }
        }
        return matrix.total() == 0 ? 0 : (double) largest / matrix.total();
    }

    /**
     * The chart.
     *
     * @param name whose wakeups
     * @param largestShare the largest share of the charts that are to be compared with this
     */
    public static Figure of(String name, WakeMatrix matrix, @Nullable Topology topology, double largestShare) {
        WakeMatrixChart chart =
                new WakeMatrixChart(name, matrix, CpuGroups.of(matrix.cpus(), topology), HeatSteps.upTo(largestShare));
        return new Figure(chart.drawing(), chart.sentence(), chart.data());
    }

    private static long[][] counts(WakeMatrix matrix, CpuGroups groups) {
        int size = groups.groups().size();
        long[][] counts = new long[size][size];
        for (int from = 0; from < size; from++) {
            for (int to = 0; to < size; to++) {
                for (int a : groups.groups().get(from).cpus().toArray()) {
                    for (int b : groups.groups().get(to).cpus().toArray()) {
                        counts[from][to] += matrix.count(a, b);
                    }
                }
            }
        }
        return counts;
    }

    private double cell() {
        int size = counts.length;
        return size <= 12 ? 42 : size <= 24 ? 26 : 12;
    }

    private Drawing drawing() {
        Canvas canvas = new Canvas();
        int size = counts.length;
        double cell = cell();
        double extent = cell * size;
        canvas.text(LEFT + Math.max(extent, 60) / 2, 16, "to " + groups.kind(), Align.MIDDLE, Ink.TEXT);
        canvas.upwards(16, TOP + Math.max(extent / 2, 30), "from " + groups.kind(), Ink.TEXT);
        labels(canvas, cell);
        for (int i = 0; i <= size; i++) {
            canvas.line(LEFT + i * cell, TOP, LEFT + i * cell, TOP + extent, Ink.GRID, 1);
            canvas.line(LEFT, TOP + i * cell, LEFT + extent, TOP + i * cell, Ink.GRID, 1);
        }
        for (int from = 0; from < size; from++) {
            for (int to = 0; to < size; to++) {
                cell(canvas, from, to, LEFT + to * cell, TOP + from * cell, cell);
            }
        }
        for (int i = 0; i < size; i++) {
            if (groups.borders().get(i)) {
                canvas.line(LEFT + i * cell, TOP - 5, LEFT + i * cell, TOP + extent, Ink.TEXT, 1);
                canvas.line(LEFT - 5, TOP + i * cell, LEFT + extent, TOP + i * cell, Ink.TEXT, 1);
            }
        }
        double width = Math.max(MINIMUM_WIDTH, LEFT + extent + 16);
        Legend legend = new Legend(canvas, 16, width, TOP + extent + 26);
        legend.text("empty: none");
        List<String> words = steps.labels();
        for (int step = 0; step < words.size(); step++) {
            legend.box(Ink.heat(step), words.get(step));
        }
        return canvas.finish(width, legend.bottom() + 4, "Wake matrix: " + name, description());
    }

    private void labels(Canvas canvas, double cell) {
        int size = counts.length;
        boolean numbers = !groups.areSums();
        double fontSize = cell < 14 ? 9 : Canvas.SMALL;
        for (int i = 0; i < size; i++) {
            String label = groups.groups().get(i).label();
            double middle = (i + 0.5) * cell;
            canvas.text(LEFT - 8, TOP + middle + fontSize * 0.36, label, Align.END, Ink.MUTED, fontSize);
            String column = numbers ? label : label.substring(label.lastIndexOf(' ') + 1);
            boolean every = cell >= 14 || column.length() < 2 || i % 2 == 0;
            if (every && column.length() <= 4) {
                canvas.text(LEFT + middle, TOP - 8, column, Align.MIDDLE, Ink.MUTED, fontSize);
            }
        }
    }

    private void cell(Canvas canvas, int from, int to, double x, double y, double cell) {
        long count = counts[from][to];
        if (count == 0) {
            return;
        }
        double share = (double) count / total;
        int step = steps.of(share);
        canvas.box(
                x + 0.5,
                y + 0.5,
                cell - 1,
                cell - 1,
                Ink.heat(step),
                groupName(from) + " to " + groupName(to) + ": " + Numbers.count(count, "wakeup", "wakeups") + ", "
                        + Numbers.percent(share));
        if (cell >= 40) {
            String text = share < 0.0005 ? "<0.1" : Numbers.decimal(100 * share, 1);
            canvas.text(x + cell / 2, y + cell / 2 + 4, text, Align.MIDDLE, Ink.onHeat(step), Canvas.SMALL);
        }
    }

    private String groupName(int index) {
        Group group = groups.groups().get(index);
        return groups.areSums() ? group.label() + " (CPUs " + group.cpus() + ")" : "CPU " + group.label();
    }

    private long onDiagonal() {
        long sum = 0;
        for (int i = 0; i < counts.length; i++) {
            sum += counts[i][i];
        }
        return sum;
    }

    private String description() {
        return "A heat map of " + counts.length + " by " + counts.length + " cells over "
                + Numbers.count(total, "wakeup", "wakeups") + ". " + diagonal();
    }

    private String diagonal() {
        return Numbers.percent((double) onDiagonal() / Math.max(1, total)) + " went to the "
                + (groups.areSums() ? groups.kind() + " of the waker" : "waker's own CPU") + " (the diagonal).";
    }

    private String sentence() {
        StringBuilder text = new StringBuilder("Each cell is the share of all ")
                .append(Numbers.count(total))
                .append(" wakeups that went from the waker's ")
                .append(groups.kind())
                .append(" (row) to the chosen one (column), in per cent; ")
                .append(diagonal());
        if (groups.areSums()) {
            text.append(" There are too many CPUs to show each: those of one ")
                    .append(groups.kind())
                    .append(" are taken together.");
        }
        if (!groups.borderKind().isEmpty() && groups.borders().contains(true)) {
            text.append(" Lines are borders between ")
                    .append(groups.borderKind().equals("core") ? "cores" : "last-level caches")
                    .append("; CPUs stand in the order of the machine.");
        }
        if (unknown > 0) {
            text.append(" Not shown are ")
                    .append(Numbers.count(unknown, "wakeup", "wakeups"))
                    .append(" of which a CPU is not known.");
        }
        return text.toString();
    }

    private DataTable data() {
        return counts.length <= FULL_TABLE ? matrixTable() : listTable();
    }

    private DataTable matrixTable() {
        List<Column> columns = new ArrayList<>();
        columns.add(Column.text("from"));
        List<List<String>> rows = new ArrayList<>();
        for (int from = 0; from < counts.length; from++) {
            columns.add(Column.number("to " + groups.groups().get(from).label()));
            List<String> cells = new ArrayList<>();
            cells.add(groupName(from));
            for (long count : counts[from]) {
                cells.add(Numbers.count(count));
            }
            rows.add(cells);
        }
        return new DataTable("Wakeups from (rows) to (columns): " + name, columns, rows, "");
    }

    private record Cell(int from, int to, long count) {}

    private DataTable listTable() {
        List<Cell> cells = new ArrayList<>();
        for (int from = 0; from < counts.length; from++) {
            for (int to = 0; to < counts.length; to++) {
                if (counts[from][to] > 0) {
                    cells.add(new Cell(from, to, counts[from][to]));
                }
            }
        }
        cells.sort(Comparator.comparingLong(Cell::count).reversed());
        List<List<String>> rows = new ArrayList<>();
        for (Cell cell : cells) {
            rows.add(List.of(
                    groupName(cell.from),
                    groupName(cell.to),
                    Numbers.count(cell.count),
                    Numbers.percent((double) cell.count / total)));
        }
        return new DataTable(
                        "Wakeups, most frequent first: " + name,
                        List.of(
                                Column.text("from"),
                                Column.text("to"),
                                Column.number("wakeups"),
                                Column.number("share")),
                        rows,
                        "")
                .shortened(MOST_ROWS, "the rest is in the picture.");
    }
}
