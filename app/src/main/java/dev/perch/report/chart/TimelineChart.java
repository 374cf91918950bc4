package dev.perch.report.chart;

import dev.perch.report.chart.DataTable.Column;
import dev.perch.report.drawing.Canvas;
import dev.perch.report.drawing.Drawing;
import dev.perch.report.drawing.Ink;
import dev.perch.report.drawing.Scale;
import dev.perch.report.drawing.Shape.Align;
import dev.perch.report.drawing.TextWidth;
import dev.perch.report.observe.Timeline;
import dev.perch.report.observe.Timeline.Choice;
import dev.perch.report.observe.Timeline.Stint;
import dev.perch.report.observe.Timeline.Wake;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** One millisecond: which task ran on which CPU, and who woke whom. */
public final class TimelineChart {
    private static final double WIDTH = 860;
    private static final double LEFT = 64;
    private static final double RIGHT = WIDTH - 20;
    private static final int MOST_LANES = 64;
    private static final int MOST_ARROWS = 150;
    private static final int MOST_ROWS = 100;

    /** Narrower than this, boxes are joined with what follows at once. */
    private static final double NARROW = 0.6;

    private final String name;
    private final Timeline timeline;
    private final List<Integer> lanes;
    private final int idleThroughout;
    private final int notDrawn;
    private final Map<Integer, Ink> inks = new LinkedHashMap<>();
    private final Map<Integer, Long> runNs;
    private final Map<Integer, String> names = new LinkedHashMap<>();
    private final double lane;
    private final Scale.Linear scale;
    private double top;

