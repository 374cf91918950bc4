package dev.perch.sim;

import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.sim.SimulationResult.Figure;
import dev.perch.sim.workload.Workload;
import dev.perch.sim.workload.WorkloadExpression;
import dev.perch.sim.workload.WorkloadKind;
import dev.perch.sim.workload.Workloads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Runs a modelled workload on a modelled machine under a modelled kernel.
 *
 * <p>Deterministic: equal specs give equal events and results on any computer, whatever else runs beside. A run is single-threaded; any
 * number may go on at once.
 *
 * <p>Limitations: see the classes of the parts, and {@code docs/model.md}.
 */
public final class Simulation {
    /** For runs whose events nobody wants to see. */
    public static final SchedEvents NO_LISTENER = new SchedEvents() {};

    /** Set ({@code -Dperch.check=true}) where every run is to be checked, as in tests. */
    private static final boolean ALWAYS_CHECKED = Boolean.getBoolean("perch.check");

    private static final double[] PERCENTILES = {50, 90, 99, 99.9};
    private static final double[] LOW_PERCENTILES = {50, 10, 1, 0.1};

    private Simulation() {}

    /**
     * Checks workload, pins, masks, governors and their tunables of a run without running it.
     *
     * @throws dev.perch.model.InputException what is wrong
     */
    public static void check(SimulationSpec spec) {
        Limits.check(spec, Workloads.build(spec.workloadSetup()).groups());
        new Governors(spec.machine(), spec.kernel(), spec.settings()).governor(1);
        Idling.check(spec);
    }

    /**
     * @throws dev.perch.model.InputException if the spec cannot be run: a workload, pin or CPU that does not exist, a machine without
     *     costs
     */
    public static SimulationResult run(SimulationSpec spec) {
        return run(spec, NO_LISTENER, new TaskNames());
    }

    /**
     * As {@link #run(SimulationSpec)}, telling {@code listener} every scheduler event from the start of the warm-up on.
     *
     * @param names learns what the tasks are called before the first event
     */
    public static SimulationResult run(SimulationSpec spec, SchedEvents listener, TaskNames names) {
        return run(new Run(spec, listener, ALWAYS_CHECKED), spec, names);
    }

    /**
     * As {@link #run(SimulationSpec)}, looking after each step whether all that must be true of any run is ({@link
     * dev.perch.sim.check.Invariant}); results are the same.
     *
     * @throws dev.perch.sim.check.InvariantViolation if it is not
     */
    public static SimulationResult runChecked(SimulationSpec spec) {
        return runChecked(spec, NO_LISTENER, new TaskNames());
    }

    /** {@link #run(SimulationSpec, SchedEvents, TaskNames)} and {@link #runChecked(SimulationSpec)} in one. */
    public static SimulationResult runChecked(SimulationSpec spec, SchedEvents listener, TaskNames names) {
        return run(new Run(spec, listener, true), spec, names);
    }

    private static SimulationResult run(Run run, SimulationSpec spec, TaskNames names) {
        Limits.check(spec, run.workload.groups());
        for (int task = 1; task < run.taskCount; task++) {
            names.learn(task, run.workload.tasks().get(task - 1).name());
        }
        run.begin();
        if (run.workload.ends()) {
            return untilItEnds(run);
        }
        run.advance(spec.warmupNs());
        run.measuringBegins();
        long end = spec.warmupNs() + spec.durationNs();
        run.advance(end - spec.durationNs() / 10);
        run.measurements.resetEnd();
        run.advance(end);
        return result(run, spec.durationNs());
    }

    private static SimulationResult untilItEnds(Run run) {
        long limit = run.spec.warmupNs() + run.spec.durationNs();
        run.advance(limit);
        if (!run.measurements.allEnded()) {
            throw new InputException("workload '" + WorkloadExpression.format(run.spec.workload())
                    + "' has not ended after " + limit / 1_000_000
                    + " ms of simulated time; give it more time (--duration) or less to do");
        }
        return result(run, run.now - run.measurements.firstBegan());
    }

