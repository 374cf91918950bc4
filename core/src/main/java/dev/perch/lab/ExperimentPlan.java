package dev.perch.lab;

import dev.perch.kernel.Kernel;
import dev.perch.lab.Experiment.Block;
import dev.perch.lab.Experiment.Choice;
import dev.perch.lab.Experiment.Published;
import dev.perch.lab.Experiment.Reading;
import dev.perch.model.InputException;
import dev.perch.model.Machine;
import dev.perch.sim.Simulation;
import dev.perch.sim.workload.WorkloadExpression;
import dev.perch.workloads.WorkloadFiles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rows of an experiment, in the order of its tables: blocks, in them machines, in them readings, in them kernels, in them workloads.
 *
 * <p>Everything that can be wrong with a row is found here, before the first run.
 *
 * @param experiment what was planned
 * @param rows at least one
 */
public record ExperimentPlan(Experiment experiment, List<ExperimentRow> rows) {
    public ExperimentPlan {
        rows = List.copyOf(rows);
    }

    /**
     * Finds what the experiment names.
     *
     * @param catalogue knows the machines and kernels
     * @throws InputException a name that does not exist, CPUs that the machine lacks, an option that does not fit
     */
    public static ExperimentPlan of(Experiment experiment, Catalogue catalogue) {
        Map<String, Machine> machines = new HashMap<>();
        Map<String, Kernel> kernels = new HashMap<>();
        List<ExperimentRow> rows = new ArrayList<>();
        int group = 0;
        for (Block block : experiment.blocks()) {
            for (Choice machineChoice : block.machines()) {
                Machine machine = machines.computeIfAbsent(machineChoice.expression(), catalogue::machine);
                for (Reading reading : block.readings()) {
                    for (Choice kernelChoice : block.kernels()) {
                        Kernel kernel = kernels.computeIfAbsent(kernelChoice.expression(), catalogue::kernel);
                        for (Choice workload : block.workloads()) {
                            RowKey key = new RowKey(machineChoice.label(), kernelChoice.label(), workload.label());
                            ExperimentRow row = new ExperimentRow(
                                    rows.size(),
                                    group,
                                    label(block, key),
                                    key,
                                    block,
                                    reading,
                                    machine,
                                    kernel,
                                    workload.expression(),
                                    WorkloadFiles.read(WorkloadExpression.parse(workload.expression())),
                                    published(block, key));
                            Simulation.check(row.spec(0, experiment.warmupNs(), experiment.durationNs()));
                            rows.add(row);
                        }
                    }
                    group++;
                }
            }
        }
        if (rows.isEmpty()) {
            throw new InputException("experiment '" + experiment.name() + "' has no rows");
        }
        return new ExperimentPlan(experiment, rows);
    }

    /** The rows of each table. */
    public List<List<ExperimentRow>> groups() {
        List<List<ExperimentRow>> groups = new ArrayList<>();
        for (ExperimentRow row : rows) {
            if (row.group() == groups.size()) {
                groups.add(new ArrayList<>());
            }
            groups.getLast().add(row);
        }
        return groups;
    }

    private static String label(Block block, RowKey key) {
        if (block.workloads().size() == 1) {
            return key.kernel();
        }
        return block.kernels().size() == 1 ? key.workload() : key.kernel() + " " + key.workload();
    }

    private static @Nullable Published published(Block block, RowKey key) {
        for (Published published : block.published()) {
            if (published.row().matches(key)) {
                return published;
            }
        }
        return null;
    }
}
