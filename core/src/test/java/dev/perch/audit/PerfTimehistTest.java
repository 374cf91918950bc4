package dev.perch.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.model.TaskNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Run times and delays against what {@code perf sched timehist} prints for the same recordings of a real machine: one row for each time that
 * a task leaves a CPU, with its wait, its delay and its run, cut to whole microseconds.
 *
 * <p>perf forgets the delay of a task that was woken while it was still on its CPU; the audit counts it from the moment at which the task
 * left, and that part is left out here. Every other deviation is listed.
 */
class PerfTimehistTest {
    private static final String RUNS_AT_THE_END =
            "it runs when the recording ends: perf shows the wait before a run only once the run has ended";
    private static final String SWITCHES_MISSING =
            "switches to or from it are missing from the recording: perf takes all that passes between two switches of a CPU"
                    + " for a run of the task that is switched from, the audit knows of no run whose beginning was not recorded";
    private static final String PID_FORGOTTEN =
            "the last run of a task that has ended: perf has forgotten its pid and shows the row as that of task -1";

    /** Where the two differ, and why. */
    private static final Map<String, Map<Integer, String>> DEVIATIONS = Map.of(
            "host-hackbench-pipe", Map.of(26617, RUNS_AT_THE_END),
            "host-messaging",
                    Map.of(
                            26687, SWITCHES_MISSING,
                            26694, RUNS_AT_THE_END,
                            26699, SWITCHES_MISSING,
                            26710, SWITCHES_MISSING),
            "host-mutex",
                    Map.of(
                            -1, PID_FORGOTTEN,
                            15, SWITCHES_MISSING,
                            54, SWITCHES_MISSING,
                            26841, SWITCHES_MISSING,
                            26846, SWITCHES_MISSING,
                            26848, PID_FORGOTTEN,
                            26849, PID_FORGOTTEN),
            "6.12-hackbench", Map.of(-1, PID_FORGOTTEN, 536, RUNS_AT_THE_END, 563, PID_FORGOTTEN, 568, PID_FORGOTTEN),
            "6.1-pipe-bound", Map.of(799, RUNS_AT_THE_END));

    @ParameterizedTest
    @CsvSource({
        "host-hackbench-pipe, 29",
        "host-messaging, 68",
        "host-mutex, 13",
        "6.12-hackbench, 48",
        "6.1-pipe-bound, 22"
    })
    void runTimesAndDelaysAreThoseOfPerf(String name, int tasks) {
        TaskNames names = new TaskNames();
        Audit audit = new Audit(AuditOptions.of(null), names);
        Map<Integer, Long> wokenOnCpu = new TreeMap<>();
        audit.addConsumer(wakeup -> {
            if (wakeup.leftAfterWaking && wakeup.ran()) {
                wokenOnCpu.merge(wakeup.wakee(), wakeup.ranNs - wakeup.leftNs, Long::sum);
            }
        });
        Map<Integer, AuditResult.TaskRow> ours =
                PerfSched.audit(audit, names, PerfSched.recorded(name)).taskRows().stream()
                        .collect(Collectors.toMap(AuditResult.TaskRow::pid, row -> row, (a, b) -> a));
        Map<Integer, PerfSched.History> tasksOfPerf = PerfSched.history(name);
        Map<Integer, List<String>> deviations = new TreeMap<>();
        Map<Integer, PerfSched.Summary> summaries =
                PerfSched.summary(name).stream().collect(Collectors.toMap(PerfSched.Summary::pid, row -> row));
        for (Map.Entry<Integer, PerfSched.History> entry : tasksOfPerf.entrySet()) {
            int pid = entry.getKey();
            PerfSched.History perf = entry.getValue();
            AuditResult.TaskRow row = ours.get(pid);
            List<String> wrong = new ArrayList<>();
            if (row == null) {
                wrong.add("not audited");
            } else {
                // each of perf's rows is cut to a microsecond
                check(wrong, "run", perf.runUs, row.runNs(), perf.rows);
                PerfSched.Summary summary = summaries.get(pid);
                if (summary != null) {
                    check(wrong, "run in the summary", summary.runUs(), row.runNs(), 1);
                    // the first run may have begun before the recording, the last may not have ended
                    if (Math.abs(summary.runs() - row.switchesIn()) > 1) {
                        wrong.add("runs perf " + summary.runs() + ", audit " + row.switchesIn());
                    }
                }
                long onlyOurs = wokenOnCpu.getOrDefault(pid, 0L);
                check(wrong, "delay", perf.delayUs, row.delaySumNs() - onlyOurs, perf.rows);
                if (onlyOurs == 0) {
                    check(wrong, "max", perf.delayMaxUs, row.delayMaxNs(), 1);
                }
                check(wrong, "wait", perf.waitUs, row.offCpuNs(), perf.rows);
            }
            if (!wrong.isEmpty()) {
                deviations.put(pid, wrong);
            }
        }
        assertThat(deviations.keySet())
                .as("%s", deviations)
                .isEqualTo(new TreeSet<>(DEVIATIONS.getOrDefault(name, Map.of()).keySet()));
        assertThat(tasksOfPerf).hasSize(tasks);
        assertThat(summaries).as("tasks with a summary").hasSizeGreaterThan(tasks - 4);
    }

    private static void check(List<String> wrong, String what, long perfUs, long ns, long cuts) {
        if (ns < perfUs * 1000 || ns > (perfUs + cuts) * 1000) {
            wrong.add(what + " perf " + perfUs + " us in " + cuts + " rows, audit " + ns + " ns");
        }
    }
}
