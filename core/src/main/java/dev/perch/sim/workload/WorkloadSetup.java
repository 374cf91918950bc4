package dev.perch.sim.workload;

import dev.perch.model.CpuMask;
import dev.perch.model.Machine;
import java.util.List;

/**
 * What the tasks of a run are made from.
 *
 * @param machine says what a workload's steps cost
 * @param items what runs side by side
 * @param cpuset CPUs of an exclusive cpuset in which the workload runs; empty: the whole machine
 * @param taskset affinity given to all tasks that are not pinned; empty: none
 * @param autogroup each item is a session, and each session a task group
 * @param housekeepingPerSecond sparse wakeups of pinned kernel threads on the whole machine, a second
 */
public record WorkloadSetup(
        Machine machine,
        List<WorkloadItem> items,
        CpuMask cpuset,
        CpuMask taskset,
        boolean autogroup,
        int housekeepingPerSecond) {
    public WorkloadSetup {
        items = List.copyOf(items);
    }
}
