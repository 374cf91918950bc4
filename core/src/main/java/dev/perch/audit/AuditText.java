package dev.perch.audit;

import dev.perch.model.Distance;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** The page of text that {@code perch audit} prints: the answer first, then the tables. */
public final class AuditText {
    private static final int TOP = 10;

    private final AuditResult result;
    private final StringBuilder out = new StringBuilder();

    private AuditText(AuditResult result) {
        this.result = result;
    }

    /** The whole page. */
    public static String page(AuditResult result) {
        AuditText text = new AuditText(result);
        text.answer();
        text.hints();
        text.overview();
        text.verdicts();
        text.latencies();
        text.pairs(TOP);
        text.tasks(TOP);
        return text.out.toString();
    }

    /** The answer to whether the scheduler is hurting, where and how much, in one sentence. */
    public static String sentence(AuditResult result) {
        AuditText text = new AuditText(result);
        text.answer();
        return text.out.toString().strip();
    }

    /** All pairs. */
    public static String pairTable(AuditResult result) {
        AuditText text = new AuditText(result);
        text.pairs(Integer.MAX_VALUE);
        return text.out.toString();
    }

    /** All tasks. */
    public static String taskTable(AuditResult result) {
        AuditText text = new AuditText(result);
        text.tasks(Integer.MAX_VALUE);
        return text.out.toString();
    }

    /** All CPUs. */
    public static String cpuTable(AuditResult result) {
        AuditText text = new AuditText(result);
        text.cpus();
        return text.out.toString();
    }

    /** A duration in the unit that reads best. */
    public static String time(long ns) {
        long magnitude = Math.abs(ns);
        if (magnitude < 1_000) {
            return ns + " ns";
        }
        if (magnitude < 1_000_000) {
            return String.format(Locale.ROOT, "%.1f µs", ns / 1e3);
        }
        if (magnitude < 1_000_000_000) {
            return String.format(Locale.ROOT, "%.1f ms", ns / 1e6);
        }
        return String.format(Locale.ROOT, "%.2f s", ns / 1e9);
    }

    private void line(String format, Object... arguments) {
        out.append(String.format(Locale.ROOT, format, arguments).stripTrailing())
                .append('\n');
    }

    private static String percent(long part, long whole) {
        return whole == 0 ? "-" : String.format(Locale.ROOT, "%.1f %%", 100.0 * part / whole);
    }

    /** What the wakeups of a verdict cost: by the machine's costs where they are known, else the measured queueing. */
    private long cost(Verdict verdict) {
        WakeupTotals wakeups = result.wakeups();
        boolean priced = verdict != Verdict.FULL && wakeups.costKnown(verdict) > 0;
        return Math.max(0, priced ? wakeups.costNs(verdict) : wakeups.queueingNs(verdict));
    }

    private List<Verdict> ranked() {
        List<Verdict> faults = new ArrayList<>();
        for (Verdict verdict : Verdict.all()) {
            if ((verdict.isFault() || verdict == Verdict.FULL)
                    && result.wakeups().of(verdict) > 0) {
                faults.add(verdict);
            }
        }
        faults.sort(Comparator.comparingLong(this::cost).reversed());
        return faults;
    }

    private void answer() {
        WakeupTotals wakeups = result.wakeups();
        if (wakeups.count() == 0) {
            line("Whether the scheduler is hurting cannot be told: the recording has no wakeups.");
            return;
        }
        if (wakeups.placed() == 0) {
            line(
                    "Whether the scheduler is hurting cannot be told: none of the %d wakeups can be judged (%s).",
                    wakeups.count(), mainReason());
            return;
        }
        if (wakeups.of(Verdict.UNKNOWN) > wakeups.placed()) {
            line(
                    "Whether the scheduler is hurting can hardly be told: only %d of %d wakeups can be judged (%s).",
                    wakeups.placed(), wakeups.count(), mainReason());
            return;
        }
        List<Verdict> ranked = ranked().stream().filter(Verdict::isFault).toList();
        long total = ranked.stream().mapToLong(this::cost).sum();
        long time = result.system().durationNs() * Math.max(1, result.cpuCount());
        boolean hurts = total * 1000 > time;
        if (ranked.isEmpty() || total == 0) {
            line(
                    "The scheduler is not hurting: no wakeup of the %d placed ones waited while a better CPU was idle%s.",
                    wakeups.placed(),
                    ranked.isEmpty() ? "" : ", though " + faultCount(ranked) + " could have gone to a better one");
            return;
        }
        Verdict worst = ranked.getFirst();
        line(
                "%s: wakeups that were placed badly cost %s in %s (%s of all CPU time), most of it %s in %d wakeups %s.",
                hurts ? "The scheduler is hurting" : "The scheduler is hardly hurting",
                time(total),
                time(result.system().durationNs()),
                percentOf(total, time),
                time(cost(worst)),
                wakeups.of(worst),
                worst.text());
    }

