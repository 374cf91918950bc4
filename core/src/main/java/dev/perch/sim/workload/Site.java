package dev.perch.sim.workload;

import dev.perch.model.Cost;
import dev.perch.model.CpuMask;
import dev.perch.model.Machine;

/**
 * Where a workload runs.
 *
 * @param home the CPUs that it may be pinned to
 * @param free the CPUs of what is not pinned
 */
record Site(Machine machine, CpuMask home, CpuMask free) {
    /**
     * A workload's own cost on the machine.
     *
     * @throws dev.perch.model.InputException if the machine does not have it
     */
    Cost cost(String workload, String name) {
        return machine.requireModel().workloadCost(machine.name(), workload, name);
    }

    /**
     * What the work of a system call costs on the machine, whatever the workload: {@code workloads.system-calls} of its file.
     *
     * @throws dev.perch.model.InputException if the machine does not have it
     */
    Cost call(String name) {
        return cost("system-calls", name);
    }

    /** Number of CPUs that a workload may use. */
    int cpuCount() {
        return free.count();
    }

    /** {@code perKib} for so many bytes. */
    static Cost scaled(Cost perKib, int bytes) {
        return new Cost(
                (int) ((long) perKib.coreNs() * bytes / 1024), (int) ((long) perKib.wallNs() * bytes / 1024), (int)
                        ((long) perKib.lines() * bytes / 1024));
    }
}
