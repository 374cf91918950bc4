package dev.perch.store;

import static dev.perch.store.parquet.Column.Type.BIGINT;
import static dev.perch.store.parquet.Column.Type.INTEGER;
import static dev.perch.store.parquet.Column.Type.VARCHAR;

import dev.perch.audit.AuditResult;
import dev.perch.store.parquet.Column;
import dev.perch.store.parquet.TableFile;
import java.util.List;

/** The table {@code tasks} of a recording: every task that ran or was woken. */
final class TaskTable {
    static final List<Column> COLUMNS = List.of(
            new Column("pid", INTEGER),
            new Column("comm", VARCHAR),
            new Column("prio", INTEGER),
            new Column("run_ns", BIGINT),
            new Column("switches", BIGINT),
            new Column("wakeups", BIGINT),
            new Column("delays", BIGINT),
            new Column("delay_sum_ns", BIGINT),
            new Column("delay_max_ns", BIGINT),
            new Column("preemptions", BIGINT),
            new Column("preempted_ns", BIGINT),
            new Column("preempted_max_ns", BIGINT),
            new Column("off_cpu_ns", BIGINT),
            new Column("migrations", BIGINT),
            new Column("cpus", VARCHAR));

    private TaskTable() {}

    static void write(TableFile file, AuditResult result) {
        Cells table = new Cells(file);
        for (AuditResult.TaskRow row : result.taskRows()) {
            table.set(row.pid());
            table.word(row.name());
            table.known(row.prio());
            table.set(row.runNs());
            table.set(row.switchesIn());
            table.set(row.wakeups());
            table.set(row.delays());
            table.set(row.delaySumNs());
            table.set(row.delayMaxNs());
            table.set(row.preemptions());
            table.set(row.preemptedNs());
            table.set(row.preemptedMaxNs());
            table.set(row.offCpuNs());
            table.set(row.migrations());
            table.word(row.seenOn());
            table.endRow();
        }
    }
}
