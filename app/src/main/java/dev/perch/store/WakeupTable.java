package dev.perch.store;

import static dev.perch.store.parquet.Column.Type.BIGINT;
import static dev.perch.store.parquet.Column.Type.BOOLEAN;
import static dev.perch.store.parquet.Column.Type.INTEGER;
import static dev.perch.store.parquet.Column.Type.VARCHAR;

import dev.perch.audit.AuditTasks;
import dev.perch.audit.Verdict;
import dev.perch.audit.Wakeup;
import dev.perch.audit.WakeupConsumer;
import dev.perch.model.Distance;
import dev.perch.model.Topology;
import dev.perch.store.parquet.Column;
import dev.perch.store.parquet.TableFile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table {@code wakeups} of a recording: a row for each wakeup, in the order in which they end. */
final class WakeupTable implements WakeupConsumer {
    static final List<Column> COLUMNS = List.of(
            new Column("number", BIGINT),
            new Column("time_ns", BIGINT),
            new Column("waker", INTEGER),
            new Column("waker_comm", VARCHAR),
            new Column("wakee", INTEGER),
            new Column("wakee_comm", VARCHAR),
            new Column("prio", INTEGER),
            new Column("from_interrupt", BOOLEAN),
            new Column("this_cpu", INTEGER),
            new Column("prev_cpu", INTEGER),
            new Column("chosen_cpu", INTEGER),
            new Column("certainty", VARCHAR),
            new Column("verdict", VARCHAR),
            new Column("reason", VARCHAR),
            new Column("faults", VARCHAR),
            new Column("waker_to_chosen", VARCHAR),
            new Column("prev_to_chosen", VARCHAR),
            new Column("latency_ns", BIGINT),
            new Column("queueing_ns", BIGINT),
            new Column("idle_exit_ns", BIGINT),
            new Column("rest_ns", BIGINT),
            new Column("ipi", VARCHAR),
            new Column("cost_ns", BIGINT),
            new Column("crossing_ns", BIGINT));

    private final Cells table;
    private final AuditTasks tasks;
    private final @Nullable Topology topology;

    WakeupTable(TableFile table, AuditTasks tasks, @Nullable Topology topology) {
        this.table = new Cells(table);
        this.tasks = tasks;
        this.topology = topology;
    }

    @Override
    public void wakeup(Wakeup wakeup) {
        table.set(wakeup.number());
        table.set(wakeup.ns());
        table.known(wakeup.waker());
        table.word(wakeup.wakerSlot() < 0 ? "" : tasks.name(wakeup.wakerSlot()));
        table.known(wakeup.wakee());
        table.word(tasks.name(wakeup.wakeeSlot()));
        table.known(wakeup.prio());
        table.set(wakeup.fromInterrupt());
        table.known(wakeup.thisCpu());
        table.known(wakeup.prevCpu());
        table.known(wakeup.chosenCpu());
        table.word(wakeup.certainty().word());
        table.word(wakeup.verdict().word());
        table.word(wakeup.unknownReason().text());
        table.word(faults(wakeup.faults()));
        table.word(word(wakeup.wakerToChosen(topology)));
        table.word(word(wakeup.prevToChosen(topology)));
        table.known(wakeup.latencyNs());
        table.known(wakeup.queueingNs());
        table.known(wakeup.idleExitNs());
        table.known(wakeup.restNs());
        table.word(wakeup.ipi().word());
        if (wakeup.costKnown()) {
            table.set(wakeup.costNs());
        } else {
            table.skip();
        }
        table.known(wakeup.crossingNs());
        table.endRow();
    }

    /** All faults that hold, joined by plus signs. */
    private static String faults(int bits) {
        if (bits == 0) {
            return "";
        }
        StringBuilder words = new StringBuilder();
        for (Verdict verdict : Verdict.all()) {
            if ((bits & verdict.bit()) != 0) {
                words.append(words.isEmpty() ? "" : "+").append(verdict.word());
            }
        }
        return words.toString();
    }

    private static String word(@Nullable Distance distance) {
        return distance == null ? "" : distance.word();
    }
}
