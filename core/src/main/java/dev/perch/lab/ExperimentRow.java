package dev.perch.lab;

import dev.perch.kernel.Kernel;
import dev.perch.lab.Experiment.Block;
import dev.perch.lab.Experiment.Published;
import dev.perch.lab.Experiment.Reading;
import dev.perch.lab.Experiment.Role;
import dev.perch.model.Machine;
import dev.perch.sim.SimulationSpec;
import dev.perch.sim.workload.WorkloadItem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One row of an experiment with everything it names found: ready to run.
 *
 * @param index place among all rows of the experiment, from 0; part of its random seeds
 * @param group rows of one group share block, machine and reading: one table; its first row is what the others are compared with
 * @param label what the table shows: the labels of the axes that vary within the group
 * @param key the labels of all three axes
 * @param workloadText the workload as an expression
 * @param workload the workload's items
 * @param published what was published about this row; null if nothing was
 */
public record ExperimentRow(
        int index,
        int group,
        String label,
        RowKey key,
        Block block,
        Reading reading,
        Machine machine,
        Kernel kernel,
        String workloadText,
        List<WorkloadItem> workload,
        @Nullable Published published) {
    public ExperimentRow {
        workload = List.copyOf(workload);
    }

    /** What the published value is to the model here: nothing where the reading is not judged. */
    public @Nullable Role role() {
        return published == null || !reading.judged() ? null : published.role();
    }

    /** What is simulated in one run of this row. */
    public SimulationSpec spec(long randomSeed, long warmupNs, long durationNs) {
        return new SimulationSpec(
                machine,
                kernel,
                workload,
                reading.settings(),
                block.cpuset(),
                block.taskset(),
                randomSeed,
                warmupNs,
                durationNs);
    }

    /** The same row on another version of its machine; for calibration. */
    public ExperimentRow on(Machine other) {
        return new ExperimentRow(
                index, group, label, key, block, reading, other, kernel, workloadText, workload, published);
    }
}
