package dev.perch.sim;

import dev.perch.model.CpuMask;
import java.util.ArrayList;
import java.util.List;

/**
 * The tasks of a run: what each does, where it may run, which instance of the workload it belongs to.
 *
 * @param tasks in task number order; the first gets number 1
 * @param channels how many channels their programs use
 * @param instances the instances, in the order of the expression
 */
record Workload(List<Task> tasks, int channels, List<Instance> instances) {
    /** The {@link Task#instance} of a task that belongs to no instance: housekeeping. */
    static final int NO_INSTANCE = -1;

    /**
     * @param name command name
     * @param allowed its affinity
     * @param instance index in {@link #instances}, or {@link #NO_INSTANCE}
     */
    record Task(String name, Program program, CpuMask allowed, int instance) {}

    /** One instance of a kind. */
    record Instance(WorkloadKind kind) {}

    /** Collects tasks while a workload is put together. */
    static final class Builder {
        private final List<Task> tasks = new ArrayList<>();
        private final List<Instance> instances = new ArrayList<>();
        private int channels;

        int addChannel() {
            return channels++;
        }

        int addInstance(WorkloadKind kind) {
            instances.add(new Instance(kind));
            return instances.size() - 1;
        }

        void addTask(String name, Program program, CpuMask allowed, int instance) {
            tasks.add(new Task(name, program, allowed, instance));
        }

        Workload build() {
            return new Workload(List.copyOf(tasks), channels, List.copyOf(instances));
        }
    }
}