    private static String percentOf(long part, long whole) {
        return whole == 0 ? "-" : String.format(Locale.ROOT, "%.2f %%", 100.0 * part / whole);
    }

    private long faultCount(List<Verdict> verdicts) {
        return verdicts.stream().mapToLong(result.wakeups()::of).sum();
    }

    private String mainReason() {
        UnknownReason main = UnknownReason.NONE;
        for (UnknownReason reason : UnknownReason.values()) {
            if (reason != UnknownReason.NONE
                    && (main == UnknownReason.NONE
                            || result.wakeups().of(reason) > result.wakeups().of(main))) {
                main = reason;
            }
        }
        return result.wakeups().of(main) == 0
                ? "the kernel had no choice in any of them"
                : main.text() + (main == UnknownReason.TOPOLOGY ? "; name the machine with --machine" : "");
    }

    private void hints() {
        for (String hint : AuditHints.of(result)) {
            line("Hint: %s", hint);
        }
        line("");
    }

    private void overview() {
        EventCounts counts = result.counts();
        SystemMeter system = result.system();
        WakeupTotals wakeups = result.wakeups();
        line(
                "%s on %d CPUs%s: %d switches, %d wakeups (%d placed), %d migrations, %d new tasks, %d events lost",
                time(system.durationNs()),
                result.cpuCount(),
                result.options().machineName().isEmpty()
                        ? ""
                        : " (" + result.options().machineName() + ")",
                counts.switches(),
                wakeups.count(),
                wakeups.placed(),
                counts.migrate(),
                counts.wakeupNew,
                counts.lost());
        line(
                "chosen CPU: %d exact, %d derived, %d unknown; affinity assumed for %d placed wakeups",
                wakeups.of(Certainty.EXACT),
                wakeups.of(Certainty.DERIVED),
                wakeups.of(Certainty.UNKNOWN),
                wakeups.assumedAffinity());
        line(
                "idle while others queued: %s of %s; searches that found nothing idle: %s; IPIs: %s",
                percentOf(system.idleWhileQueuedNs(), system.durationNs()),
                time(system.durationNs()),
                percent(wakeups.foundNothing(), wakeups.placed()),
                counts.hasIpis() && system.durationNs() > 0
                        ? String.format(Locale.ROOT, "%.0f/s", counts.ipis() * 1e9 / system.durationNs())
                        : "not recorded");
        line(
                "waits cut off: %d at the start, %d at the end of the recording; switches missing without notice: %d",
                system.waitsCutAtStart(), result.waitsCutAtEnd(), counts.gaps());
        line("");
    }

    private void verdicts() {
        WakeupTotals wakeups = result.wakeups();
        line("%-16s %9s %7s %12s %12s %12s  %s", "verdict", "wakeups", "share", "queueing", "cost", "mean wait", "");
        List<Verdict> rows = new ArrayList<>(ranked());
        for (Verdict verdict : Verdict.all()) {
            if (!rows.contains(verdict) && wakeups.of(verdict) > 0) {
                rows.add(verdict);
            }
        }
        for (Verdict verdict : rows) {
            long mean = wakeups.meanLatencyNs(verdict);
            line(
                    "%-16s %9d %7s %12s %12s %12s  %s",
                    verdict.word(),
                    wakeups.of(verdict),
                    percent(wakeups.of(verdict), wakeups.count()),
                    time(wakeups.queueingNs(verdict)),
                    wakeups.costKnown(verdict) == 0 ? "-" : time(wakeups.costNs(verdict)),
                    mean < 0 ? "-" : time(mean),
                    verdict == Verdict.UNKNOWN ? mainReason() : verdict.text());
        }
        line("");
    }

