package dev.perch.store;

import static dev.perch.store.parquet.Column.Type.BIGINT;
import static dev.perch.store.parquet.Column.Type.DOUBLE;
import static dev.perch.store.parquet.Column.Type.INTEGER;
import static dev.perch.store.parquet.Column.Type.VARCHAR;

import dev.perch.lab.ExperimentResult;
import dev.perch.lab.RandomSeeds;
import dev.perch.lab.RowResult;
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
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/**
 * The tables of a stored run, each a Parquet file: {@code runs} with a row for each repeat and metric, {@code instances} for each repeat and
 * instance of the workload, {@code histograms} for each distribution of times. All begin with the columns that name a repeat. Which run it
 * is stands in no file: it is the folder's name.
 */
final class RunTables {
    static final String RUNS = "runs";
    static final String INSTANCES = "instances";
    static final String HISTOGRAMS = "histograms";

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

    /** The columns of each table, by its name. */
    static final Map<String, List<Column>> COLUMNS = Map.of(
            RUNS,
            and(
                    new Column("metric", VARCHAR),
                    new Column("value", DOUBLE),
                    new Column("unit", VARCHAR),
                    new Column("better", VARCHAR),
                    new Column("published", DOUBLE),
                    new Column("role", VARCHAR)),
            INSTANCES,
            and(
                    new Column("instance", INTEGER),
                    new Column("item", VARCHAR),
                    new Column("operations", BIGINT),
                    new Column("value", DOUBLE),
                    new Column("unit", VARCHAR),
                    new Column("end_state", VARCHAR)),
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

    private RunTables() {}

    private static List<Column> and(Column... own) {
        List<Column> columns = new ArrayList<>(REPEAT);
        columns.addAll(List.of(own));
        return List.copyOf(columns);
    }

    static String file(String table) {
        return table + ".parquet";
    }

    /** Writes all tables of a run. */
    static void write(NewRun to, StoredRun run, ExperimentResult result) throws IOException {
        try (TableFile runs = open(to, RUNS)) {
            for (StoredRow row : run.rows()) {
                for (Series series : row.series()) {
                    write(runs, run, row, series);
                }
            }
        }
        try (TableFile instances = open(to, INSTANCES);
                TableFile histograms = open(to, HISTOGRAMS)) {
            for (int i = 0; i < run.rows().size(); i++) {
                RowResult measured = result.rows().get(i);
                for (int at = 0; at < measured.runs().size(); at++) {
                    write(instances, histograms, run, run.rows().get(i), measured.runs().get(at), at);
                }
            }
        }
    }

    private static TableFile open(NewRun to, String table) throws IOException {
        return new TableFile(to.file(file(table)), COLUMNS.getOrDefault(table, List.of()));
    }

    private static void write(TableFile runs, StoredRun run, StoredRow row, Series series) {
        for (int at = 0; at < series.repeats().length; at++) {
            int column = repeat(runs, run, row, at);
            runs.set(column++, series.metric().name());
            runs.set(column++, series.repeats()[at]);
            runs.set(column++, series.metric().unit());
            runs.set(column++, series.metric().better().word());
            boolean metric = series == row.series().getFirst();
            if (metric && row.published().isPresent()) {
                runs.set(column++, row.published().getAsDouble());
                if (!row.role().isEmpty()) {
                    runs.set(column, row.role());
                }
            }
            runs.endRow();
        }
    }

    private static void write(
            TableFile instances,
            TableFile histograms,
            StoredRun run,
            StoredRow row,
            SimulationResult measured,
            int at) {
        for (int i = 0; i < measured.instances().size(); i++) {
            Instance instance = measured.instances().get(i);
            int column = repeat(instances, run, row, at);
            instances.set(column++, (long) i);
            instances.set(column++, instance.workload());
            instances.set(column++, instance.operations());
            if (!instance.metric().isEmpty()) {
                instances.set(column, instance.value());
                instances.set(column + 1, instance.metric());
            }
            instances.set(column + 2, instance.state());
            instances.endRow();
            for (Latencies latencies : instance.latencies()) {
                column = repeat(histograms, run, row, at);
                histograms.set(column++, (long) i);
                histograms.set(column++, instance.workload());
                write(histograms, column, latencies);
                histograms.endRow();
            }
        }
    }

    private static void write(TableFile histograms, int first, Latencies latencies) {
        int column = first;
        Histogram histogram = latencies.histogram();
        histograms.set(column++, latencies.name());
        histograms.set(column++, histogram.getTotalCount());
        histograms.set(column++, histogram.getMinValue());
        histograms.set(column++, histogram.getMean());
        for (double percentile : new double[] {50, 90, 99, 99.9}) {
            histograms.set(column++, histogram.getValueAtPercentile(percentile));
        }
        histograms.set(column++, histogram.getMaxValue());
        histograms.set(column, Base64.getEncoder().encodeToString(latencies.encoded()));
    }

    /**
     * Which repeat the current row of a table is about.
     *
     * @param at place among the finished repeats
     * @return number of the next column
     */
    private static int repeat(TableFile table, StoredRun run, StoredRow row, int at) {
        int column = 0;
        int repeat = row.repeats().get(at);
        table.set(column++, run.experiment());
        table.set(column++, (long) row.index());
        table.set(column++, row.label());
        table.set(column++, row.machine());
        table.set(column++, row.kernel());
        table.set(column++, row.workload());
        table.set(column++, row.series().getFirst().labels().get(Labels.SETTING));
        table.set(column++, settings(row.settings()));
        table.set(column++, row.cpuset());
        table.set(column++, row.taskset());
        table.set(column++, (long) repeat);
        table.set(column++, RandomSeeds.of(run.seed(), row.index(), repeat));
        return column;
    }

    private static String settings(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(setting -> setting.getKey() + "=" + setting.getValue())
                .collect(Collectors.joining(" "));
    }
}
