package dev.perch.audit;

import dev.perch.model.TaskNames;
import dev.perch.trace.Recording;
import dev.perch.trace.Recordings;
import io.airlift.compress.v3.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@code perf sched} 6.1 printed for recordings among the test resources, in its own units, and the audit of the same files. */
final class PerfSched {
    /** A row of {@code perf sched latency -p}. */
    record Latency(int pid, String name, long runUs, long waits, long meanUs, long maxUs) {}

    /** A row of {@code perf sched timehist -s}. */
    record Summary(int pid, String name, long runs, long runUs) {}

    /** What the rows of {@code perf sched timehist} for one task add up to; each time is cut to whole microseconds. */
    static final class History {
        long rows;
        long runUs;
        long delayUs;
        long delayMaxUs;
        long waitUs;
    }

    private static final Pattern LATENCY =
            Pattern.compile("^ {2}(.*):(\\d+) +\\| +(\\d+)\\.(\\d{3}) ms \\| +(\\d+) \\| avg: *(\\d+)\\.(\\d{3}) ms"
                    + " \\| max: *(\\d+)\\.(\\d{3}) ms \\|.*$");
    private static final Pattern SUMMARY =
            Pattern.compile("^ +(.*)\\[(-?\\d+)(?:/-?\\d+)?] +-?\\d+ +(\\d+) +(\\d+)\\.(\\d{3}) .*$");
    private static final Pattern HISTORY =
            Pattern.compile("^\\s+(\\d+)\\.(\\d{6}) \\[(\\d+)\\]\\s+(.*?)\\[(-?\\d+)(?:/-?\\d+)?\\]\\s+"
                    + "(\\d+)\\.(\\d{3})\\s+(\\d+)\\.(\\d{3})\\s+(\\d+)\\.(\\d{3})\\s+next:.*$");
    private static final Pattern SWITCHES = Pattern.compile("^Total number of context switches: (\\d+)$");

    private static final Pattern SCRIPT = Pattern.compile("^.* (\\d+)\\.(\\d+): +sched:(\\w+): (.*)$");
    private static final Pattern SWITCH =
            Pattern.compile("^.* prev_pid=(\\d+) .*prev_state=(\\S+) ==> .* next_pid=(\\d+) .*$");
    private static final Pattern WAKEUP_NEW = Pattern.compile("^.* pid=(\\d+) prio=.*$");

    /** Waits of each task, ns: those of new tasks, and those of tasks that were preempted ({@code R+}). */
    record Waits(Map<Integer, LongSummaryStatistics> ofNew, Map<Integer, LongSummaryStatistics> ofPreempted) {}

    private PerfSched() {}

    static Path resource(String name) {
        try {
            return Path.of(Objects.requireNonNull(PerfSched.class.getResource(name), name)
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> lines(String name) {
        try (InputStream raw = Objects.requireNonNull(PerfSched.class.getResourceAsStream(name), name);
                InputStream in = name.endsWith(".zst") ? new ZstdInputStream(raw) : raw) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long us(Matcher row, int group) {
        return Long.parseLong(row.group(group)) * 1000 + Long.parseLong(row.group(group + 1));
    }

    static List<Latency> latency(String recording) {
        List<Latency> rows = new ArrayList<>();
        for (String line : lines("/audit/" + recording + ".latency-p.txt")) {
            Matcher row = LATENCY.matcher(line);
            if (row.matches()) {
                rows.add(new Latency(
                        Integer.parseInt(row.group(2)),
                        row.group(1),
                        us(row, 3),
                        Long.parseLong(row.group(5)),
                        us(row, 6),
                        us(row, 8)));
            }
        }
        return rows;
    }

    static List<Summary> summary(String recording) {
        List<Summary> rows = new ArrayList<>();
        for (String line : lines("/audit/" + recording + ".timehist-summary.txt")) {
            Matcher row = SUMMARY.matcher(line);
            if (row.matches()) {
                rows.add(new Summary(
                        Integer.parseInt(row.group(2)),
                        row.group(1).strip(),
                        Long.parseLong(row.group(3)),
                        us(row, 4)));
            }
        }
        return rows;
    }

    /** How many context switches {@code perf sched timehist -s} counted. */
    static long switches(String recording) {
        for (String line : lines("/audit/" + recording + ".timehist-summary.txt")) {
            Matcher row = SWITCHES.matcher(line);
            if (row.matches()) {
                return Long.parseLong(row.group(1));
            }
        }
        throw new IllegalStateException(recording);
    }

    static Map<Integer, History> history(String recording) {
        Map<Integer, History> tasks = new TreeMap<>();
        for (String line : lines("/audit/" + recording + ".timehist.txt.zst")) {
            Matcher row = HISTORY.matcher(line);
            if (row.matches()) {
                History task = tasks.computeIfAbsent(Integer.parseInt(row.group(5)), pid -> new History());
                long delay = us(row, 8);
                task.rows++;
                task.waitUs += us(row, 6);
                task.delayUs += delay;
                task.delayMaxUs = Math.max(task.delayMaxUs, delay);
                task.runUs += us(row, 10);
            }
        }
        return tasks;
    }

    /** By the text that {@code perf script} prints. */
    static Waits waits(String recording) {
        Map<Integer, LongSummaryStatistics> ofNew = new TreeMap<>();
        Map<Integer, LongSummaryStatistics> ofPreempted = new TreeMap<>();
        Map<Integer, Long> newSince = new HashMap<>();
        Map<Integer, Long> preemptedSince = new HashMap<>();
        String file = recorded(recording).toString().contains("audit/host")
                ? "/audit/" + recording + ".script-ns.txt.zst"
                : "/recordings/" + recording.replace("host", "6.18") + ".perf-script.txt.zst";
        for (String line : lines(file)) {
            Matcher record = SCRIPT.matcher(line);
            if (!record.matches()) {
                continue;
            }
            long ns = Long.parseLong(record.group(1) + (record.group(2) + "000").substring(0, 9));
            Matcher switched = SWITCH.matcher(record.group(4));
            Matcher woken = WAKEUP_NEW.matcher(record.group(4));
            if (record.group(3).equals("sched_switch") && switched.matches()) {
                int next = Integer.parseInt(switched.group(3));
                end(newSince, next, ns, ofNew);
                end(preemptedSince, next, ns, ofPreempted);
                if (switched.group(2).equals("R+")) {
                    preemptedSince.put(Integer.parseInt(switched.group(1)), ns);
                }
            } else if (record.group(3).equals("sched_wakeup_new") && woken.matches()) {
                newSince.put(Integer.parseInt(woken.group(1)), ns);
            }
        }
        return new Waits(ofNew, ofPreempted);
    }

    private static void end(Map<Integer, Long> since, int pid, long ns, Map<Integer, LongSummaryStatistics> to) {
        Long began = since.remove(pid);
        if (began != null) {
            to.computeIfAbsent(pid, key -> new LongSummaryStatistics()).accept(ns - began);
        }
    }

    /** The recording that the other files were made of. */
    static Path recorded(String recording) {
        return resource(
                switch (recording) {
                    case "6.12-hackbench", "6.1-pipe-bound" -> "/recordings/" + recording + ".perf.data.zst";
                    case "host-mutex" -> "/recordings/6.18-mutex.perf.data.zst";
                    default -> "/audit/" + recording + ".perf.data.zst";
                });
    }

    static AuditResult audit(Audit audit, TaskNames names, Path file) {
        try (Recording read = Recordings.open(file)) {
            read.read(audit.events(), names);
        }
        return audit.finish();
    }
}
