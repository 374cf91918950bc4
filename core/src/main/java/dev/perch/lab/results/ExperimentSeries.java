package dev.perch.lab.results;

import dev.perch.lab.ExperimentResult;
import dev.perch.lab.ExperimentRow;
import dev.perch.lab.RowResult;
import dev.perch.model.Distance;
import dev.perch.sim.SimulationResult;
import dev.perch.sim.SimulationResult.Figure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What the runs of an experiment measured, as series: for each row its metric, the workload's figures, and how its wakeups were placed.
 *
 * <p>A row that did nothing in some run has no time of an operation there; that series is left out.
 */
public final class ExperimentSeries {
    /** Share of placed wakeups whose chosen CPU is not the previous one. */
    public static final Metric BOUNCE_RATE = new Metric("bounce rate", "", Direction.NEITHER);

    /** Share of placed wakeups for which no idle CPU was found. */
    public static final Metric PLACED_ON_BUSY = new Metric("placed on busy", "", Direction.NEITHER);

    /** Placed wakeups of the measured time. */
    public static final Metric WAKEUPS = new Metric("wakeups", "", Direction.NEITHER);

    /** Changes of CPU, by wakeups and by the load balancer. */
    public static final Metric MIGRATIONS = new Metric("migrations", "", Direction.NEITHER);

    /** Those that the load balancer made. */
    public static final Metric BALANCER_MIGRATIONS = new Metric("balancer migrations", "", Direction.NEITHER);

    private static final String ROW = "row";

    private final Map<Integer, Labels> labels;
    private final List<Distance> distances;

    /** @param result the whole experiment, since its rows are told apart by what the others are called */
    public ExperimentSeries(ExperimentResult result) {
        labels = labels(result.plan().rows());
        distances = Arrays.stream(Distance.all())
                .filter(distance -> result.rows().stream().anyMatch(row -> row.distanceShare(distance) > 0))
                .toList();
    }

    /** Everything that was measured, under a name; see {@link ResultSet}. */
    public static ResultSet of(String name, String source, ExperimentResult result) {
        ExperimentSeries series = new ExperimentSeries(result);
        List<Series> all = new ArrayList<>();
        result.rows().forEach(row -> all.addAll(series.of(row)));
        return new ResultSet(name, source, all);
    }

    /** Rows that would be called the same are told apart by their number. */
    private static Map<Integer, Labels> labels(List<ExperimentRow> rows) {
        Map<Labels, Integer> known = new HashMap<>();
        Map<Integer, Labels> labels = new HashMap<>();
        for (ExperimentRow row : rows) {
            Labels plain = axes(row);
            boolean taken = known.putIfAbsent(plain, row.index()) != null;
            labels.put(row.index(), taken ? plain.with(ROW, Integer.toString(row.index() + 1)) : plain);
        }
        return labels;
    }

    private static Labels axes(ExperimentRow row) {
        return Labels.NONE
                .with(Labels.MACHINE, row.key().machine())
                .with(Labels.KERNEL, row.key().kernel())
                .with(Labels.WORKLOAD, row.key().workload())
                .with(Labels.SETTING, row.reading().label())
                .with("cpuset", row.block().cpuset().toString())
                .with("taskset", row.block().taskset().toString());
    }

    /** The labels of a row: those of its axes, and the CPUs it is confined to. */
    public Labels labels(ExperimentRow row) {
        return labels.getOrDefault(row.index(), Labels.NONE);
    }

    /** The series of one row, its metric first. */
    public List<Series> of(RowResult row) {
        SeriesList all = new SeriesList(row, labels(row.row()));
        all.add(Metric.ofWorkload(row.metric()), run -> row.instanceValues(run).mean());
        for (Figure figure : row.figures()) {
            all.add(metric(figure), run -> figure(row, run, figure.name()));
        }
        all.add(BOUNCE_RATE, run -> share(run, run.bounced()));
        all.add(PLACED_ON_BUSY, run -> share(run, run.placedOnBusy()));
        all.add(WAKEUPS, SimulationResult::wakeups);
        for (Distance distance : distances) {
            Metric metric = new Metric("wakeup share " + distance.word(), "", Direction.NEITHER);
            all.add(metric, run -> share(run, run.wakeupsByDistance()[distance.ordinal()]));
        }
        all.add(MIGRATIONS, ExperimentSeries::migrations);
        all.add(BALANCER_MIGRATIONS, SimulationResult::balancerMigrations);
        return List.copyOf(all.list);
    }

    /** The series of a row, as far as they are. */
    private record SeriesList(RowResult row, Labels labels, List<Series> list) {
        SeriesList(RowResult row, Labels labels) {
            this(row, labels, new ArrayList<>());
        }

        void add(Metric metric, ToDoubleFunction<SimulationResult> value) {
            double[] values = row.runs().stream().mapToDouble(value).toArray();
            if (Arrays.stream(values).allMatch(Double::isFinite)) {
                list.add(new Series(labels, metric, values));
            }
        }
    }

    /** Times are better when they are short, but for those that were to spare; rates beside the metric are neither. */
    private static Metric metric(Figure figure) {
        Direction better = switch (figure.unit()) {
            case "us", "ns", "ms", "s" -> figure.name().contains("slack") ? Direction.HIGHER : Direction.LOWER;
            default -> Direction.NEITHER;
        };
        return new Metric(figure.name(), figure.unit(), better);
    }

    private static double figure(RowResult row, SimulationResult run, String name) {
        return row.instances(run).stream()
                .flatMap(instance -> instance.figures().stream())
                .filter(figure -> figure.name().equals(name))
                .mapToDouble(Figure::value)
                .average()
                .orElse(0);
    }

    private static double share(SimulationResult run, long part) {
        return run.wakeups() == 0 ? 0 : (double) part / run.wakeups();
    }

    private static double migrations(SimulationResult run) {
        long all = 0;
        for (long count : run.migrationsByDistance()) {
            all += count;
        }
        return all;
    }
}
