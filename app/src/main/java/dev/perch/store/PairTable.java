package dev.perch.store;

import static dev.perch.store.parquet.Column.Type.BIGINT;
import static dev.perch.store.parquet.Column.Type.DOUBLE;
import static dev.perch.store.parquet.Column.Type.INTEGER;
import static dev.perch.store.parquet.Column.Type.VARCHAR;

import dev.perch.audit.AuditResult;
import dev.perch.audit.AuditTasks;
import dev.perch.audit.Pair;
import dev.perch.audit.Pairs;
import dev.perch.model.Distance;
import dev.perch.store.parquet.Column;
import dev.perch.store.parquet.TableFile;
import java.util.List;

/**
 * The table {@code pairs} of a recording: who woke whom. A pair without a waker is one of wakeups that interrupt handlers made.
 */
final class PairTable {
    static final List<Column> COLUMNS = List.of(
            new Column("waker", INTEGER),
            new Column("waker_comm", VARCHAR),
            new Column("wakee", INTEGER),
            new Column("wakee_comm", VARCHAR),
            new Column("wakeups", BIGINT),
            new Column("synchronous", DOUBLE),
            new Column("overlap", DOUBLE),
            new Column("moves", BIGINT),
            new Column("tail_ns", BIGINT),
            new Column("crossed", BIGINT),
            new Column("cross_latency_ns", BIGINT),
            new Column("same_cpu_latency_ns", BIGINT));

    private PairTable() {}

    static void write(TableFile file, AuditResult result) {
        Cells table = new Cells(file);
        AuditTasks tasks = result.tasks();
        for (Pair pair : result.pairs().mostWakeups()) {
            boolean interrupt = pair.wakerSlot() == Pairs.INTERRUPT;
            table.known(interrupt ? -1 : tasks.pid(pair.wakerSlot()));
            table.word(interrupt ? "" : tasks.name(pair.wakerSlot()));
            table.set(tasks.pid(pair.wakeeSlot()));
            table.word(tasks.name(pair.wakeeSlot()));
            table.set(pair.wakeups());
            table.knownShare(pair.synchronous());
            table.knownShare(pair.overlap());
            table.set(pair.moves());
            table.known(pair.tailNs());
            table.set(pair.crossed());
            table.known(pair.crossLatencyNs());
            table.known(pair.latencyNs(Distance.CPU));
            table.endRow();
        }
    }
}
