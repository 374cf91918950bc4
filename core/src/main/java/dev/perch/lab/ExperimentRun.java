package dev.perch.lab;

import dev.perch.sim.SimulationResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Runs experiments on a fixed number of threads. Results depend on the random seed alone: each run's seed comes from its place, and
 * results are gathered in order.
 */
public final class ExperimentRun {
    private final Simulator simulator;
    private final int threads;

    /**
     * @param simulator runs one specification
     * @param threads how many run at once, 1 or more
     */
    public ExperimentRun(Simulator simulator, int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("threads " + threads);
        }
        this.simulator = simulator;
        this.threads = threads;
    }

    /**
     * Runs every row as often as the experiment says.
     *
     * @param randomSeed from which every run's seed is derived
     * @param progress told after each run how many are done, from any thread
     */
    public ExperimentResult run(ExperimentPlan plan, long randomSeed, IntConsumer progress) {
        long start = System.nanoTime();
        List<RowResult> rows = run(plan.experiment(), plan.rows(), randomSeed, progress);
        return new ExperimentResult(plan, randomSeed, rows, Math.max(1, System.nanoTime() - start));
    }

    /** Runs some rows; each gives the result that it has in the whole experiment. */
    List<RowResult> run(Experiment experiment, List<ExperimentRow> rows, long randomSeed, IntConsumer progress) {
        AtomicInteger done = new AtomicInteger();
        try (ExecutorService pool = Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().daemon().name("run-", 0).factory())) {
            List<List<Future<SimulationResult>>> pending = new ArrayList<>();
            for (ExperimentRow row : rows) {
                List<Future<SimulationResult>> runs = new ArrayList<>();
                for (int repeat = 0; repeat < experiment.repeats(); repeat++) {
                    long seed = RandomSeeds.of(randomSeed, row.index(), repeat);
                    runs.add(pool.submit(() -> {
                        SimulationResult result =
                                simulator.run(row.spec(seed, experiment.warmupNs(), experiment.durationNs()));
                        progress.accept(done.incrementAndGet());
                        return result;
                    }));
                }
                pending.add(runs);
            }
            return gather(rows, pending, pool);
        }
    }

    private static List<RowResult> gather(
            List<ExperimentRow> rows, List<List<Future<SimulationResult>>> pending, ExecutorService pool) {
        List<RowResult> results = new ArrayList<>();
        try {
            for (int i = 0; i < rows.size(); i++) {
                List<SimulationResult> runs = new ArrayList<>();
                for (Future<SimulationResult> run : pending.get(i)) {
                    runs.add(run.get());
                }
                results.add(new RowResult(rows.get(i), runs));
            }
            return results;
        } catch (ExecutionException e) {
            pool.shutdownNow();
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            if (e.getCause() instanceof Error failure) {
                throw failure;
            }
            throw new IllegalStateException("a run failed", e);
        } catch (InterruptedException e) {
            pool.shutdownNow();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted before all runs were done", e);
        }
    }
}
