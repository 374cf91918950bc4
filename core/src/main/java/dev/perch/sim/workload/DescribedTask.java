package dev.perch.sim.workload;

import dev.perch.model.CpuMask;
import java.util.List;

/**
 * One kind of task of a described workload.
 *
 * @param name command name; unique in its workload
 * @param copies how many run from the start, 0 or more; a task with 0 can be forked
 * @param policy of each copy
 * @param cpus its affinity; empty: that of the workload as a whole
 * @param group path of its task group; empty: that of the workload as a whole, or of the task that forks it
 * @param delayNs how long after the start it begins, 0 or more; its timers count from then
 * @param steps what it does; then it ends
 */
public record DescribedTask(
        String name, int copies, Workload.Policy policy, CpuMask cpus, String group, long delayNs, List<Step> steps) {
    public DescribedTask {
        steps = List.copyOf(steps);
    }
}
