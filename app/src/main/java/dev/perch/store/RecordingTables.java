package dev.perch.store;

import static dev.perch.store.parquet.Column.Type.BIGINT;
import static dev.perch.store.parquet.Column.Type.BOOLEAN;
import static dev.perch.store.parquet.Column.Type.DOUBLE;
import static dev.perch.store.parquet.Column.Type.INTEGER;
import static dev.perch.store.parquet.Column.Type.VARCHAR;

import dev.perch.audit.AuditResult;
import dev.perch.audit.AuditTasks;
import dev.perch.audit.Pair;
import dev.perch.audit.Pairs;
import dev.perch.audit.Verdict;
import dev.perch.audit.Wakeup;
import dev.perch.audit.WakeupConsumer;
import dev.perch.model.Distance;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import dev.perch.model.Topology;
import dev.perch.store.parquet.Column;
import dev.perch.store.parquet.TableFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A recording as tables: {@code wakeups} and {@code switches} are written while it is read, {@code tasks} and {@code pairs} when it is over.
 * Each is a Parquet file in a folder; nothing is held whole in memory.
 *
 * <p>What a recording does not tell is missing. Times are nanoseconds in the recording's clock.
 */
public final class RecordingTables implements AutoCloseable {
    /** The columns of each table, in the order in which tables are shown. */
    static final Map<String, List<Column>> COLUMNS = columns();

    private final Path folder;
    private final TaskNames names;
    private final AuditTasks tasks;
    private final @Nullable Topology topology;
    private final Map<String, TableFile> files = new LinkedHashMap<>();

    /**
     * Begins the files.
     *
     * @param folder gets them
     * @param wanted names of the tables that are wanted
     * @param names filled by the reader of the recording
     * @param tasks of the audit that reads along
     * @param topology the machine's, if it is known
     */
    public RecordingTables(
            Path folder, Set<String> wanted, TaskNames names, AuditTasks tasks, @Nullable Topology topology)
            throws IOException {
        this.folder = folder;
        this.names = names;
        this.tasks = tasks;
        this.topology = topology;
        for (String table : wanted) {
            files.put(
                    table,
                    new TableFile(
                            Files.newOutputStream(file(folder, table)), COLUMNS.getOrDefault(table, List.of())));
        }
    }

    private static Map<String, List<Column>> columns() {
        Map<String, List<Column>> columns = new LinkedHashMap<>();
        columns.put(
                "wakeups",
                List.of(
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
                        new Column("crossing_ns", BIGINT)));
        columns.put(
                "switches",
                List.of(
                        new Column("time_ns", BIGINT),
                        new Column("cpu", INTEGER),
                        new Column("prev", INTEGER),
                        new Column("prev_comm", VARCHAR),
                        new Column("prev_prio", INTEGER),
                        new Column("prev_state", VARCHAR),
                        new Column("next", INTEGER),
                        new Column("next_comm", VARCHAR),
                        new Column("next_prio", INTEGER)));
        columns.put(
                "tasks",
                List.of(
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
                        new Column("cpus", VARCHAR)));
        columns.put(
                "pairs",
                List.of(
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
                        new Column("same_cpu_latency_ns", BIGINT)));
        return java.util.Collections.unmodifiableMap(columns);
    }

    static Path file(Path folder, String table) {
        return folder.resolve(table + ".parquet");
    }

    /** A listener for the events of the recording, or null if none of its tables is wanted. */
    public @Nullable SchedEvents events() {
        TableFile switches = files.get("switches");
        return switches == null ? null : new Switches(switches);
    }

    private final class Switches implements SchedEvents {
        private final TableFile table;

        Switches(TableFile table) {
            this.table = table;
        }

        @Override
        public void switched(long ns, int cpu, int prev, int prevPrio, TaskState prevState, int next, int nextPrio) {
            table.set(0, ns);
            known(table, 1, cpu);
            known(table, 2, prev);
            name(3, prev);
            known(table, 4, prevPrio);
            if (prevState != TaskState.UNKNOWN) {
                table.set(5, STATES[prevState.ordinal()]);
            }
            known(table, 6, next);
            name(7, next);
            known(table, 8, nextPrio);
            table.endRow();
        }

        private void name(int column, int pid) {
            String name = pid < 0 ? "" : names.nameOf(pid);
            if (!name.isEmpty()) {
                table.set(column, name);
            }
        }
    }

    private static final String[] STATES = states();

    private static String[] states() {
        TaskState[] states = TaskState.values();
        String[] letters = new String[states.length];
        for (TaskState state : states) {
            letters[state.ordinal()] = String.valueOf(state.letter());
        }
        return letters;
    }

    /** A listener for the wakeups that an audit reports, or null if their table is not wanted. */
    public @Nullable WakeupConsumer wakeups() {
        TableFile table = files.get("wakeups");
        return table == null ? null : wakeup -> write(table, wakeup);
    }

