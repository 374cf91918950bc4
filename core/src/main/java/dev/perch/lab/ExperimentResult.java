package dev.perch.lab;

import dev.perch.lab.Experiment.Role;
import java.util.ArrayList;
import java.util.List;

/**
 * An experiment that was run.
 *
 * @param plan what was run
 * @param randomSeed from which every run's seed was derived
 * @param rows in the order of the plan
 * @param wallNs real time that the runs took, all threads together from first to last; the only part that differs between equal runs
 */
public record ExperimentResult(ExperimentPlan plan, long randomSeed, List<RowResult> rows, long wallNs) {
    public ExperimentResult {
        rows = List.copyOf(rows);
    }

    /** The rows of each table. */
    public List<List<RowResult>> groups() {
        List<List<RowResult>> groups = new ArrayList<>();
        for (RowResult row : rows) {
            if (row.row().group() == groups.size()) {
                groups.add(new ArrayList<>());
            }
            groups.getLast().add(row);
        }
        return groups;
    }

    /** The rows with a published value of a role. */
    public List<RowResult> rows(Role role) {
        return rows.stream().filter(row -> row.row().role() == role).toList();
    }

    /** Mean of a row over that of the first row of its table. */
    public double ratio(RowResult row) {
        RowResult first = groups().get(row.row().group()).getFirst();
        double reference = first.values().mean();
        return reference == 0 ? 0 : row.values().mean() / reference;
    }

    /** Event-queue entries of all runs, warm-up included. */
    public long events() {
        return rows.stream().mapToLong(RowResult::events).sum();
    }

    /** Simulated time of all runs, warm-up included. */
    public long simulatedNs() {
        Experiment experiment = plan.experiment();
        return (experiment.warmupNs() + experiment.durationNs()) * experiment.repeats() * rows.size();
    }
}
