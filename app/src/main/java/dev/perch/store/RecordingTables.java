package dev.perch.store;

import dev.perch.audit.AuditResult;
import dev.perch.audit.AuditTasks;
import dev.perch.audit.WakeupConsumer;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.Topology;
import dev.perch.store.parquet.Column;
import dev.perch.store.parquet.TableFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
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
    private static final String WAKEUPS = "wakeups";
    private static final String SWITCHES = "switches";
    private static final String TASKS = "tasks";
    private static final String PAIRS = "pairs";

    /** The columns of each table, in the order in which tables are shown. */
    static final Map<String, List<Column>> COLUMNS = columns();

    private final Path folder;
    private final Map<String, TableFile> files = new LinkedHashMap<>();

    /**
     * Begins the files.
     *
     * @param folder gets them
     * @param wanted names of the tables that are wanted
     */
    public RecordingTables(Path folder, Set<String> wanted) throws IOException {
        this.folder = folder;
        for (Map.Entry<String, List<Column>> table : COLUMNS.entrySet()) {
            if (wanted.contains(table.getKey())) {
                files.put(
                        table.getKey(),
                        new TableFile(Files.newOutputStream(file(folder, table.getKey())), table.getValue()));
            }
        }
    }

    private static Map<String, List<Column>> columns() {
        Map<String, List<Column>> columns = new LinkedHashMap<>();
        columns.put(WAKEUPS, WakeupTable.COLUMNS);
        columns.put(SWITCHES, SwitchTable.COLUMNS);
        columns.put(TASKS, TaskTable.COLUMNS);
        columns.put(PAIRS, PairTable.COLUMNS);
        return Collections.unmodifiableMap(columns);
    }

    /** The tables there are of a recording. */
    public static Set<String> all() {
        return COLUMNS.keySet();
    }

    private static Path file(Path folder, String table) {
        return folder.resolve(table + ".parquet");
    }

    /**
     * A listener for the events of the recording, or null if no table needs it.
     *
     * @param names filled by the reader
     */
    public @Nullable SchedEvents events(TaskNames names) {
        TableFile file = files.get(SWITCHES);
        return file == null ? null : new SwitchTable(file, names);
    }

    /**
     * A listener for the wakeups that an audit reports, or null if no table needs it.
     *
     * @param tasks of that audit
     * @param topology the machine's, if it is known
     */
    public @Nullable WakeupConsumer wakeups(AuditTasks tasks, @Nullable Topology topology) {
        TableFile file = files.get(WAKEUPS);
        return file == null ? null : new WakeupTable(file, tasks, topology);
    }

    /** The recording is over: writes the tables of tasks and pairs, as far as they are wanted. */
    public void finish(AuditResult result) {
        TableFile tasks = files.get(TASKS);
        if (tasks != null) {
            TaskTable.write(tasks, result);
        }
        TableFile pairs = files.get(PAIRS);
        if (pairs != null) {
            PairTable.write(pairs, result);
        }
    }

    /** Completes the files. */
    @Override
    public void close() {
        files.values().forEach(TableFile::close);
    }

    /** The tables that were written, with their files. */
    Map<String, Path> written() {
        Map<String, Path> written = new LinkedHashMap<>();
        files.keySet().forEach(table -> written.put(table, file(folder, table)));
        return written;
    }
}
