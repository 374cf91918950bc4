package dev.perch.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.model.TaskNames;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events and wakeups are as many as other tools count in the same files. */
class EventCountsTest {
    private static AuditResult audit(String file) {
        TaskNames names = new TaskNames();
        return PerfSched.audit(new Audit(AuditOptions.of(null), names), names, PerfSched.resource(file));
    }

    /** By {@code perf report --stats}; {@code perf sched record} writes no wakeup records. */
    @ParameterizedTest
    @CsvSource({
        "host-hackbench-pipe, 309, 243, 19, 20, 19, 547",
        "host-messaging, 1183, 714, 43, 23, 43, 1602",
        "host-mutex, 88, 19, 7, 4, 7, 104",
        "6.12-hackbench, 590, 343, 34, 51, 34, 724",
        "6.1-pipe-bound, 1358, 672, 3, 11, 3, 1381"
    })
    void eventsAreAsManyAsPerfReports(
            String name, long switches, long waking, long wakeupNew, long migrate, long fork, long runtime) {
        TaskNames names = new TaskNames();
        AuditResult result = PerfSched.audit(new Audit(AuditOptions.of(null), names), names, PerfSched.recorded(name));
        assertThat(result.counts().byName())
                .containsAllEntriesOf(Map.of(
                        "switch", switches,
                        "waking", waking,
                        "wakeup", 0L,
                        "wakeup_new", wakeupNew,
                        "migrate", migrate,
                        "fork", fork,
                        "stat_runtime", runtime));
        assertThat(result.counts().lost()).isZero();
        assertThat(result.wakeups().count()).isEqualTo(waking);
        assertThat(PerfSched.switches(name)).isEqualTo(switches);
    }

    /** By the lines of {@code trace-cmd report}, for trace.dat and for the report itself. */
    @ParameterizedTest
    @CsvSource({
        "/recordings/6.1-pipe.v6.trace.dat.zst, 521, 253, 259, 2, 0, 2, 1, 1, 331",
        "/recordings/6.1-pipe.v7.trace.dat.zst, 959, 476, 476, 3, 0, 3, 2, 1, 607",
        "/recordings/6.1-pipe.v6.trace-cmd.txt.zst, 521, 253, 259, 2, 0, 2, 1, 1, 331",
        "/recordings/6.1-pipe.v7.trace-cmd.txt.zst, 959, 476, 476, 3, 0, 3, 2, 1, 607",
        "/dev/perch/trace/6.12-hackbench-pipe.report.txt.zst, 779, 423, 423, 34, 32, 34, 35, 21, 906",
        "/dev/perch/trace/6.12-pipe1.report.txt.zst, 3088, 1540, 1540, 3, 1, 3, 4, 1, 1648"
    })
    void eventsAreAsManyAsTraceCmdReports(
            String file,
            long switches,
            long waking,
            long wakeup,
            long wakeupNew,
            long migrate,
            long fork,
            long exit,
            long free,
            long runtime) {
        AuditResult result = audit(file);
        assertThat(result.counts().byName())
                .containsAllEntriesOf(Map.of(
                        "switch", switches,
                        "waking", waking,
                        "wakeup", wakeup,
                        "wakeup_new", wakeupNew,
                        "migrate", migrate,
                        "fork", fork,
                        "exit", exit,
                        "free", free,
                        "stat_runtime", runtime));
        assertThat(result.wakeups().count()).isEqualTo(waking);
        assertThat(result.counts().gaps()).isZero();
    }
}
