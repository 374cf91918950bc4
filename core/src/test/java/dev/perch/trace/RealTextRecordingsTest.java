package dev.perch.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.model.TaskNames;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Recordings of real kernels. The counts were taken with grep, and are those that perf and trace-cmd reported for the same recordings where
 * they report any.
 */
class RealTextRecordingsTest {
    @ParameterizedTest
    @CsvSource({
        "6.1-idle.trace.txt.zst, FTRACE_TEXT, 58, 26, 26, 3, 1, 3, 3, 3, 184, 25, 0",
        "6.12-pipe1-bound0.trace.txt.zst, FTRACE_TEXT, 1530, 779, 779, 4, 4, 4, 4, 4, 266, 70, 0",
        "6.18-sysbench-mutex.ftrace.txt, FTRACE_TEXT, 32, 14, 14, 8, 6, 8, 4, 8, 20, 0, 0",
        "6.18-hackbench-pipe.ftrace.txt.zst, FTRACE_TEXT, 54, 26, 26, 20, 22, 20, 4, 20, 15, 0, 0",
        "6.18-hackbench-pipe.script.txt.zst, PERF_SCRIPT, 309, 243, 0, 19, 20, 19, 0, 0, 0, 0, 547",
        "6.18-hackbench-pipe.script-ns.txt.zst, PERF_SCRIPT, 309, 243, 0, 19, 20, 19, 0, 0, 0, 0, 547",
        "6.12-pipe1.report.txt.zst, TRACE_CMD_REPORT, 3088, 1540, 1540, 3, 1, 3, 3, 4, 0, 0, 1648",
        "6.12-hackbench-pipe.report.txt.zst, TRACE_CMD_REPORT, 779, 423, 423, 34, 32, 34, 3, 35, 0, 0, 906",
        "6.12-hackbench-pipe.report-raw.txt.zst, TRACE_CMD_REPORT, 614, 332, 329, 34, 26, 34, 3, 15, 0, 0, 694",
        "6.1-pipe1.report-default--ts-diff.txt.zst, TRACE_CMD_REPORT, 396, 195, 195, 3, 0, 3, 3, 1, 0, 0, 301"
    })
    void hasTheEventsThatOtherToolsCount(
            String file,
            RecordingFormat format,
            long switches,
            long wakings,
            long wakeups,
            long newWakeups,
            long migrations,
            long forks,
            long execs,
            long exits,
            long idles,
            long interrupts,
            long runtimes) {
        RecordingSummary summary = Reads.bytes(Reads.resource(file));

        assertThat(summary.format()).isEqualTo(format);
        assertThat(summary.count(EventKind.SWITCH)).isEqualTo(switches);
        assertThat(summary.count(EventKind.WAKING)).isEqualTo(wakings);
        assertThat(summary.count(EventKind.WAKEUP)).isEqualTo(wakeups);
        assertThat(summary.count(EventKind.WAKEUP_NEW)).isEqualTo(newWakeups);
        assertThat(summary.count(EventKind.MIGRATE)).isEqualTo(migrations);
        assertThat(summary.count(EventKind.FORK)).isEqualTo(forks);
        assertThat(summary.count(EventKind.EXEC)).isEqualTo(execs);
        assertThat(summary.count(EventKind.EXIT)).isEqualTo(exits);
        assertThat(summary.count(EventKind.CPU_IDLE)).isEqualTo(idles);
        assertThat(summary.count(EventKind.RESCHEDULE_IPI) + summary.count(EventKind.CALL_FUNCTION_IPI))
                .isEqualTo(interrupts);
        assertThat(summary.count(EventKind.STAT_RUNTIME)).isEqualTo(runtimes);
        assertThat(summary.lost()).isZero();
        assertThat(summary.defects().all())
                .extracting(Defects.Defect::kind)
                .isSubsetOf(DefectKind.ASSUMED_STATE_NUMBERS);
    }

    @Test
    void countsWhatItSkips() {
        assertThat(Reads.bytes(Reads.resource("6.12-hackbench-pipe.report.txt.zst"))
                        .skipped())
                .containsOnly(
                        java.util.Map.entry("sched_prepare_exec", 3L),
                        java.util.Map.entry("sched_process_wait", 36L),
                        java.util.Map.entry("sched_stat_blocked", 30L),
                        java.util.Map.entry("sched_stat_sleep", 378L),
                        java.util.Map.entry("sched_stat_wait", 748L));
    }

    /** The kernel's print formats, the plugins' short form and raw numbers, printed by trace-cmd from one file. */
    @ParameterizedTest
    @CsvSource({"-N", "-R", "-l", "-t", "--ts-diff"})
    void readsTheSameFromEveryWayOfPrinting(String option) {
        List<String> usual = comparable("6.1-pipe1.report-default.txt.zst");
        assertThat(comparable("6.1-pipe1.report-default" + option + ".txt.zst")).isEqualTo(usual);
    }

    /** Without times, which differ by rounding, and the context, which not every option prints; R and R+ are one. */
    private static List<String> comparable(String file) {
        EventLog log = new EventLog();
        Reads.bytes(Reads.resource(file), log, new TaskNames());
        return log.lines().stream()
                .map(line -> line.replaceFirst("ns=\\S+", "").replaceFirst("^((?:wak\\S+)  \\S+ \\S+) \\d", "$1 ?"))
                .toList();
    }

    @Test
    void perfsTwoPrecisionsAreOneRecording() {
        EventLog micros = new EventLog();
        EventLog nanos = new EventLog();
        TaskNames names = new TaskNames();
        Reads.bytes(Reads.resource("6.18-hackbench-pipe.script.txt.zst"), micros, names);
        Reads.bytes(Reads.resource("6.18-hackbench-pipe.script-ns.txt.zst"), nanos, new TaskNames());
        assertThat(nanos.lines().stream()
                        .map(line -> line.replaceFirst("ns=(\\d+)\\d{3} ", "ns=$1000 "))
                        .toList())
                .isEqualTo(micros.lines());
        assertThat(names.nameOf(26588)).isEqualTo("C2 CompilerThre");
    }
}
