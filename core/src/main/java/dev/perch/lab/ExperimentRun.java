package dev.perch.lab;

import dev.perch.sim.SimulationResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Runs experiments on a fixed number of threads. Results depend on the random seed alone: each run's seed comes from its place, and
 * results are gathered in order.
 */
public final class ExperimentRun {
    private static final long LOOK_MS = 50;

    private final Simulator simulator;
    private final int threads;
    private volatile boolean stopped;

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
     * Asks for an early end, from any thread: nothing more is begun, what runs is given up, and the result holds what is finished.
     */
    public void stop() {
        stopped = true;
    }

    /**
     * Runs every row as often as the experiment says, or until {@link #stop}.
     *
     * @param randomSeed from which every run's seed is derived
     * @param progress told after each run how many are done, from any thread
     */
    public ExperimentResult run(ExperimentPlan plan, long randomSeed, IntConsumer progress) {
        long start = System.nanoTime();
        List<RowResult> rows = run(plan.experiment(), plan.rows(), randomSeed, progress);
        return new ExperimentResult(plan, randomSeed, rows, Math.max(1, System.nanoTime() - start));
    }

    /**
     * Runs every row as often as the experiment says, and then on until it is known exactly enough. Which runs there are depends on the
     * random seed alone.
     *
     * @param randomSeed from which every run's seed is derived
     * @param progress told after each run how many are done, from any thread
     */
    public ExperimentResult run(ExperimentPlan plan, long randomSeed, Precision precision, IntConsumer progress) {
        long start = System.nanoTime();
        AtomicInteger done = new AtomicInteger();
        IntConsumer counting = each -> progress.accept(done.incrementAndGet());
        List<RowResult> rows = run(plan.experiment(), plan.rows(), randomSeed, counting);
        boolean going = true;
        while (going && !stopped) {
            going = false;
            int[] from = new int[rows.size()];
            int[] to = new int[rows.size()];
            for (int i = 0; i < rows.size(); i++) {
                from[i] = rows.get(i).runs().size();
                to[i] = from[i] + precision.moreRuns(rows.get(i).values());
                going |= to[i] > from[i];
            }
            if (going) {
                List<ExperimentRow> again = rows.stream().map(RowResult::row).toList();
                rows = joined(rows, run(plan.experiment(), again, from, to, randomSeed, counting));
            }
        }
        return new ExperimentResult(plan, randomSeed, rows, Math.max(1, System.nanoTime() - start));
    }

    /** Each row with its runs of both. */
    private static List<RowResult> joined(List<RowResult> rows, List<RowResult> more) {
        List<RowResult> joined = new ArrayList<>();
        for (RowResult row : rows) {
            List<SimulationResult> runs = new ArrayList<>(row.runs());
            List<Integer> repeats = new ArrayList<>(row.repeats());
            for (RowResult other : more) {
                if (other.row().index() == row.row().index()) {
                    runs.addAll(other.runs());
                    repeats.addAll(other.repeats());
                }
            }
            joined.add(new RowResult(row.row(), runs, repeats));
        }
        return joined;
    }

    /** Runs some rows; each gives the result that it has in the whole experiment. */
    List<RowResult> run(Experiment experiment, List<ExperimentRow> rows, long randomSeed, IntConsumer progress) {
        int[] to = new int[rows.size()];
        Arrays.fill(to, experiment.repeats());
        return run(experiment, rows, new int[rows.size()], to, randomSeed, progress);
    }

    /** Of each row the repeats from one number on and up to another. */
    private List<RowResult> run(
            Experiment experiment,
            List<ExperimentRow> rows,
            int[] from,
            int[] to,
            long randomSeed,
            IntConsumer progress) {
        AtomicInteger done = new AtomicInteger();
        ExecutorService pool = Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().daemon().name("run-", 0).factory());
        try {
            List<List<Future<SimulationResult>>> pending = new ArrayList<>();
            for (int i = 0; i < rows.size(); i++) {
                ExperimentRow row = rows.get(i);
                List<Future<SimulationResult>> runs = new ArrayList<>();
                for (int repeat = from[i]; repeat < to[i]; repeat++) {
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
            return gather(rows, from, pending);
        } finally {
            pool.shutdownNow();
        }
    }

    private List<RowResult> gather(List<ExperimentRow> rows, int[] from, List<List<Future<SimulationResult>>> pending) {
        List<RowResult> results = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            List<SimulationResult> runs = new ArrayList<>();
            List<Integer> repeats = new ArrayList<>();
            for (int run = 0; run < pending.get(i).size(); run++) {
                Future<SimulationResult> future = pending.get(i).get(run);
                if (isDone(future)) {
                    runs.add(result(future));
                    repeats.add(from[i] + run);
                }
            }
            if (!runs.isEmpty()) {
                results.add(new RowResult(rows.get(i), runs, repeats));
            }
        }
        return results;
    }

    /** Waits until a run is done, or the experiment is stopped. */
    private boolean isDone(Future<SimulationResult> run) {
        while (!run.isDone() && !stopped) {
            try {
                run.get(LOOK_MS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                // look whether it is stopped, and wait on
            } catch (ExecutionException e) {
                return true;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted before all runs were done", e);
            }
        }
        return run.isDone();
    }

    private static SimulationResult result(Future<SimulationResult> run) {
        if (run.state() == Future.State.SUCCESS) {
            return run.resultNow();
        }
        Throwable failure = run.exceptionNow();
        if (failure instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        throw new IllegalStateException("a run failed", failure);
    }
}
