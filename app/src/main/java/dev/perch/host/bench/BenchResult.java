package dev.perch.host.bench;

import dev.perch.host.HostSystem;
import dev.perch.lab.results.Labels;
import dev.perch.lab.results.Series;
import java.util.ArrayList;
import java.util.List;

/**
 * What a benchmark measured on the host.
 *
 * @param rows those with a finished repeat, in the plan's order
 */
public record BenchResult(BenchPlan plan, HostSystem host, List<BenchRow> rows) {
    public BenchResult {
        rows = List.copyOf(rows);
    }

    /** Whether all repeats of all rows were finished. */
    public boolean isComplete() {
        return rows.size() == plan.placements().size()
                && rows.stream().allMatch(row -> row.repeats().size() == plan.repeats());
    }

    /** How many repeats of all rows were finished. */
    public int finished() {
        return rows.stream().mapToInt(row -> row.repeats().size()).sum();
    }

    /** What was measured, on the axes of simulated results. */
    public Labels labels(BenchRow row) {
        return Labels.NONE
                .with(Labels.MACHINE, HostSystem.NAME)
                .with(Labels.KERNEL, host.kernel())
                .with(Labels.WORKLOAD, plan.workload(row.placement()))
                .with(Labels.SETTING, plan.setting());
    }

    public List<Series> series(BenchRow row) {
        return row.series(labels(row), plan.benchmark().unit());
    }

    /** What the reader must know: what the host does not tell, and why numbers may be off. */
    public List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (!host.topologyProblem().isEmpty()) {
            notes.add("distances are not known: " + host.topologyProblem());
        }
        if (rows.stream().anyMatch(row -> row.migrations().isEmpty())) {
            notes.add("this kernel does not count migrations (no /proc/thread-self/sched)");
        }
        for (BenchRow row : rows) {
            if (!row.warning().isEmpty()) {
                notes.add("noisy, " + row.placement().text() + ": " + row.warning());
            }
        }
        return List.copyOf(notes);
    }
}
