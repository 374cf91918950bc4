package dev.perch.cli;

import dev.perch.lab.ResultTable;
import dev.perch.lab.TextTable;
import dev.perch.lab.results.Series;
import dev.perch.model.Times;
import dev.perch.store.Store;
import dev.perch.store.StoredRow;
import dev.perch.store.StoredRun;
import java.io.PrintStream;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code perch runs}: the stored runs, one of them in full, or to remove some. */
@Command(
        name = "runs",
        description = "List the stored runs, newest first; show one of them, or remove some.",
        mixinStandardHelpOptions = true,
        versionProvider = PerchCommand.Version.class,
        sortOptions = false,
        footer = {
            "",
            "A run is named by its id, by any beginning or end of it that no other has, or by its place: last or @1 is the newest,",
            "@2 the one before.",
            "",
            "Examples: perch runs --experiment westmere-one-pair",
            "          perch runs show last",
            "          perch runs remove @2 261201-011508-v3"
        })
final class RunsCommand implements Callable<Integer> {
    private static final int SHOWN = 20;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Surroundings surroundings;

    @Mixin
    private StoreOption storeOption = new StoreOption();

    @Option(names = "--experiment", paramLabel = "NAME", description = "Only runs of this experiment.")
    private String experiment = "";

    @Option(names = "--machine", paramLabel = "NAME", description = "Only runs on this machine.")
    private String machine = "";

    @Option(names = "--kernel", paramLabel = "TEXT", description = "Only runs of a kernel whose name has this in it.")
    private String kernel = "";

