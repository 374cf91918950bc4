package dev.perch.report.chart;

import dev.perch.audit.AuditResult;
import dev.perch.audit.UnknownReason;
import dev.perch.audit.Verdict;
import dev.perch.audit.WakeupTotals;
import dev.perch.report.chart.DataTable.Column;
import dev.perch.report.drawing.Canvas;
import dev.perch.report.drawing.Drawing;
import dev.perch.report.drawing.Ink;
import dev.perch.report.drawing.Scale;
import dev.perch.report.drawing.Shape.Align;
import java.util.ArrayList;
import java.util.List;

/** How many wakeups got which verdict of the audit. */
public final class VerdictChart {
    private static final double WIDTH = 860;
    private static final double ROW = 36;
    private static final double LEFT = 132;
    private static final double RIGHT = WIDTH - 150;

    private VerdictChart() {}

    /** The chart of an audit that has wakeups. */
    public static Figure of(AuditResult result) {
        return new Figure(drawing(result), sentence(result), data(result));
    }

    /** Whether there are wakeups. */
    public static boolean isPossible(AuditResult result) {
        return result.wakeups().count() > 0;
    }

    private static List<Verdict> present(WakeupTotals wakeups) {
        List<Verdict> present = new ArrayList<>();
        for (Verdict verdict : Verdict.all()) {
            if (wakeups.of(verdict) > 0) {
                present.add(verdict);
            }
        }
        return present;
    }

    private static double share(WakeupTotals wakeups, Verdict verdict) {
        return (double) wakeups.of(verdict) / Math.max(1, wakeups.count());
    }

    private static Drawing drawing(AuditResult result) {
        WakeupTotals wakeups = result.wakeups();
        List<Verdict> verdicts = present(wakeups);
        double largest = verdicts.stream()
                .mapToDouble(verdict -> share(wakeups, verdict))
                .max()
                .orElse(1);
        Canvas canvas = new Canvas();
        Scale.Linear scale = Scale.Linear.nice(0, largest, LEFT, RIGHT, 5);
        double bottom = 6 + ROW * verdicts.size();
        Axes.horizontal(
                canvas, scale, LEFT, RIGHT, 6, bottom, "share of all wakeups", tick -> Numbers.wholePercent(tick));
        double y = 6;
        StringBuilder words = new StringBuilder();
        for (Verdict verdict : verdicts) {
            double share = share(wakeups, verdict);
            Ink ink = verdict.isFault() ? Ink.VERMILLION : verdict == Verdict.UNKNOWN ? Ink.GREY : Ink.BLUE;
            canvas.text(LEFT - 10, y + 15, verdict.word(), Align.END, Ink.TEXT);
            canvas.box(LEFT, y + 4, Math.max(1, scale.at(share) - LEFT), 14, ink);
            canvas.text(
                    RIGHT + 12,
                    y + 15,
                    Numbers.percent(share) + "  (" + Numbers.count(wakeups.of(verdict)) + ")",
                    Align.START,
                    Ink.TEXT);
            canvas.text(LEFT + 2, y + 30, verdict.text(), Align.START, Ink.MUTED, Canvas.SMALL);
            words.append(words.isEmpty() ? "" : ", ")
                    .append(verdict.word())
                    .append(' ')
                    .append(Numbers.percent(share));
            y += ROW;
        }
        return canvas.finish(
                WIDTH, bottom + Axes.HEIGHT, "Verdicts", words.append('.').toString());
    }

    private static String sentence(AuditResult result) {
        WakeupTotals wakeups = result.wakeups();
        long faults = 0;
        for (Verdict verdict : Verdict.all()) {
            faults += verdict.isFault() ? wakeups.of(verdict) : 0;
        }
        StringBuilder text = new StringBuilder("What the audit says of ")
                .append(Numbers.count(wakeups.count(), "wakeup", "wakeups"))
                .append(": ")
                .append(Numbers.percent((double) faults / Math.max(1, wakeups.count())))
                .append(
                        " could have gone to a better CPU (the bars of queued, missed-elsewhere, remote, smt-shared and bounced).");
        if (wakeups.of(Verdict.UNKNOWN) > 0) {
            text.append(" Not judged: ");
            String before = "";
            for (UnknownReason reason : UnknownReason.values()) {
                if (reason != UnknownReason.NONE && wakeups.of(reason) > 0) {
                    text.append(before)
                            .append(Numbers.count(wakeups.of(reason)))
                            .append(" (")
                            .append(reason.text())
                            .append(')');
                    before = ", ";
                }
            }
            text.append('.');
        }
        return text.toString();
    }

    private static DataTable data(AuditResult result) {
        WakeupTotals wakeups = result.wakeups();
        List<List<String>> rows = new ArrayList<>();
        for (Verdict verdict : present(wakeups)) {
            long mean = wakeups.meanLatencyNs(verdict);
            rows.add(List.of(
                    verdict.word(),
                    verdict.text(),
                    Numbers.count(wakeups.of(verdict)),
                    Numbers.percent(share(wakeups, verdict)),
                    Numbers.time(wakeups.queueingNs(verdict)),
                    wakeups.costKnown(verdict) == 0 ? "not known" : Numbers.time(wakeups.costNs(verdict)),
                    mean < 0 ? "not known" : Numbers.time(mean)));
        }
        return new DataTable(
                "Verdicts",
                List.of(
                        Column.text("verdict"),
                        Column.text("meaning"),
                        Column.number("wakeups"),
                        Column.number("share"),
                        Column.number("queueing, summed"),
                        Column.number("cost, summed"),
                        Column.number("mean latency")),
                rows,
                "");
    }
}
