package dev.perch.audit;

import java.util.Locale;

/** The page of text that {@code perch audit} prints: the answer first, then the tables. */
public final class AuditText {
    private static final int TOP = 10;

    private final AuditResult result;
    private final TextTable out = new TextTable();
    private final AuditAnswer answer;
    private final AuditTables tables;

    private AuditText(AuditResult result) {
        this.result = result;
        answer = new AuditAnswer(result);
        tables = new AuditTables(result, answer, out);
    }

    /** The whole page. */
    public static String page(AuditResult result) {
        AuditText text = new AuditText(result);
        text.out.line("%s", text.answer.sentence());
        text.hints();
        text.overview();
        text.tables.verdicts();
        text.tables.latencies();
        text.tables.pairs(TOP);
        text.tables.tasks(TOP);
        return text.out.toString();
    }

    /** The answer to whether the scheduler is hurting, where and how much, in one sentence. */
    public static String sentence(AuditResult result) {
        return new AuditAnswer(result).sentence();
    }

    /** All pairs. */
    public static String pairTable(AuditResult result) {
        AuditText text = new AuditText(result);
        text.tables.pairs(Integer.MAX_VALUE);
        return text.out.toString();
    }

    /** All tasks. */
    public static String taskTable(AuditResult result) {
        AuditText text = new AuditText(result);
        text.tables.tasks(Integer.MAX_VALUE);
        return text.out.toString();
    }

    /** All CPUs. */
    public static String cpuTable(AuditResult result) {
        AuditText text = new AuditText(result);
        text.tables.cpus();
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

    private void hints() {
        for (String hint : AuditHints.of(result)) {
            out.line("Hint: %s", hint);
        }
        out.line("");
    }

    private void overview() {
        EventCounts counts = result.counts();
        SystemMeter system = result.system();
        WakeupTotals wakeups = result.wakeups();
        out.line(
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
        out.line(
                "chosen CPU: %d exact, %d derived, %d unknown; affinity assumed for %d placed wakeups",
                wakeups.of(Certainty.EXACT),
                wakeups.of(Certainty.DERIVED),
                wakeups.of(Certainty.UNKNOWN),
                wakeups.assumedAffinity());
        out.line(
                "idle while others queued: %s of %s; searches that found nothing idle: %s; IPIs: %s",
                TextTable.percentOf(system.idleWhileQueuedNs(), system.durationNs()),
                time(system.durationNs()),
                TextTable.percent(wakeups.foundNothing(), wakeups.placed()),
                counts.hasIpis() && system.durationNs() > 0
                        ? String.format(Locale.ROOT, "%.0f/s", counts.ipis() * 1e9 / system.durationNs())
                        : "not recorded");
        out.line(
                "waits cut off: %d at the start, %d at the end of the recording; switches missing without notice: %d",
                system.waitsCutAtStart(), result.waitsCutAtEnd(), counts.gaps());
        out.line("");
    }
}
