package dev.perch.store;

import static dev.perch.store.parquet.Column.Type.BIGINT;
import static dev.perch.store.parquet.Column.Type.DOUBLE;
import static dev.perch.store.parquet.Column.Type.INTEGER;
import static dev.perch.store.parquet.Column.Type.VARCHAR;

import dev.perch.lab.ExperimentResult;
import dev.perch.lab.RandomSeeds;
import dev.perch.lab.results.Labels;
import dev.perch.lab.results.Series;
import dev.perch.sim.Latencies;
import dev.perch.sim.SimulationResult;
import dev.perch.sim.SimulationResult.Instance;
import dev.perch.store.parquet.Column;
import dev.perch.store.parquet.TableFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/**
 * The tables of a stored run, each a Parquet file: {@code runs} with a row for each repeat and metric, {@code instances} for each repeat and
 * instance of the workload, {@code histograms} for each distribution of times. All begin with the columns that name a repeat. Which run it
 * is stands in no file: it is the folder's name.
 */
public final class RunTables {
    static final String RUNS = "runs";
    static final String INSTANCES = "instances";
    static final String HISTOGRAMS = "histograms";

    private static final double[] PERCENTILES = {50, 90, 99, 99.9};

    private static final List<Column> REPEAT = List.of(
            new Column("experiment", VARCHAR),
            new Column("row", INTEGER),
            new Column("label", VARCHAR),
            new Column("machine", VARCHAR),
            new Column("kernel", VARCHAR),
            new Column("workload", VARCHAR),
            new Column("setting", VARCHAR),
            new Column("settings", VARCHAR),
            new Column("cpuset", VARCHAR),
            new Column("taskset", VARCHAR),
            new Column("repeat", INTEGER),
            new Column("seed", BIGINT));

    /** The columns of each table, in the order in which tables are shown. */
    static final Map<String, List<Column>> COLUMNS = columns();

    private RunTables() {}

    private static Map<String, List<Column>> columns() {
        Map<String, List<Column>> columns = new LinkedHashMap<>();
        columns.put(
                RUNS,
                and(
                        new Column("metric", VARCHAR),
                        new Column("value", DOUBLE),
                        new Column("unit", VARCHAR),
                        new Column("better", VARCHAR),
                        new Column("published", DOUBLE),
                        new Column("role", VARCHAR)));
        columns.put(
                INSTANCES,
                and(
                        new Column("instance", INTEGER),
                        new Column("item", VARCHAR),
                        new Column("operations", BIGINT),
                        new Column("value", DOUBLE),
                        new Column("unit", VARCHAR),
                        new Column("end_state", VARCHAR)));
        columns.put(
                HISTOGRAMS,
                and(
                        new Column("instance", INTEGER),
                        new Column("item", VARCHAR),
                        new Column("name", VARCHAR),
                        new Column("count", BIGINT),
                        new Column("min_ns", BIGINT),
                        new Column("mean_ns", DOUBLE),
                        new Column("p50_ns", BIGINT),
                        new Column("p90_ns", BIGINT),
                        new Column("p99_ns", BIGINT),
                        new Column("p999_ns", BIGINT),
                        new Column("max_ns", BIGINT),
                        new Column("encoded", VARCHAR)));
        return Collections.unmodifiableMap(columns);
    }

    private static List<Column> and(Column... own) {
        List<Column> columns = new ArrayList<>(REPEAT);
        columns.addAll(List.of(own));
        return List.copyOf(columns);
    }

    /** The tables there are of runs. */
    public static Set<String> all() {
        return COLUMNS.keySet();
    }

    static String file(String table) {
        return table + ".parquet";
    }

