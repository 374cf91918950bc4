package dev.perch.lab;

import dev.perch.lab.statistics.Sample;
import dev.perch.model.Distance;
import dev.perch.model.InputException;
import dev.perch.sim.SimulationResult;
import dev.perch.sim.SimulationResult.Figure;
import dev.perch.sim.SimulationResult.Instance;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * What the runs of one row measured.
 *
 * <p>The value of a run is the mean over the instances of the workload's first item (and of further items of the same name: three pairs
 * pinned to three cores are three items).
 *
 * @param row which row
 * @param runs one result for each repeat that was finished, in order; at least one
 * @param repeats which repeats those are, from 0; all, unless the experiment was stopped
 */
public record RowResult(ExperimentRow row, List<SimulationResult> runs, List<Integer> repeats) {
    public RowResult {
        runs = List.copyOf(runs);
        repeats = List.copyOf(repeats);
    }

    /** A row none of whose repeats is missing. */
    public RowResult(ExperimentRow row, List<SimulationResult> runs) {
        this(row, runs, IntStream.range(0, runs.size()).boxed().toList());
    }

    /** The instances of one run that give its value. */
    public List<Instance> instances(SimulationResult run) {
        String name = row.workload().getFirst().name();
        List<Instance> measured = new ArrayList<>();
        for (Instance instance : run.instances()) {
            if (instance.workload().equals(name)) {
                measured.add(instance);
            }
        }
        if (measured.isEmpty()) {
            throw new InputException(
                    "workload '" + row.workloadText() + "' measures nothing; begin it with one that does");
        }
        return measured;
    }

    /** How many instances a run's value is the mean of. */
    public int instanceCount() {
        return instances(runs.getFirst()).size();
    }

    /** The unit of the values, such as {@code transactions/s}. */
    public String metric() {
        return instances(runs.getFirst()).getFirst().metric();
    }

    /** The values of the instances of one run, in the order of the workload expression. */
    public Sample instanceValues(SimulationResult run) {
        return new Sample(instances(run).stream().mapToDouble(Instance::value).toArray());
    }

    /** The value of each run. */
    public Sample values() {
        return new Sample(
                runs.stream().mapToDouble(run -> instanceValues(run).mean()).toArray());
    }

    /** The mean over the runs of how far the instances of one run lie apart, relative to their mean. */
    public double instanceSpread() {
        return new Sample(runs.stream()
                        .mapToDouble(run -> instanceValues(run).spread())
                        .toArray())
                .mean();
    }

    /** Mean over published value minus 1; 0 if nothing was published. */
    public double error() {
        return row.published() == null ? 0 : values().mean() / row.published().value() - 1;
    }

    /** Placed wakeups of all runs. */
    public long wakeups() {
        return runs.stream().mapToLong(SimulationResult::wakeups).sum();
    }

    /** Event-queue entries of all runs, warm-up included. */
    public long events() {
        return runs.stream().mapToLong(SimulationResult::events).sum();
    }

    /** Changes of CPU that the load balancer made, in all runs. */
    public long balancerMigrations() {
        return runs.stream().mapToLong(SimulationResult::balancerMigrations).sum();
    }

    /** Share of placed wakeups whose chosen CPU is not the previous one; 0 without wakeups. */
    public double bounceRate() {
        long wakeups = wakeups();
        return wakeups == 0
                ? 0
                : (double) runs.stream().mapToLong(SimulationResult::bounced).sum() / wakeups;
    }

    /** Share of placed wakeups at a distance from waker to chosen CPU; 0 without wakeups. */
    public double distanceShare(Distance distance) {
        long wakeups = wakeups();
        long there = runs.stream()
                .mapToLong(run -> run.wakeupsByDistance()[distance.ordinal()])
                .sum();
        return wakeups == 0 ? 0 : (double) there / wakeups;
    }

    /** Share of placed wakeups for which no idle CPU was found; 0 without wakeups. */
    public double busyShare() {
        long wakeups = wakeups();
        return wakeups == 0
                ? 0
                : (double) runs.stream()
                                .mapToLong(SimulationResult::placedOnBusy)
                                .sum()
                        / wakeups;
    }

    /** Scans of last-level caches, in all runs. */
    public SimulationResult.Scans scans() {
        long made = 0;
        long nothingIdle = 0;
        long overBudget = 0;
        long probes = 0;
        for (SimulationResult run : runs) {
            made += run.scans().made();
            nothingIdle += run.scans().nothingIdle();
            overBudget += run.scans().overBudget();
            probes += run.scans().probes();
        }
        return new SimulationResult.Scans(made, nothingIdle, overBudget, probes);
    }

    /** What the workload measures beside its metric: the mean over instances and runs of each figure. */
    public List<Figure> figures() {
        List<Figure> means = new ArrayList<>();
        for (Figure figure : instances(runs.getFirst()).getFirst().figures()) {
            double mean = runs.stream()
                    .flatMap(run -> instances(run).stream())
                    .flatMap(instance -> instance.figures().stream())
                    .filter(other -> other.name().equals(figure.name()))
                    .mapToDouble(Figure::value)
                    .average()
                    .orElse(figure.value());
            means.add(new Figure(figure.name(), mean, figure.unit()));
        }
        return means;
    }

    /** Changes of CPU over a distance, in all runs. */
    public long migrations(Distance distance) {
        return runs.stream()
                .mapToLong(run -> run.migrationsByDistance()[distance.ordinal()])
                .sum();
    }

    /** Share of the measured instances of all runs that ended in each state, most frequent first. */
    public List<Map.Entry<String, Double>> stateShares() {
        Map<String, Integer> counts = new TreeMap<>();
        int total = 0;
        for (SimulationResult run : runs) {
            for (Instance instance : instances(run)) {
                if (!instance.state().isEmpty()) {
                    counts.merge(instance.state(), 1, Integer::sum);
                    total++;
                }
            }
        }
        List<Map.Entry<String, Double>> shares = new ArrayList<>();
        for (Map.Entry<String, Integer> count : counts.entrySet()) {
            shares.add(Map.entry(count.getKey(), (double) count.getValue() / total));
        }
        shares.sort(Map.Entry.<String, Double>comparingByValue().reversed());
        return shares;
    }
}
