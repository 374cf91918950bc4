package dev.perch.report.chart;

import dev.perch.audit.AuditResult;
import dev.perch.audit.Pair;
import dev.perch.model.Distance;
import dev.perch.report.chart.DataTable.Column;
import dev.perch.report.drawing.Canvas;
import dev.perch.report.drawing.Drawing;
import dev.perch.report.drawing.Ink;
import dev.perch.report.drawing.Scale;
import dev.perch.report.drawing.Shape.Align;
import dev.perch.report.drawing.TextWidth;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The pairs of waker and wakee with most wakeups, and over which distance these went. */
public final class PairChart {
    private static final double WIDTH = 860;
    private static final double ROW = 26;
    private static final double LEFT = 300;
    private static final double RIGHT = WIDTH - 90;
    private static final int MOST_BARS = 12;
    private static final int MOST_ROWS = 100;

    private PairChart() {}

    /** Whether there are pairs. */
    public static boolean isPossible(AuditResult result) {
        return result.pairs().size() > 0;
    }

    /** The chart of an audit that has pairs. */
    public static Figure of(AuditResult result) {
        List<Pair> pairs = result.pairs().mostWakeups();
        return new Figure(drawing(result, pairs), sentence(result, pairs), data(result, pairs));
    }

    private static String name(AuditResult result, int slot) {
        return slot < 0
                ? "(interrupt)"
                : result.tasks().name(slot) + " (" + result.tasks().pid(slot) + ")";
    }

    private static Ink ink(Distance distance) {
        return distance == Distance.CPU ? Ink.GREY : Ink.category(distance.ordinal() - 1);
    }

    private static Drawing drawing(AuditResult result, List<Pair> all) {
        List<Pair> pairs = all.subList(0, Math.min(MOST_BARS, all.size()));
        Canvas canvas = new Canvas();
        Legend legend = new Legend(canvas, 8, WIDTH, 14);
        for (Distance distance : Distance.all()) {
            if (pairs.stream().anyMatch(pair -> pair.latencies()[distance.ordinal()] > 0)) {
                legend.box(ink(distance), word(distance));
            }
        }
        if (pairs.stream().anyMatch(pair -> Arrays.stream(pair.latencies()).sum() < pair.wakeups())) {
            legend.box(Ink.BAND, "distance or latency not known");
        }
        double top = legend.bottom() + 4;
        double bottom = top + ROW * pairs.size();
        Scale.Linear scale = Scale.Linear.nice(0, (double) pairs.getFirst().wakeups(), LEFT, RIGHT, 5);
        Axes.horizontal(
                canvas, scale, LEFT, RIGHT, top, bottom, "wakeups", tick -> Numbers.decimal(tick, scale.decimals()));
        StringBuilder words = new StringBuilder();
        double y = top;
        for (Pair pair : pairs) {
            String label = name(result, pair.wakerSlot()) + " → " + name(result, pair.wakeeSlot());
            canvas.text(LEFT - 10, y + 17, TextWidth.fit(label, Canvas.SIZE, LEFT - 16), Align.END, Ink.TEXT);
            canvas.box(LEFT, y + 6, Math.max(1, scale.at((double) pair.wakeups()) - LEFT), ROW - 12, Ink.BAND);
            long before = 0;
            for (Distance distance : Distance.all()) {
                long count = pair.latencies()[distance.ordinal()];
                if (count > 0) {
                    double from = scale.at((double) before);
                    canvas.box(
                            from,
                            y + 6,
                            scale.at((double) (before + count)) - from,
                            ROW - 12,
                            ink(distance),
                            label + ", " + word(distance) + ": " + Numbers.count(count));
                    before += count;
                }
            }
            canvas.text(RIGHT + 10, y + 17, Numbers.count(pair.wakeups()), Align.START, Ink.TEXT);
            words.append(words.isEmpty() ? "" : "; ").append(label).append(' ').append(Numbers.count(pair.wakeups()));
            y += ROW;
        }
        return canvas.finish(WIDTH, bottom + Axes.HEIGHT, "Pairs of waker and wakee", "Wakeups: " + words + '.');
    }

    private static String word(Distance distance) {
        return switch (distance) {
            case CPU -> "to the waker's CPU";
            case SMT -> "to its SMT sibling";
            case CLUSTER -> "within the cluster";
            case LLC -> "within the last-level cache";
            case PACKAGE -> "within the package";
            case NODE -> "within the node";
            case REMOTE -> "to another node";
        };
    }

    private static String sentence(AuditResult result, List<Pair> pairs) {
        String beyond = result.pairs().beyondLimit() == 0
                ? ""
                : " " + Numbers.count(result.pairs().beyondLimit(), "wakeup", "wakeups")
                        + " of further pairs were not kept apart.";
        return "Who wakes whom: the " + Math.min(MOST_BARS, pairs.size()) + " of "
                + Numbers.count(pairs.size(), "pair", "pairs")
                + " with most wakeups, by the distance from the waker's CPU to the chosen one." + beyond;
    }

    private static DataTable data(AuditResult result, List<Pair> pairs) {
        List<List<String>> rows = new ArrayList<>();
        for (Pair pair : pairs) {
            rows.add(List.of(
                    name(result, pair.wakerSlot()),
                    name(result, pair.wakeeSlot()),
                    Numbers.count(pair.wakeups()),
                    pair.synchronous() < 0 ? "not known" : Numbers.wholePercent(pair.synchronous()),
                    pair.overlap() < 0 ? "not known" : Numbers.wholePercent(pair.overlap()),
                    Numbers.count(pair.moves()),
                    latency(pair.latencyNs(Distance.CPU)),
                    latency(pair.crossLatencyNs())));
        }
        return new DataTable(
                        "Pairs, most wakeups first",
                        List.of(
                                Column.text("waker"),
                                Column.text("wakee"),
                                Column.number("wakeups"),
                                Column.number("waker sleeps next"),
                                Column.number("overlap"),
                                Column.number("moves"),
                                Column.number("mean latency, same CPU"),
                                Column.number("mean latency, other CPU")),
                        rows,
                        "")
                .shortened(MOST_ROWS, "perch audit --pairs prints all.");
    }

    private static String latency(long ns) {
        return ns < 0 ? "none" : Numbers.time(ns);
    }
}
