package dev.perch.store;

import static dev.perch.store.parquet.Column.Type.BIGINT;
import static dev.perch.store.parquet.Column.Type.INTEGER;
import static dev.perch.store.parquet.Column.Type.VARCHAR;

import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import dev.perch.store.parquet.Column;
import dev.perch.store.parquet.TableFile;
import java.util.List;

/** The table {@code switches} of a recording: a row for each change from one task to another on a CPU. */
final class SwitchTable implements SchedEvents {
    static final List<Column> COLUMNS = List.of(
            new Column("time_ns", BIGINT),
            new Column("cpu", INTEGER),
            new Column("prev", INTEGER),
            new Column("prev_comm", VARCHAR),
            new Column("prev_prio", INTEGER),
            new Column("prev_state", VARCHAR),
            new Column("next", INTEGER),
            new Column("next_comm", VARCHAR),
            new Column("next_prio", INTEGER));

    private static final String[] STATES = states();

    private final Cells table;
    private final TaskNames names;

    SwitchTable(TableFile table, TaskNames names) {
        this.table = new Cells(table);
        this.names = names;
    }

    private static String[] states() {
        TaskState[] states = TaskState.values();
        String[] letters = new String[states.length];
        for (TaskState state : states) {
            letters[state.ordinal()] = state == TaskState.UNKNOWN ? "" : String.valueOf(state.letter());
        }
        return letters;
    }

    @Override
    public void switched(long ns, int cpu, int prev, int prevPrio, TaskState prevState, int next, int nextPrio) {
        table.set(ns);
        table.known(cpu);
        table.known(prev);
        table.word(prev < 0 ? "" : names.nameOf(prev));
        table.known(prevPrio);
        table.word(STATES[prevState.ordinal()]);
        table.known(next);
        table.word(next < 0 ? "" : names.nameOf(next));
        table.known(nextPrio);
        table.endRow();
    }
}