    /** Writes all tables of a run. */
    static void write(NewRun to, StoredRun run, ExperimentResult result) throws IOException {
        try (TableFile runs = open(to, RUNS);
                TableFile instances = open(to, INSTANCES);
                TableFile histograms = open(to, HISTOGRAMS)) {
            for (int i = 0; i < run.rows().size(); i++) {
                StoredRow row = run.rows().get(i);
                writeRuns(new Cells(runs), run, row);
                List<SimulationResult> measured = result.rows().get(i).runs();
                for (int at = 0; at < measured.size(); at++) {
                    writeInstances(new Cells(instances), run, row, measured.get(at), at);
                    writeHistograms(new Cells(histograms), run, row, measured.get(at), at);
                }
            }
        }
    }

    /** Writes the tables of a run of which no more is known: those of instances and histograms are empty. */
    static void write(NewRun to, StoredRun run) throws IOException {
        try (TableFile runs = open(to, RUNS)) {
            run.rows().forEach(row -> writeRuns(new Cells(runs), run, row));
        }
        open(to, INSTANCES).close();
        open(to, HISTOGRAMS).close();
    }

    private static TableFile open(NewRun to, String table) throws IOException {
        return new TableFile(to.file(file(table)), COLUMNS.getOrDefault(table, List.of()));
    }

    private static void writeRuns(Cells runs, StoredRun run, StoredRow row) {
        Series metric = row.series().getFirst();
        for (Series series : row.series()) {
            for (int at = 0; at < series.repeats().length; at++) {
                writeRepeat(runs, run, row, at);
                runs.word(series.metric().name());
                runs.set(series.repeats()[at]);
                runs.word(series.metric().unit());
                runs.word(series.metric().better().word());
                if (series.equals(metric) && row.published().isPresent()) {
                    runs.set(row.published().getAsDouble());
                    runs.word(row.role());
                }
                runs.endRow();
            }
        }
    }

    private static void writeInstances(
            Cells instances, StoredRun run, StoredRow row, SimulationResult measured, int at) {
        for (int i = 0; i < measured.instances().size(); i++) {
            Instance instance = measured.instances().get(i);
            writeRepeat(instances, run, row, at);
            instances.set(i);
            instances.word(instance.workload());
            instances.set(instance.operations());
            if (instance.metric().isEmpty()) {
                instances.skip();
            } else {
                instances.set(instance.value());
            }
            instances.word(instance.metric());
            instances.word(instance.state());
            instances.endRow();
        }
    }

    private static void writeHistograms(
            Cells histograms, StoredRun run, StoredRow row, SimulationResult measured, int at) {
        for (int i = 0; i < measured.instances().size(); i++) {
            Instance instance = measured.instances().get(i);
            for (Latencies latencies : instance.latencies()) {
                Histogram histogram = latencies.histogram();
                writeRepeat(histograms, run, row, at);
                histograms.set(i);
                histograms.word(instance.workload());
                histograms.word(latencies.name());
                histograms.set(histogram.getTotalCount());
                histograms.set(histogram.getMinValue());
                histograms.set(histogram.getMean());
                for (double percentile : PERCENTILES) {
                    histograms.set(histogram.getValueAtPercentile(percentile));
                }
                histograms.set(histogram.getMaxValue());
                histograms.word(Base64.getEncoder().encodeToString(latencies.encoded()));
                histograms.endRow();
            }
        }
    }

    /**
     * Which repeat the current row of a table is about.
     *
     * @param at place among the finished repeats
     */
    private static void writeRepeat(Cells table, StoredRun run, StoredRow row, int at) {
        int repeat = row.repeats().get(at);
        table.word(run.experiment());
        table.set(row.index());
        table.word(row.label());
        table.word(row.machine());
        table.word(row.kernel());
        table.word(row.workload());
        table.word(row.series().getFirst().labels().get(Labels.SETTING));
        table.word(settings(row.settings()));
        table.word(row.cpuset());
        table.word(row.taskset());
        table.set(repeat);
        if (run.measured()) {
            table.skip();
        } else {
            table.set(RandomSeeds.of(run.seed(), row.index(), repeat));
        }
    }

    private static String settings(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(setting -> setting.getKey() + "=" + setting.getValue())
                .collect(Collectors.joining(" "));
    }
}
