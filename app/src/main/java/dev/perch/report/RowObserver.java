package dev.perch.report;

import dev.perch.audit.Audit;
import dev.perch.audit.AuditOptions;
import dev.perch.audit.AuditOptions.Moment;
import dev.perch.lab.Experiment;
import dev.perch.lab.ExperimentResult;
import dev.perch.lab.RandomSeeds;
import dev.perch.lab.RowResult;
import dev.perch.model.TaskNames;
import dev.perch.report.chart.ReportRow;
import dev.perch.report.chart.ReportRow.Observed;
import dev.perch.report.observe.Observer;
import dev.perch.sim.Simulation;
import dev.perch.sim.SimulationSpec;
import dev.perch.sim.workload.Workloads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Watches one run of each row of an experiment: the repeat whose value is nearest to the median of all is run once more, with an audit
 * that listens. Equal specifications give equal events, so it is the run that is in the table.
 *
 * <p>Only the measured time is looked at; for workloads that come to an end, all of it.
 */
public final class RowObserver {
    private RowObserver() {}

    /**
     * Watches each row.
     *
     * @param threads how many run at once; changes no result
     * @param progress told after each row how many are done, from any thread
     * @return in the order of the rows
     */
    public static List<Observed> observe(ExperimentResult result, int threads, IntConsumer progress) {
        AtomicInteger done = new AtomicInteger();
        try (ExecutorService pool = Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().daemon().name("watch-", 0).factory())) {
            List<Future<Observed>> pending = new ArrayList<>();
            for (RowResult row : result.rows()) {
                pending.add(pool.submit(() -> {
                    Observed observed = observe(row, result);
                    progress.accept(done.incrementAndGet());
                    return observed;
                }));
            }
            return gather(pending, pool);
        }
    }

    private static List<Observed> gather(List<Future<Observed>> pending, ExecutorService pool) {
        List<Observed> observed = new ArrayList<>();
        try {
            for (Future<Observed> one : pending) {
                observed.add(one.get());
            }
            return observed;
        } catch (ExecutionException e) {
            pool.shutdownNow();
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException("a run failed while it was watched", e);
        } catch (InterruptedException e) {
            pool.shutdownNow();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted before all rows were watched", e);
        }
    }

    private static Observed observe(RowResult row, ExperimentResult result) {
        Experiment experiment = result.plan().experiment();
        int repeat = row.repeats().get(ReportRow.representative(row.values()));
        SimulationSpec spec = row.row()
                .spec(
                        RandomSeeds.of(result.randomSeed(), row.row().index(), repeat),
                        experiment.warmupNs(),
                        experiment.durationNs());
        boolean ends = Workloads.build(spec.workloadSetup()).ends();
        AuditOptions options = AuditOptions.of(spec.machine().topology())
                .withModel(spec.machine().model())
                .withMachineName(spec.machine().name())
                .withAffinity(Simulation.affinities(spec))
                .withInterval(ends ? Moment.START : new Moment(spec.warmupNs(), false), Moment.END);
        TaskNames names = new TaskNames();
        Audit audit = new Audit(options, names);
        Observer observer = new Observer(audit, options, names);
        Simulation.run(spec, observer.events(), names);
        return new Observed(repeat, observer.finish(audit.finish()));
    }
}