    @Option(names = "-n", paramLabel = "N", description = "At most so many (20); 0 for all.")
    private @Nullable String limit;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    RunsCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        int most = limit == null ? SHOWN : (int) RunCommand.number("-n", limit, 0, Integer.MAX_VALUE);
        Store store = storeOption.open(surroundings);
        List<RunsJson.Entry> entries = new ArrayList<>();
        int more = 0;
        for (String id : store.readable(problem -> surroundings.err().println("perch: left out: " + problem))) {
            boolean full = most > 0 && entries.size() == most;
            if (full && !isFiltered()) {
                more++;
                continue;
            }
            StoredRun run = store.run(id);
            if (!fits(run)) {
                continue;
            }
            if (full) {
                more++;
            } else {
                entries.add(new RunsJson.Entry(id, run));
            }
        }
        if (json) {
            surroundings.out().print(RunsJson.list(store.folder(), entries));
        } else {
            print(store, entries, more);
        }
        return 0;
    }

    private boolean isFiltered() {
        return !experiment.isEmpty() || !machine.isEmpty() || !kernel.isEmpty();
    }

    private boolean fits(StoredRun run) {
        return (experiment.isEmpty() || run.experiment().equals(experiment))
                && (machine.isEmpty() || run.machines().containsKey(machine))
                && (kernel.isEmpty() || run.kernels().keySet().stream().anyMatch(name -> name.contains(kernel)));
    }

    private void print(Store store, List<RunsJson.Entry> entries, int more) {
        PrintStream out = surroundings.out();
        if (entries.isEmpty()) {
            out.println("no stored runs" + (isFiltered() ? " of that kind" : "") + " in " + store.folder());
            return;
        }
        TextTable table = new TextTable(List.of("run", "stored (UTC)", "rows", "runs", "what"), true);
        for (RunsJson.Entry entry : entries) {
            StoredRun run = entry.run();
            table.add(List.of(
                    entry.id(),
                    TIME.format(run.stored()),
                    Integer.toString(run.rows().size()),
                    Integer.toString(run.finished()),
                    run.experiment() + (run.complete() ? "" : " (interrupted)") + ": " + about(run)));
        }
        table.lines().forEach(out::println);
        if (more > 0) {
            out.println("and " + more + " older ones; -n 0 shows all");
        }
    }

    /** What ran where: machines and workloads, and the kernel if it is one. */
    private static String about(StoredRun run) {
        Set<String> workloads = new LinkedHashSet<>();
        run.rows().forEach(row -> workloads.add(row.workload()));
        String kernels = run.kernels().size() == 1
                ? run.kernels().keySet().iterator().next()
                : run.kernels().size() + " kernels";
        return String.join(" ", workloads) + " on "
                + String.join(", ", run.machines().keySet()) + ", " + kernels;
    }

    @Command(
            name = "show",
            description = "Show a stored run: what was run, and every number of it.",
            mixinStandardHelpOptions = true,
            footer = {"", "Example: perch runs show last"})
    int show(
            @Parameters(paramLabel = "RUN", description = "Which run; see perch runs --help.") String name,
            @Mixin StoreOption fromStore,
            @Option(names = "--json", description = "Print JSON.") boolean asJson) {
        Store store = fromStore.open(surroundings);
        String id = store.find(name);
        StoredRun run = store.run(id);
        if (asJson) {
            surroundings.out().print(RunsJson.one(id, store.path(id), run));
        } else {
            print(id, store, run);
        }
        return 0;
    }

    private void print(String id, Store store, StoredRun run) {
        PrintStream out = surroundings.out();
        out.println(run.experiment() + ": " + run.title());
        if (!run.source().isEmpty()) {
            out.println("published: " + run.source());
        }
        out.println("stored as " + id + " at " + TIME.format(run.stored()) + " UTC by Perch " + run.perch());
        out.println(run.wantedRepeats() + " runs"
                + (run.durationNs() == 0
                        ? ""
                        : " of " + Times.format(run.durationNs()) + " after " + Times.format(run.warmupNs())
                                + " of warm-up")
                + (run.measured() ? ", measured" : ", random seed " + run.seed())
                + (run.complete() ? "" : "; interrupted, " + run.finished() + " runs are done"));
        out.println("in " + store.path(id));
        for (StoredRow row : run.rows()) {
            out.println();
            print(out, row);
        }
        run.notes().forEach(note -> out.println("note: " + note));
    }

    private static void print(PrintStream out, StoredRow row) {
        out.println("row " + row.index() + ": " + row.label() + " | " + row.machine() + ", " + row.kernel() + ", "
                + row.workload() + (row.cpuset().isEmpty() ? "" : ", cpuset " + row.cpuset())
                + (row.taskset().isEmpty() ? "" : ", taskset " + row.taskset()));
        TextTable table = new TextTable(List.of("metric", "repeats", "mean", "min", "max", "unit"), true);
        for (Series series : row.series()) {
            double[] values = series.repeats();
            table.add(List.of(
                    series.metric().name(),
                    Integer.toString(values.length),
                    number(Arrays.stream(values).average().orElse(0), series),
                    number(Arrays.stream(values).min().orElse(0), series),
                    number(Arrays.stream(values).max().orElse(0), series),
                    series.metric().unit()));
        }
        table.lines().forEach(line -> out.println("  " + line));
        if (row.published().isPresent()) {
            out.println("  published " + row.published().getAsDouble()
                    + (row.role().isEmpty() ? "" : " (" + row.role() + ")"));
        }
    }

    /** Shares with four digits after the point, counts with one, others as in the table of the run. */
    private static String number(double value, Series series) {
        if (!series.metric().unit().isEmpty()) {
            return ResultTable.value(value, series.metric().unit());
        }
        boolean share = Arrays.stream(series.repeats()).allMatch(other -> Math.abs(other) <= 1);
        return String.format(Locale.ROOT, share ? "%.4f" : "%.1f", value);
    }

    @Command(
            name = "remove",
            description = "Remove stored runs for good.",
            mixinStandardHelpOptions = true,
            footer = {"", "Example: perch runs remove @2 261201-011508-v3"})
    int remove(
            @Parameters(arity = "1..*", paramLabel = "RUN", description = "Which runs; see perch runs --help.")
                    List<String> names,
            @Mixin StoreOption fromStore) {
        Store store = fromStore.open(surroundings);
        Set<String> ids = new LinkedHashSet<>();
        names.forEach(name -> ids.add(store.find(name)));
        store.remove(List.copyOf(ids));
        ids.forEach(id -> surroundings.out().println("removed " + id));
        return 0;
    }
}
