package dev.perch.cli;

import dev.perch.model.InputException;
import dev.perch.store.Database;
import dev.perch.store.RecordingTables;
import dev.perch.store.Store;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code perch query}: SQL over all stored runs, or over one recording. */
@Command(
        name = "query",
        description = "Ask SQL (DuckDB's) of all stored runs, or of a recording.",
        mixinStandardHelpOptions = true,
        versionProvider = PerchCommand.Version.class,
        sortOptions = false,
        footer = {
            "",
            "Tables of the store: runs (a row for each repeat and metric), instances, histograms.",
            "Tables of a recording: wakeups, switches, tasks, pairs. Columns: perch query \"DESCRIBE runs\", or docs/store.md.",
            "",
            "Examples: perch query \"SELECT kernel, avg(value) FROM runs WHERE metric = 'throughput' GROUP BY kernel\"",
            "          perch query perf.data \"SELECT verdict, count(*), median(latency_ns) FROM wakeups GROUP BY verdict\"",
            "          perch query last/0 \"SELECT * FROM pairs ORDER BY wakeups DESC LIMIT 10\" --csv"
        })
final class QueryCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(
            arity = "1..2",
            paramLabel = "[FILE|RUN[/ROW]] SQL",
            description =
                    "A recording, or a run whose events were stored; without it, the whole store. Then the query.")
    private List<String> arguments = new ArrayList<>();

    @Mixin
    private RecordingOptions recording = new RecordingOptions();

    @Mixin
    private StoreOption storeOption = new StoreOption();

    @Option(names = "--csv", description = "Print CSV.")
    private boolean csv;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    QueryCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if (csv && json) {
            throw new InputException("--csv and --json contradict each other; leave one out");
        }
        String sql = arguments.getLast();
        Store store = storeOption.open(surroundings);
        ResultOutput form = json ? ResultOutput.JSON : csv ? ResultOutput.CSV : ResultOutput.TABLE;
        if (arguments.size() == 1) {
            if (RecordingDatabase.isFile(sql)) {
                throw new InputException(
                        "no query given for " + sql + "; write one behind it, as in \"SELECT * FROM pairs\"");
            }
            List<String> runs = store.readable(problem -> surroundings.err().println("perch: left out: " + problem));
            try (Database database = Database.open()) {
                database.addStore(store, runs);
                database.query(sql, form.to(surroundings.out()));
            }
        } else {
            String file = RecordingDatabase.file(arguments.getFirst(), recording, store);
            try (Database database = Database.open()) {
                RecordingDatabase.read(file, recording, wanted(sql), database, surroundings);
                database.query(sql, form.to(surroundings.out()));
            }
        }
        return 0;
    }

    /** The tables that a query speaks of; all, if it names none, as {@code SHOW TABLES} does. */
    private static Set<String> wanted(String sql) {
        String lower = sql.toLowerCase(Locale.ROOT);
        Set<String> wanted = new LinkedHashSet<>(RecordingTables.all());
        wanted.removeIf(table -> !lower.contains(table));
        return wanted.isEmpty() ? RecordingTables.all() : wanted;
    }
}