    private TimelineChart(String name, Timeline timeline) {
        this.name = name;
        this.timeline = timeline;
        TreeSet<Integer> active = new TreeSet<>();
        TreeSet<Integer> all = new TreeSet<>();
        Map<Integer, Long> run = new LinkedHashMap<>();
        for (Stint stint : timeline.stints()) {
            all.add(stint.cpu());
            if (stint.pid() != 0) {
                active.add(stint.cpu());
                run.merge(stint.pid(), stint.toNs() - stint.fromNs(), Long::sum);
                names.put(stint.pid(), stint.name());
            }
        }
        timeline.wakes().forEach(wake -> {
            addCpu(active, wake.cpu());
            addCpu(active, wake.target());
        });
        all.addAll(active);
        idleThroughout = all.size() - active.size();
        lanes = active.stream().limit(MOST_LANES).toList();
        notDrawn = active.size() - lanes.size();
        runNs = run;
        List<Integer> longest = run.entrySet().stream()
                .sorted(Map.Entry.<Integer, Long>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .toList();
        // The colours go by pid, so that the same tasks have the same ones in the next row's chart.
        longest.stream().limit(Ink.CATEGORY_COUNT).sorted().forEach(pid -> inks.put(pid, Ink.category(inks.size())));
        longest.stream().skip(Ink.CATEGORY_COUNT).forEach(pid -> inks.put(pid, Ink.GREY));
        lane = lanes.size() <= 24 ? 24 : 14;
        scale = new Scale.Linear(0, timeline.lengthNs() / 1e3, LEFT, RIGHT, 10);
    }

    private static void addCpu(TreeSet<Integer> cpus, int cpu) {
        if (cpu >= 0) {
            cpus.add(cpu);
        }
    }

    /** The chart of a stretch of time; {@code name}: whose it is. */
    public static Figure of(String name, Timeline timeline) {
        TimelineChart chart = new TimelineChart(name, timeline);
        return new Figure(chart.drawing(), chart.sentence(), chart.data());
    }

    private Drawing drawing() {
        Canvas canvas = new Canvas();
        Legend legend = new Legend(canvas, 8, RIGHT, 14);
        int shown = 0;
        for (Map.Entry<Integer, Ink> entry : inks.entrySet()) {
            if (shown++ == Ink.CATEGORY_COUNT) {
                legend.box(Ink.GREY, Numbers.count(inks.size() - shown + 1, "other task", "other tasks"));
                break;
            }
            legend.box(entry.getValue(), task(entry.getKey()) + " " + share(entry.getKey()));
        }
        legend.wakeup(Ink.TEXT, "wakeup, from the waker to the queue");
        top = legend.bottom() + 6;
        double bottom = top + lane * lanes.size();
        Axes.horizontal(
                canvas,
                scale,
                LEFT,
                RIGHT,
                top,
                bottom,
                "µs since the beginning of the stretch",
                tick -> Numbers.decimal(tick, scale.decimals()));
        for (int i = 0; i < lanes.size(); i++) {
            double y = top + i * lane;
            canvas.line(LEFT, y + lane / 2, RIGHT, y + lane / 2, Ink.GRID, 1);
            canvas.text(LEFT - 8, y + lane / 2 + 4, "CPU " + lanes.get(i), Align.END, Ink.TEXT, Canvas.SMALL);
        }
        stints(canvas);
        wakes(canvas);
        return canvas.finish(WIDTH, bottom + Axes.HEIGHT, "Timeline: " + name, description());
    }

    private void stints(Canvas canvas) {
        List<Stint> busy = timeline.stints().stream()
                .filter(stint -> stint.pid() != 0 && lanes.contains(stint.cpu()))
                .toList();
        int i = 0;
        while (i < busy.size()) {
            Stint first = busy.get(i);
            double from = x(first.fromNs());
            double to = x(first.toNs());
            int last = i;
            while (to - from < NARROW && last + 1 < busy.size() && joins(busy.get(last + 1), first.cpu(), from)) {
                last++;
                to = x(busy.get(last).toNs());
            }
            double y = top + lanes.indexOf(first.cpu()) * lane + 3;
            double width = Math.max(NARROW, to - from - (to - from > 3 ? 0.5 : 0));
            Ink ink = last > i ? Ink.GREY : inks.getOrDefault(first.pid(), Ink.GREY);
            String tip = last > i
                    ? Numbers.count(last - i + 1) + " short stints"
                    : task(first.pid()) + " on CPU " + first.cpu() + ", " + Numbers.time(first.toNs() - first.fromNs());
            canvas.box(from, y, width, lane - 6, ink, tip);
            if (last == i && width > 24 && lane > 20) {
                String label = TextWidth.fit(first.name(), Canvas.SMALL, width - 6);
                canvas.text(from + 3, y + lane / 2 + 1, label, Align.START, Ink.ON_COLOUR, Canvas.SMALL);
            }
            i = last + 1;
        }
    }

    private boolean joins(Stint next, int cpu, double from) {
        return next.cpu() == cpu && x(next.toNs()) - from < NARROW;
    }

    private void wakes(Canvas canvas) {
        boolean arrows = timeline.wakes().size() <= MOST_ARROWS;
        for (Wake wake : timeline.wakes()) {
            int from = lanes.indexOf(wake.cpu());
            int to = lanes.indexOf(wake.target());
            if (to >= 0 && from >= 0 && arrows) {
                double y1 = top + (from + 0.5) * lane;
                double y2 = top + (to + (to < from ? 0.82 : to > from ? 0.18 : 0.9)) * lane;
                canvas.line(x(wake.ns()), y1, x(wake.queuedNs()), y2, Ink.TEXT, 1);
                canvas.dot(x(wake.queuedNs()), y2, 2.2, Ink.TEXT);
            } else if (to >= 0) {
                double y = top + to * lane;
                canvas.line(x(wake.queuedNs()), y + lane - 4, x(wake.queuedNs()), y + lane, Ink.TEXT, 1);
            }
        }
    }

    private double x(long ns) {
        return scale.at(ns / 1e3);
    }

    private String task(int pid) {
        String known = names.getOrDefault(pid, "");
        return (known.isEmpty() ? "task" : known) + " (" + pid + ")";
    }

    private String share(int pid) {
        return Numbers.wholePercent((double) runNs.getOrDefault(pid, 0L) / timeline.lengthNs());
    }

    private String description() {
        StringBuilder text = new StringBuilder("Time on a CPU: ");
        int count = 0;
        for (int pid : inks.keySet()) {
            if (count++ == Ink.CATEGORY_COUNT) {
                text.append(", and others");
                break;
            }
            text.append(count == 1 ? "" : ", ").append(task(pid)).append(' ').append(share(pid));
        }
        return text.append(". ")
                .append(Numbers.count(timeline.wakeups(), "wakeup", "wakeups"))
                .append(", ")
                .append(Numbers.count(timeline.moves(), "change of CPU", "changes of CPU"))
                .append('.')
                .toString();
    }

    private String sentence() {
        Choice choice = timeline.choice();
        StringBuilder text = new StringBuilder("Which task ran on which CPU, and who woke whom, in ")
                .append(timeline.lengthNs() == 1_000_000 ? "one millisecond" : Numbers.time(timeline.lengthNs()))
                .append(' ')
                .append(Numbers.time(timeline.sinceNs()))
                .append(
                        " after the first event counted. Where a lane is empty, its CPU was idle, or nothing is known of it. ");
        if (choice.withWakeups() <= 1) {
            text.append("It is all there is with wakeups in it.");
        } else {
            text.append("Of ")
                    .append(
                            choice.kept() < choice.withWakeups()
                                    ? choice.kept() + " milliseconds, evenly taken from "
                                            + Numbers.count(choice.withWakeups()) + " with wakeups,"
                                    : Numbers.count(choice.withWakeups()) + " milliseconds with wakeups")
                    .append(" it is the one whose counts (")
                    .append(Numbers.count(timeline.wakeups(), "wakeup", "wakeups"))
                    .append(", ")
                    .append(Numbers.count(timeline.moves(), "change of CPU", "changes of CPU"))
                    .append(") are nearest to the medians (")
                    .append(Numbers.count(choice.medianWakeups()))
                    .append(" and ")
                    .append(Numbers.count(choice.medianMoves()))
                    .append(").");
            long without = choice.all() - choice.withWakeups();
            if (without > 0) {
                text.append(" In ")
                        .append(Numbers.count(without))
                        .append(" of all ")
                        .append(Numbers.count(choice.all()))
                        .append(" nobody was woken.");
            }
        }
        if (timeline.wakes().size() > MOST_ARROWS) {
            text.append(" There are too many wakeups for lines: each is a tick below the lane of its queue.");
        }
        if (idleThroughout > 0) {
            text.append(" Left out: ")
                    .append(Numbers.count(idleThroughout, "CPU that was", "CPUs that were"))
                    .append(" idle throughout.");
        }
        if (notDrawn > 0) {
            text.append(" Drawn are the first ")
                    .append(MOST_LANES)
                    .append(" CPUs; ")
                    .append(Numbers.count(notDrawn, "more was", "more were"))
                    .append(" active.");
        }
        return text.toString();
    }

    private record Entry(long ns, int order, List<String> cells) {}

    private DataTable data() {
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
            entries.add(new Entry(
                    wake.ns(),
                    0,
                    List.of(
                            micros(wake.ns()),
                            wake.cpu() < 0 ? "?" : Integer.toString(wake.cpu()),
                            "wakes",
                            label(wake.wakee(), wake.wakeeName()),
                            wake.queuedNs() < 0 ? "" : Numbers.decimal((wake.queuedNs() - wake.ns()) / 1e3, 3),
                            wake.target() < 0 ? "?" : Integer.toString(wake.target()))));
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
