package dev.perch.audit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The answer to whether the scheduler is hurting, where and how much: verdicts ranked by what their wakeups cost. */
final class AuditAnswer {
    private final AuditResult result;

    AuditAnswer(AuditResult result) {
        this.result = result;
    }

    /** What the wakeups of a verdict cost: by the machine's costs where they are known, else the measured queueing. */
    private long cost(Verdict verdict) {
        WakeupTotals wakeups = result.wakeups();
        boolean priced = verdict != Verdict.FULL && wakeups.costKnown(verdict) > 0;
        return Math.max(0, priced ? wakeups.costNs(verdict) : wakeups.queueingNs(verdict));
    }

    /** Faults, and {@code full}, that occur, the costliest first. */
    List<Verdict> ranked() {
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

    /** The answer in one sentence. */
    String sentence() {
        WakeupTotals wakeups = result.wakeups();
        if (wakeups.count() == 0) {
            return "Whether the scheduler is hurting cannot be told: the recording has no wakeups.";
        }
        if (wakeups.placed() == 0) {
            return String.format(
                    Locale.ROOT,
                    "Whether the scheduler is hurting cannot be told: none of the %d wakeups can be judged (%s).",
                    wakeups.count(),
                    mainReason());
        }
        if (wakeups.of(Verdict.UNKNOWN) > wakeups.placed()) {
            return String.format(
                    Locale.ROOT,
                    "Whether the scheduler is hurting can hardly be told: only %d of %d wakeups can be judged (%s).",
                    wakeups.placed(),
                    wakeups.count(),
                    mainReason());
        }
        List<Verdict> ranked = ranked().stream().filter(Verdict::isFault).toList();
        long total = ranked.stream().mapToLong(this::cost).sum();
        long time = result.system().durationNs() * Math.max(1, result.cpuCount());
        boolean hurts = total * 1000 > time;
        if (ranked.isEmpty() || total == 0) {
            return String.format(
                    Locale.ROOT,
                    "The scheduler is not hurting: no wakeup of the %d placed ones waited while a better CPU was idle%s.",
                    wakeups.placed(),
                    ranked.isEmpty() ? "" : ", though " + faultCount(ranked) + " could have gone to a better one");
        }
        Verdict worst = ranked.getFirst();
        return String.format(
                Locale.ROOT,
                "%s: wakeups that were placed badly cost %s in %s (%s of all CPU time), most of it %s in %d wakeups %s.",
                hurts ? "The scheduler is hurting" : "The scheduler is hardly hurting",
                AuditText.time(total),
                AuditText.time(result.system().durationNs()),
                TextTable.percentOf(total, time),
                AuditText.time(cost(worst)),
                wakeups.of(worst),
                worst.text());
    }

    private long faultCount(List<Verdict> verdicts) {
        return verdicts.stream().mapToLong(result.wakeups()::of).sum();
    }

    /** Why wakeups could not be judged, for the most part. */
    String mainReason() {
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
}
