package dev.perch.audit;

import dev.perch.model.Distance;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** An audit's results as maps and lists, ready to be written as JSON; the keys are those of {@code docs/audit.md}. */
public final class AuditJson {
    private AuditJson() {}

    /** @param defects rows of {@code kind}, {@code severity}, {@code count} from the reader */
    public static Map<String, @Nullable Object> of(AuditResult result, List<? extends Map<String, ?>> defects) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        WakeupTotals wakeups = result.wakeups();
        json.put("schema", 1);
        json.put(
                "machine",
                result.options().machineName().isEmpty()
                        ? null
                        : result.options().machineName());
        json.put("answer", AuditText.sentence(result));
        json.put("events", result.counts().byName());
        json.put("lost", result.counts().lost());
        json.put("cpus", result.cpuCount());
        json.put("durationNs", result.system().durationNs());
        json.put("wakeups", wakeups.count());
        json.put("placed", wakeups.placed());
        json.put("newTasks", result.counts().wakeupNew);
        Map<String, Long> placements = new LinkedHashMap<>();
        for (Certainty certainty : Certainty.values()) {
            placements.put(certainty.word(), wakeups.of(certainty));
        }
        json.put("placements", placements);
        json.put("verdicts", verdicts(wakeups));
        json.put("faults", faults(wakeups));
        json.put("costNs", costs(wakeups));
        json.put("unknown", reasons(wakeups));
        json.put("latencyNs", percentiles(wakeups.latencies()));
        json.put("runDelayNs", percentiles(result.system().runDelays()));
        json.put("ipi", ipis(wakeups));
        json.put("ipis", result.counts().hasIpis() ? result.counts().ipis() : null);
        json.put("idleWhileQueuedNs", result.system().idleWhileQueuedNs());
        json.put("foundNothing", wakeups.foundNothing());
        json.put("wakerToChosen", distances(wakeups::fromWaker));
        json.put("prevToChosen", distances(wakeups::fromPrev));
        Map<String, Long> migrations = distances(result.system()::migrations);
        if (result.system().migrationsUnknown() > 0) {
            migrations.put("unknown", result.system().migrationsUnknown());
        }
        json.put("migrations", migrations);
        json.put("cutOff", Map.of("start", result.system().waitsCutAtStart(), "end", result.waitsCutAtEnd()));
        json.put("pairs", pairs(result));
        json.put("tasks", result.taskRows());
        json.put("perCpu", result.cpuRows());
        json.put("hints", AuditHints.of(result));
        json.put("defects", defects);
        return json;
    }

    private static Map<String, Long> verdicts(WakeupTotals wakeups) {
        Map<String, Long> map = new LinkedHashMap<>();
        for (Verdict verdict : Verdict.all()) {
            map.put(verdict.word(), wakeups.of(verdict));
        }
        return map;
    }

    private static Map<String, Long> faults(WakeupTotals wakeups) {
        Map<String, Long> map = new LinkedHashMap<>();
        for (Verdict verdict : Verdict.all()) {
            if (verdict.isFault()) {
                map.put(verdict.word(), wakeups.withFault(verdict));
            }
        }
        return map;
    }

    private static Map<String, @Nullable Object> costs(WakeupTotals wakeups) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (Verdict verdict : Verdict.all()) {
            map.put(verdict.word(), wakeups.costKnown(verdict) == 0 ? null : wakeups.costNs(verdict));
        }
        return map;
    }

    private static Map<String, Long> reasons(WakeupTotals wakeups) {
        Map<String, Long> map = new LinkedHashMap<>();
        for (UnknownReason reason : UnknownReason.values()) {
            if (reason != UnknownReason.NONE && wakeups.of(reason) > 0) {
                map.put(reason.text(), wakeups.of(reason));
            }
        }
        return map;
    }

    private static Map<String, Long> ipis(WakeupTotals wakeups) {
        Map<String, Long> map = new LinkedHashMap<>();
        for (Answer answer : Answer.values()) {
            map.put(answer.word(), wakeups.of(answer));
        }
        return map;
    }

    private static Map<String, @Nullable Object> percentiles(Histogram histogram) {
        boolean any = histogram.getTotalCount() > 0;
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("count", histogram.getTotalCount());
        map.put("p50", any ? histogram.getValueAtPercentile(50) : null);
        map.put("p90", any ? histogram.getValueAtPercentile(90) : null);
        map.put("p99", any ? histogram.getValueAtPercentile(99) : null);
        map.put("max", any ? histogram.getMaxValue() : null);
        return map;
    }

    private interface CountByDistance {
        long of(Distance distance);
    }

    private static Map<String, Long> distances(CountByDistance counts) {
        Map<String, Long> map = new LinkedHashMap<>();
        for (Distance distance : Distance.all()) {
            map.put(distance.word(), counts.of(distance));
        }
        return map;
    }

    private static List<Map<String, @Nullable Object>> pairs(AuditResult result) {
        List<Pair> pairs = result.pairs().mostWakeups();
        PairAdvice advice = new PairAdvice(pairs, result.switchNs());
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        for (Pair pair : pairs) {
            Map<String, @Nullable Object> row = new LinkedHashMap<>();
            boolean task = pair.wakerSlot() >= 0;
            row.put("waker", task ? result.tasks().pid(pair.wakerSlot()) : null);
            row.put("wakerComm", task ? result.tasks().name(pair.wakerSlot()) : "(interrupt)");
            row.put("wakee", result.tasks().pid(pair.wakeeSlot()));
            row.put("wakeeComm", result.tasks().name(pair.wakeeSlot()));
            row.put("wakeups", pair.wakeups());
            row.put("synchronous", pair.synchronous() < 0 ? null : pair.synchronous());
            row.put("overlap", pair.overlap() < 0 ? null : pair.overlap());
            row.put("moves", pair.moves());
            Map<String, @Nullable Object> latencies = new LinkedHashMap<>();
            for (Distance distance : Distance.all()) {
                long mean = pair.latencyNs(distance);
                if (mean >= 0) {
                    latencies.put(distance.word(), mean);
                }
            }
            row.put("latencyNs", latencies);
            String suggestion = advice.of(pair);
            row.put("suggestion", suggestion.isEmpty() ? null : suggestion);
            rows.add(row);
        }
        return rows;
    }
}