    private void write(TableFile table, Wakeup wakeup) {
        int column = 0;
        table.set(column++, wakeup.number());
        table.set(column++, wakeup.ns());
        known(table, column++, wakeup.waker());
        taskName(table, column++, wakeup.wakerSlot());
        known(table, column++, wakeup.wakee());
        taskName(table, column++, wakeup.wakeeSlot());
        known(table, column++, wakeup.prio());
        table.set(column++, wakeup.fromInterrupt());
        known(table, column++, wakeup.thisCpu());
        known(table, column++, wakeup.prevCpu());
        known(table, column++, wakeup.chosenCpu());
        table.set(column++, wakeup.certainty().word());
        table.set(column++, wakeup.verdict().word());
        word(table, column++, wakeup.unknownReason().text());
        word(table, column++, wakeup.faults() == 0 ? "" : faults(wakeup.faults()));
        distance(table, column++, wakeup.wakerToChosen(topology));
        distance(table, column++, wakeup.prevToChosen(topology));
        known(table, column++, wakeup.latencyNs());
        known(table, column++, wakeup.queueingNs());
        known(table, column++, wakeup.idleExitNs());
        known(table, column++, wakeup.restNs());
        table.set(column++, wakeup.ipi().word());
        if (wakeup.costKnown()) {
            table.set(column, wakeup.costNs());
        }
        known(table, column + 1, wakeup.crossingNs());
        table.endRow();
    }

    private static String faults(int bits) {
        StringBuilder words = new StringBuilder();
        for (Verdict verdict : Verdict.all()) {
            if ((bits & verdict.bit()) != 0) {
                words.append(words.isEmpty() ? "" : "+").append(verdict.word());
            }
        }
        return words.toString();
    }

    private void taskName(TableFile table, int column, int slot) {
        if (slot >= 0) {
            word(table, column, tasks.name(slot));
        }
    }

    private static void word(TableFile table, int column, String word) {
        if (!word.isEmpty()) {
            table.set(column, word);
        }
    }

    private static void distance(TableFile table, int column, @Nullable Distance distance) {
        if (distance != null) {
            table.set(column, distance.word());
        }
    }

    private static void known(TableFile table, int column, long value) {
        if (value >= 0) {
            table.set(column, value);
        }
    }

    /** The recording is over: writes the tables of tasks and pairs, as far as they are wanted. */
    public void finish(AuditResult result) {
        TableFile taskFile = files.get("tasks");
        if (taskFile != null) {
            result.taskRows().forEach(row -> write(taskFile, row));
        }
        TableFile pairFile = files.get("pairs");
        if (pairFile != null) {
            result.pairs().mostWakeups().forEach(pair -> write(pairFile, pair));
        }
    }

    private static void write(TableFile table, AuditResult.TaskRow row) {
        int column = 0;
        table.set(column++, (long) row.pid());
        word(table, column++, row.name());
        known(table, column++, row.prio());
        for (long number : new long[] {
            row.runNs(),
            row.switchesIn(),
            row.wakeups(),
            row.delays(),
            row.delaySumNs(),
            row.delayMaxNs(),
            row.preemptions(),
            row.preemptedNs(),
            row.preemptedMaxNs(),
            row.offCpuNs(),
            row.migrations()
        }) {
            known(table, column++, number);
        }
        word(table, column, row.seenOn());
        table.endRow();
    }

    private void write(TableFile table, Pair pair) {
        int column = 0;
        if (pair.wakerSlot() != Pairs.INTERRUPT) {
            table.set(column, (long) tasks.pid(pair.wakerSlot()));
            word(table, column + 1, tasks.name(pair.wakerSlot()));
        }
        column += 2;
        table.set(column++, (long) tasks.pid(pair.wakeeSlot()));
        word(table, column++, tasks.name(pair.wakeeSlot()));
        table.set(column++, pair.wakeups());
        if (pair.synchronous() >= 0) {
            table.set(column, pair.synchronous());
        }
        if (pair.overlap() >= 0) {
            table.set(column + 1, pair.overlap());
        }
        column += 2;
        table.set(column++, pair.moves());
        known(table, column++, pair.tailNs());
        table.set(column++, pair.crossed());
        known(table, column++, pair.crossLatencyNs());
        known(table, column, pair.latencyNs(Distance.CPU));
        table.endRow();
    }

    /** Completes the files. */
    @Override
    public void close() {
        files.values().forEach(TableFile::close);
    }

    /** The tables that were written, with their files. */
    Map<String, List<Path>> written() {
        Map<String, List<Path>> written = new LinkedHashMap<>();
        files.keySet().forEach(table -> written.put(table, List.of(file(folder, table))));
        return written;
    }
}
