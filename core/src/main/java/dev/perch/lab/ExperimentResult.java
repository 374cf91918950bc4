package dev.perch.lab;

import dev.perch.lab.Experiment.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * An experiment that was run.
 *
 * @param plan what was run
 * @param randomSeed from which every run's seed was derived
 * @param rows in the order of the plan; rows of which no repeat was finished are missing
 * @param wallNs real time that the runs took, all threads together from first to last; the only part that differs between equal runs
 */
public record ExperimentResult(ExperimentPlan plan, long randomSeed, List<RowResult> rows, long wallNs) {
    public ExperimentResult {
        rows = List.copyOf(rows);
    }

    /** The rows of each table. */
    public List<List<RowResult>> groups() {
        Map<Integer, List<RowResult>> groups = new TreeMap<>();
        for (RowResult row : rows) {
            groups.computeIfAbsent(row.row().group(), group -> new ArrayList<>())
                    .add(row);
        }
        return List.copyOf(groups.values());
    }

    /** The rows with a published value of a role. */
    public List<RowResult> rows(Role role) {
        return rows.stream().filter(row -> row.row().role() == role).toList();
    }

    /** Mean of a row over that of the first row of its table with the same unit: rates and times have no ratio. */
    public double ratio(RowResult row) {
        RowResult first = rows.stream()
                .filter(other -> other.row().group() == row.row().group())
                .filter(other -> other.metric().equals(row.metric()))
                .findFirst()
                .orElseThrow();
        double reference = first.values().mean();
        return reference == 0 ? 0 : row.values().mean() / reference;
    }

    /** How many runs were finished. */
    public int runs() {
        return rows.stream().mapToInt(row -> row.runs().size()).sum();
    }

    /** Whether every row was run as often as the experiment says, or more often. */
    public boolean isComplete() {
        int repeats = plan.experiment().repeats();
        return rows.size() == plan.rows().size()
                && rows.stream().allMatch(row -> row.runs().size() >= repeats);
    }

    /** Event-queue entries of all runs, warm-up included. */
    public long events() {
        return rows.stream().mapToLong(RowResult::events).sum();
    }

    /** Simulated time of all runs, warm-up included. */
    public long simulatedNs() {
        Experiment experiment = plan.experiment();
        return (experiment.warmupNs() + experiment.durationNs()) * runs();
    }
}
