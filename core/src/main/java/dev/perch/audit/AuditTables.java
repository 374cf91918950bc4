package dev.perch.audit;

import dev.perch.model.Distance;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** The tables of an audit: verdicts, latencies, pairs, tasks, CPUs. */
final class AuditTables {
    private final AuditResult result;
    private final AuditAnswer answer;
    private final TextTable out;

    AuditTables(AuditResult result, AuditAnswer answer, TextTable out) {
        this.result = result;
        this.answer = answer;
        this.out = out;
    }

    void verdicts() {
        WakeupTotals wakeups = result.wakeups();
        out.line(
                "%-16s %9s %7s %12s %12s %12s  %s", "verdict", "wakeups", "share", "queueing", "cost", "mean wait", "");
        List<Verdict> rows = new ArrayList<>(answer.ranked());
        for (Verdict verdict : Verdict.all()) {
            if (!rows.contains(verdict) && wakeups.of(verdict) > 0) {
                rows.add(verdict);
            }
        }
        for (Verdict verdict : rows) {
            long mean = wakeups.meanLatencyNs(verdict);
            out.line(
                    "%-16s %9d %7s %12s %12s %12s  %s",
                    verdict.word(),
                    wakeups.of(verdict),
                    TextTable.percent(wakeups.of(verdict), wakeups.count()),
                    AuditText.time(wakeups.queueingNs(verdict)),
                    wakeups.costKnown(verdict) == 0 ? "-" : AuditText.time(wakeups.costNs(verdict)),
                    mean < 0 ? "-" : AuditText.time(mean),
                    verdict == Verdict.UNKNOWN ? answer.mainReason() : verdict.text());
        }
        out.line("");
    }

    void latencies() {
        out.line("%-16s %9s %10s %10s %10s %10s", "", "count", "p50", "p90", "p99", "max");
        histogram("wakeup latency", result.wakeups().latencies());
        histogram("run delay", result.system().runDelays());
        out.line("");
        StringBuilder moved = new StringBuilder();
        for (Distance distance : Distance.all()) {
            long count = result.system().migrations(distance);
            if (count > 0) {
                moved.append(moved.isEmpty() ? "" : ", ")
                        .append(distance.word())
                        .append(' ')
                        .append(count);
            }
        }
        long unknown = result.system().migrationsUnknown();
        if (unknown > 0) {
            moved.append(moved.isEmpty() ? "" : ", ").append("unknown ").append(unknown);
        }
        out.line("migrations by distance: %s", moved.isEmpty() ? "none" : moved);
        out.line("");
    }

    private void histogram(String name, Histogram histogram) {
        if (histogram.getTotalCount() == 0) {
            out.line("%-16s %9d", name, 0);
            return;
        }
        out.line(
                "%-16s %9d %10s %10s %10s %10s",
                name,
                histogram.getTotalCount(),
                AuditText.time(histogram.getValueAtPercentile(50)),
                AuditText.time(histogram.getValueAtPercentile(90)),
                AuditText.time(histogram.getValueAtPercentile(99)),
                AuditText.time(histogram.getMaxValue()));
    }

    void pairs(int limit) {
        List<Pair> pairs = result.pairs().mostWakeups();
        if (pairs.isEmpty()) {
            return;
        }
        PairAdvice advice = new PairAdvice(pairs, result.switchNs());
        out.line(
                "%-24s %-24s %9s %6s %8s %6s %10s %10s %10s %10s",
                "waker", "wakee", "wakeups", "sync", "overlap", "moves", "same CPU", "SMT", "LLC", "farther");
        int shown = 0;
        for (Pair pair : pairs) {
            if (shown++ == limit) {
                out.line("... %d more pairs: --pairs", pairs.size() - limit);
                break;
            }
            out.line(
                    "%-24s %-24s %9d %6s %8s %6d %10s %10s %10s %10s",
                    task(pair.wakerSlot()),
                    task(pair.wakeeSlot()),
                    pair.wakeups(),
                    TextTable.share(pair.synchronous()),
                    TextTable.share(pair.overlap()),
                    pair.moves(),
                    mean(pair, Distance.CPU, Distance.CPU),
                    mean(pair, Distance.SMT, Distance.SMT),
                    mean(pair, Distance.CLUSTER, Distance.LLC),
                    mean(pair, Distance.PACKAGE, Distance.REMOTE));
            String suggestion = advice.of(pair);
            if (!suggestion.isEmpty()) {
                out.line("    %s", suggestion);
            }
        }
        out.line("");
    }

    private static String mean(Pair pair, Distance from, Distance to) {
        long count = 0;
        long sum = 0;
        for (int i = from.ordinal(); i <= to.ordinal(); i++) {
            count += pair.latencies()[i];
            sum += pair.latencySumNs()[i];
        }
        return count == 0 ? "-" : AuditText.time(sum / count);
    }

    private String task(int slot) {
        if (slot < 0) {
            return "(interrupt)";
        }
        return TextTable.clip(result.tasks().name(slot), 16) + ":"
                + result.tasks().pid(slot);
    }

    void tasks(int limit) {
        List<AuditResult.TaskRow> rows = result.taskRows();
        out.line(
                "%-24s %12s %9s %9s %12s %12s %12s %7s  %s",
                "task", "run time", "switches", "wakeups", "mean delay", "max delay", "preempted", "moves", "CPUs");
        int shown = 0;
        for (AuditResult.TaskRow row : rows) {
            if (shown++ == limit) {
                out.line("... %d more tasks: --tasks", rows.size() - limit);
                break;
            }
            out.line(
                    "%-24s %12s %9d %9d %12s %12s %12s %7d  %s%s",
                    TextTable.clip(row.name(), 16) + ":" + row.pid(),
                    AuditText.time(row.runNs()),
                    row.switchesIn(),
                    row.wakeups(),
                    row.delays() == 0 ? "-" : AuditText.time(row.delayMeanNs()),
                    row.delays() == 0 ? "-" : AuditText.time(row.delayMaxNs()),
                    AuditText.time(row.preemptedNs()),
                    row.migrations(),
                    row.seenOn(),
                    row.cutOff() ? " (waits at the end)" : "");
        }
        out.line("");
    }

    void cpus() {
        out.line("%-6s %12s %8s %9s", "cpu", "busy", "share", "switches");
        for (AuditResult.CpuRow row : result.cpuRows()) {
            out.line(
                    "%-6d %12s %8s %9d",
                    row.cpu(), AuditText.time(row.busyNs()), TextTable.share(row.utilisation()), row.switches());
        }
        out.line("");
    }
}