    /**
     * Where the tasks of {@link #run(SimulationSpec, SchedEvents, TaskNames)} may run, by the pids that its events have; only tasks that
     * may not use all CPUs are in it.
     *
     * @throws dev.perch.model.InputException if the spec cannot be run
     */
    public static Map<Integer, CpuMask> affinities(SimulationSpec spec) {
        CpuMask all = spec.machine().topology().cpus();
        Map<Integer, CpuMask> affinities = new TreeMap<>();
        List<Workload.Task> tasks = Workloads.build(spec.workloadSetup()).tasks();
        for (int i = 0; i < tasks.size(); i++) {
            CpuMask allowed = tasks.get(i).allowed();
            if (!allowed.containsAll(all)) {
                affinities.put(i + 1, allowed);
            }
        }
        return affinities;
    }

    private static SimulationResult result(Run run, long measuredNs) {
        Measurements measured = run.measurements;
        List<SimulationResult.Instance> instances = new ArrayList<>();
        for (int i = 0; i < run.workload.instances().size(); i++) {
            WorkloadKind kind = run.workload.instances().get(i).kind();
            instances.add(new SimulationResult.Instance(
                    kind.name(),
                    measured.operations(i),
                    value(run, i, measuredNs / 1e9),
                    kind.metric(),
                    measured.endState(i),
                    figures(run, i, measuredNs / 1e9),
                    latencies(run, i)));
        }
        return new SimulationResult(
                List.copyOf(instances),
                measured.wakeups(),
                measured.bounced(),
                measured.placedOnBusy(),
                measured.scans(),
                measured.wakeupsByDistance(),
                measured.migrationsByDistance(),
                measured.balancerMigrations(),
                run.queue.taken(),
                run.digest.value());
    }

    private static double value(Run run, int instance, double seconds) {
        Measurements measured = run.measurements;
        return switch (run.workload.instances().get(instance).kind().measure()) {
            case RATE -> measured.operations(instance) / seconds;
            case AMOUNT_RATE -> measured.amount(instance) / 1e6 / seconds;
            case TIME_PER_OPERATION -> seconds * 1e6 / measured.operations(instance);
            case ELAPSED ->
                measured.elapsedNs(instance)
                        / 1e9
                        * run.workload.instances().get(instance).parts();
            case PERCENTILE -> {
                List<Workload.Series> series = run.workload.shared().series();
                int first = 0;
                while (series.get(first).instance() != instance) {
                    first++;
                }
                yield measured.latencies(first).getValueAtPercentile(99) / 1e3;
            }
        };
    }

    /** Percentiles of what the instance timed, and the rate of operations where the metric does not tell it. */
    private static List<Figure> figures(Run run, int instance, double seconds) {
        List<Figure> figures = new ArrayList<>();
        Measurements measured = run.measurements;
        switch (run.workload.instances().get(instance).kind().measure()) {
            case AMOUNT_RATE, ELAPSED, PERCENTILE ->
                figures.add(new Figure("operations", measured.operations(instance) / seconds, "1/s"));
            case RATE, TIME_PER_OPERATION -> {
                // the metric is the rate, or its inverse
            }
        }
        List<Workload.Counter> counters = run.workload.shared().counters();
        for (int counter = 0; counter < counters.size(); counter++) {
            if (counters.get(counter).instance() == instance) {
                figures.add(new Figure(counters.get(counter).name(), measured.tallied(counter) / seconds, "1/s"));
            }
        }
        for (Workload.LimitedGroup limited : run.workload.limited()) {
            if (limited.instance() == instance) {
                double ms = run.limits.throttledNs(limited.group()) / 1e6;
                figures.add(new Figure("group " + limited.path() + " throttled", ms / seconds, "ms/s"));
            }
        }
        List<Workload.Series> all = run.workload.shared().series();
        for (int series = 0; series < all.size(); series++) {
            if (all.get(series).instance() == instance) {
                for (double percent : all.get(series).margin() ? LOW_PERCENTILES : PERCENTILES) {
                    String name = all.get(series).name() + " p"
                            + Double.toString(percent).replaceFirst("\\.0$", "");
                    figures.add(new Figure(name, measured.latencies(series).getValueAtPercentile(percent) / 1e3, "us"));
                }
            }
        }
        return figures;
    }

    private static List<Latencies> latencies(Run run, int instance) {
        List<Latencies> latencies = new ArrayList<>();
        List<Workload.Series> all = run.workload.shared().series();
        for (int series = 0; series < all.size(); series++) {
            Histogram histogram = run.measurements.latencies(series);
            if (all.get(series).instance() == instance && histogram.getTotalCount() > 0) {
                latencies.add(Latencies.of(all.get(series).name(), histogram));
            }
        }
        return latencies;
    }
}