    private void latencies() {
        line("%-16s %9s %10s %10s %10s %10s", "", "count", "p50", "p90", "p99", "max");
        histogram("wakeup latency", result.wakeups().latencies());
        histogram("run delay", result.system().runDelays());
        line("");
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
        line("migrations by distance: %s", moved.isEmpty() ? "none" : moved);
        line("");
    }

    private void histogram(String name, Histogram histogram) {
        if (histogram.getTotalCount() == 0) {
            line("%-16s %9d", name, 0);
            return;
        }
        line(
                "%-16s %9d %10s %10s %10s %10s",
                name,
                histogram.getTotalCount(),
                time(histogram.getValueAtPercentile(50)),
                time(histogram.getValueAtPercentile(90)),
                time(histogram.getValueAtPercentile(99)),
                time(histogram.getMaxValue()));
    }

    private void pairs(int limit) {
        List<Pair> pairs = result.pairs().mostWakeups();
        if (pairs.isEmpty()) {
            return;
        }
        PairAdvice advice = new PairAdvice(pairs, result.switchNs());
        line(
                "%-24s %-24s %9s %6s %8s %6s %10s %10s %10s %10s",
                "waker", "wakee", "wakeups", "sync", "overlap", "moves", "same CPU", "SMT", "LLC", "farther");
        int shown = 0;
        for (Pair pair : pairs) {
            if (shown++ == limit) {
                line("... %d more pairs: --pairs", pairs.size() - limit);
                break;
            }
            line(
                    "%-24s %-24s %9d %6s %8s %6d %10s %10s %10s %10s",
                    task(pair.wakerSlot()),
                    task(pair.wakeeSlot()),
                    pair.wakeups(),
                    share(pair.synchronous()),
                    share(pair.overlap()),
                    pair.moves(),
                    mean(pair, Distance.CPU, Distance.CPU),
                    mean(pair, Distance.SMT, Distance.SMT),
                    mean(pair, Distance.CLUSTER, Distance.LLC),
                    mean(pair, Distance.PACKAGE, Distance.REMOTE));
            String suggestion = advice.of(pair);
            if (!suggestion.isEmpty()) {
                line("    %s", suggestion);
            }
        }
        line("");
    }

    private static String share(double value) {
        return value < 0 ? "-" : String.format(Locale.ROOT, "%.0f %%", 100 * value);
    }

    private static String mean(Pair pair, Distance from, Distance to) {
        long count = 0;
        long sum = 0;
        for (int i = from.ordinal(); i <= to.ordinal(); i++) {
            count += pair.latencies()[i];
            sum += pair.latencySumNs()[i];
        }
        return count == 0 ? "-" : time(sum / count);
    }

    private String task(int slot) {
        if (slot < 0) {
            return "(interrupt)";
        }
        return clip(result.tasks().name(slot), 16) + ":" + result.tasks().pid(slot);
    }

    private static String clip(String name, int length) {
        StringBuilder clean = new StringBuilder();
        name.codePoints().limit(length).forEach(c -> clean.appendCodePoint(Character.isISOControl(c) ? '\uFFFD' : c));
        return clean.toString();
    }

    private void tasks(int limit) {
        List<AuditResult.TaskRow> rows = result.taskRows();
        line(
                "%-24s %12s %9s %9s %12s %12s %12s %7s  %s",
                "task", "run time", "switches", "wakeups", "mean delay", "max delay", "preempted", "moves", "CPUs");
        int shown = 0;
        for (AuditResult.TaskRow row : rows) {
            if (shown++ == limit) {
                line("... %d more tasks: --tasks", rows.size() - limit);
                break;
            }
            line(
                    "%-24s %12s %9d %9d %12s %12s %12s %7d  %s%s",
                    clip(row.name(), 16) + ":" + row.pid(),
                    time(row.runNs()),
                    row.switchesIn(),
                    row.wakeups(),
                    row.delays() == 0 ? "-" : time(row.delayMeanNs()),
                    row.delays() == 0 ? "-" : time(row.delayMaxNs()),
                    time(row.preemptedNs()),
                    row.migrations(),
                    row.seenOn(),
                    row.cutOff() ? " (waits at the end)" : "");
        }
        line("");
    }

    private void cpus() {
        line("%-6s %12s %8s %9s", "cpu", "busy", "share", "switches");
        for (AuditResult.CpuRow row : result.cpuRows()) {
            line("%-6d %12s %8s %9d", row.cpu(), time(row.busyNs()), share(row.utilisation()), row.switches());
        }
        line("");
    }
}
