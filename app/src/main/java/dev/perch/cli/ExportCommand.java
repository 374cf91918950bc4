package dev.perch.cli;

import dev.perch.export.FtraceExport;
import dev.perch.export.PerfettoExport;
import dev.perch.model.InputException;
import dev.perch.model.Nearest;
import dev.perch.store.Database;
import dev.perch.store.RecordingTables;
import dev.perch.store.RunTables;
import dev.perch.store.Store;
import dev.perch.trace.Recordings;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code perch export}: a stored run or a recording in a format of other tools. */
@Command(
        name = "export",
        description = "Write a stored run or a recording in a format of other tools.",
        mixinStandardHelpOptions = true,
        versionProvider = PerchCommand.Version.class,
        sortOptions = false,
        footer = {
            "",
            "csv and parquet hold one table. Of a run: runs (a row for each repeat and metric), instances, histograms.",
            "Of a recording, or a run whose events were stored: wakeups, switches, tasks, pairs.",
            "pftrace, dat (trace-cmd, KernelShark) and txt (ftrace) hold all events of a recording, or of a run whose events were",
            "stored; pftrace, for ui.perfetto.dev, also the verdict of each wakeup, arrows to the stints they led to, and runqueue lengths.",
            "",
            "Examples: perch export last -o run.csv",
            "          perch export perf.data -o wakeups.parquet",
            "          perch export perf.data --table switches -o switches.csv",
            "          perch export perf.data -o trace.pftrace"
        })
final class ExportCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(
            paramLabel = "RUN[/ROW]|RECORDING",
            description =
                    "A stored run (perch runs; 'last' is the newest) or a recording. RUN/ROW: the stored events of a row.")
    private String source = "";

    @Option(names = "-o", required = true, paramLabel = "FILE", description = "What to write.")
    private String output = "";

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "csv, parquet, pftrace, dat or txt; without it, what the file's name ends in.")
    private String formatName = "";

    @Option(
            names = "--table",
            paramLabel = "TABLE",
            description = "Which table: of a run 'runs', of a recording 'wakeups', if nothing is said.")
    private String table = "";

    @Mixin
    private RecordingOptions recording = new RecordingOptions();

    @Mixin
    private StoreOption storeOption = new StoreOption();

    ExportCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws InterruptedException {
        ExportFormat format = ExportFormat.of(formatName, output);
        return OutputFile.write("-o", output, unfinished -> {
            switch (format) {
                case CSV, PARQUET -> exportTable(format, unfinished);
                case PERFETTO, TRACE_DAT, FTRACE_TEXT -> exportEvents(format, unfinished);
            }
            return 0;
        });
    }

    private void exportEvents(ExportFormat format, Path file) throws IOException {
        if (!table.isEmpty()) {
            throw new InputException(
                    "--table has no use with " + format.word() + ", which holds all events; leave it out");
        }
        String recorded = RecordingDatabase.file(source, recording, storeOption.open(surroundings));
        try (RecordingInput.Opened opened = recording.open(recorded, surroundings)) {
            switch (format) {
                case PERFETTO -> {
                    if (recorded.equals(RecordingOptions.STANDARD_INPUT)) {
                        throw new InputException(
                                "a recording is read twice to become pftrace, which standard input cannot"
                                        + " be; write it to a file and name that");
                    }
                    PerfettoExport.write(() -> Recordings.open(Path.of(recorded)), recording.audit(opened), file);
                }
                case TRACE_DAT -> FtraceExport.traceDat(opened.recording(), file);
                case FTRACE_TEXT -> FtraceExport.text(opened.recording(), source, file);
                case CSV, PARQUET -> throw new IllegalStateException(format.word());
            }
        }
    }

    private void exportTable(ExportFormat format, Path file) throws IOException {
        Store store = storeOption.open(surroundings);
        boolean events = RecordingTables.all().contains(table);
        boolean fromRecording = events || RecordingDatabase.isFile(source);
        String wanted = table.isEmpty() ? (fromRecording ? "wakeups" : "runs") : table;
        Set<String> tables = fromRecording ? RecordingTables.all() : RunTables.all();
        if (!tables.contains(wanted)) {
            List<String> known = new ArrayList<>(tables);
            throw new InputException("there is no table '" + wanted + "' of " + source + Nearest.hint(wanted, known));
        }
        String id = fromRecording ? "" : store.find(source);
        String recorded = fromRecording ? RecordingDatabase.file(source, recording, store) : "";
        try (Database database = Database.open()) {
            if (fromRecording) {
                RecordingDatabase.read(recorded, recording, Set.of(wanted), database, surroundings);
            } else {
                store.run(id);
                database.addStore(store, List.of(id));
            }
            String sql = "SELECT * FROM " + wanted;
            try (Waiting waiting = new Waiting(surroundings, "s of writing " + output)) {
                write(database, sql, format, file);
                waiting.stop();
            }
        }
    }

    private static void write(Database database, String sql, ExportFormat format, Path file) throws IOException {
        if (format == ExportFormat.PARQUET) {
            database.copyToParquet(sql, file);
            return;
        }
        try (BufferedWriter writer = Files.newBufferedWriter(file)) {
            database.query(sql, new CsvOutput(writer));
        }
    }
}
