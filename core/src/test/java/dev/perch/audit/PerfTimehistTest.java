package dev.perch.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.model.TaskNames;
import dev.perch.trace.Recording;
import dev.perch.trace.Recordings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Run times and delays against what {@code perf sched timehist} prints for the same recordings of a real machine: one row for each time that
 * a task leaves a CPU, with its wait, its delay and its run, cut to whole microseconds.
 *
 * <p>perf forgets the delay of a task that was woken while it was still on its CPU, and takes what passes between two switches of a CPU
 * for a run of the task that is switched from, even if the switch to it is missing from the recording (here: some from the idle thread).
 * It also differs where its own bookkeeping does: it shows no row for what runs at the end, counts no run that began before the first
 * switch of a CPU, and loses the pid of tasks that have ended (row {@code :-1}), so that those are left out here.
 */
class PerfTimehistTest {
    private static final Pattern ROW =
            Pattern.compile("^\\s+(\\d+)\\.(\\d{6}) \\[(\\d+)\\]\\s+(.*?)\\[(-?\\d+)(?:/-?\\d+)?\\]\\s+"
                    + "(\\d+)\\.(\\d{3})\\s+(\\d+)\\.(\\d{3})\\s+(\\d+)\\.(\\d{3})\\s+next:.*$");

    private static Path resource(String name) {
        try {
            return Path.of(Objects.requireNonNull(PerfTimehistTest.class.getResource("/audit/" + name))
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    static final class Sum {
        long rows;
        long runUs;
        long delayUs;
        long delayMaxUs;
        long delays;
        long waitUs;
    }

    private static Map<Integer, Sum> perf(String name) {
        Map<Integer, Sum> sums = new TreeMap<>();
        List<String> lines;
        try {
            lines = Files.readAllLines(resource(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (String line : lines) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                Sum sum = sums.computeIfAbsent(Integer.parseInt(row.group(5)), pid -> new Sum());
                long delay = us(row, 8);
                sum.rows++;
                sum.waitUs += us(row, 6);
                sum.delayUs += delay;
                sum.delays += delay > 0 ? 1 : 0;
                sum.delayMaxUs = Math.max(sum.delayMaxUs, delay);
                sum.runUs += us(row, 10);
            }
        }
        return sums;
    }

    private static long us(Matcher row, int group) {
        return Long.parseLong(row.group(group)) * 1000 + Long.parseLong(row.group(group + 1));
    }

    /** Tasks whose switches are missing in part, so that perf takes time for their run that was not. */
    private static final Map<String, Set<Integer>> SWITCHES_MISSING =
            Map.of("host-hackbench-pipe", Set.of(), "host-messaging", Set.of(26687, 26699, 26710));

    @ParameterizedTest
    @CsvSource({"host-hackbench-pipe, 28", "host-messaging, 64"})
    void runTimesAndDelaysAreThoseOfPerf(String name, int tasks) {
        TaskNames names = new TaskNames();
        Audit audit = new Audit(AuditOptions.of(null), names);
        Map<Integer, Long> wokenOnCpu = new TreeMap<>();
        audit.addConsumer(wakeup -> {
            if (wakeup.leftAfterWaking && wakeup.ran()) {
                wokenOnCpu.merge(wakeup.wakee(), wakeup.ranNs - wakeup.leftNs, Long::sum);
            }
        });
        try (Recording recording = Recordings.open(resource(name + ".script-ns.txt.zst"))) {
            recording.read(audit.events(), names);
        }
        Map<Integer, AuditResult.TaskRow> ours = audit.finish().taskRows().stream()
                .collect(Collectors.toMap(AuditResult.TaskRow::pid, row -> row, (a, b) -> a));
        List<String> deviations = new ArrayList<>();
        int compared = 0;
        for (Map.Entry<Integer, Sum> entry : perf(name + ".timehist.txt").entrySet()) {
            int pid = entry.getKey();
            if (pid <= 0 || SWITCHES_MISSING.getOrDefault(name, Set.of()).contains(pid) || runsAtTheEnd(audit, pid)) {
                continue;
            }
            compared++;
            Sum perf = entry.getValue();
            AuditResult.TaskRow row = Objects.requireNonNull(ours.get(entry.getKey()), "task " + entry.getKey());
            // each of perf's rows is cut to a microsecond
            check(deviations, row, "run", perf.runUs, row.runNs(), perf.rows);
            long onlyOurs = wokenOnCpu.getOrDefault(entry.getKey(), 0L);
            check(deviations, row, "delay", perf.delayUs, row.delaySumNs() - onlyOurs, perf.rows);
            if (onlyOurs == 0) {
                check(deviations, row, "max", perf.delayMaxUs, row.delayMaxNs(), 1);
            }
            check(deviations, row, "wait", perf.waitUs, row.offCpuNs(), perf.rows);
        }
        assertThat(deviations).isEmpty();
        assertThat(compared).isEqualTo(tasks);
    }

    private static boolean runsAtTheEnd(Audit audit, int pid) {
        int slot = audit.tasks().find(pid);
        return slot >= 0 && audit.tasks().state[slot] == AuditTasks.RUNNING;
    }

    private static void check(
            List<String> deviations, AuditResult.TaskRow row, String what, long perfUs, long ns, long cuts) {
        if (ns < perfUs * 1000 || ns > (perfUs + cuts) * 1000) {
            deviations.add(row.name() + ":" + row.pid() + " " + what + " perf " + perfUs + " us in " + cuts
                    + " rows, audit " + ns + " ns" + (row.cutOff() ? " (cut off)" : ""));
        }
    }
}
