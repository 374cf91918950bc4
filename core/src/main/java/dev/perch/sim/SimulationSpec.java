package dev.perch.sim;

import dev.perch.kernel.Kernel;
import dev.perch.model.CpuMask;
import dev.perch.model.Machine;
import dev.perch.sim.workload.WorkloadItem;
import dev.perch.sim.workload.WorkloadSetup;
import java.util.List;

/**
 * Everything that determines a run: equal specs give equal events, byte for byte.
 *
 * @param machine must have a hardware model
 * @param kernel the scheduler
 * @param workload what runs; the first item gives the metric
 * @param settings of machine and boot
 * @param cpuset CPUs of an exclusive cpuset with its own sched domains in which the workload runs; empty: none
 * @param taskset affinity given to all tasks of the workload that are not pinned; empty: none
 * @param randomSeed of start CPUs, tick phase, noise and housekeeping
 * @param warmupNs simulated time before measuring begins
 * @param durationNs simulated time that is measured, 1 or more; a workload that comes to an end must do so within warm-up and this
 */
public record SimulationSpec(
        Machine machine,
        Kernel kernel,
        List<WorkloadItem> workload,
        Settings settings,
        CpuMask cpuset,
        CpuMask taskset,
        long randomSeed,
        long warmupNs,
        long durationNs) {
    public SimulationSpec {
        workload = List.copyOf(workload);
    }

    /** What the tasks are made from. */
    public WorkloadSetup workloadSetup() {
        return new WorkloadSetup(
                machine, workload, cpuset, taskset, settings.autogroup(), settings.housekeepingPerSecond());
    }
}
