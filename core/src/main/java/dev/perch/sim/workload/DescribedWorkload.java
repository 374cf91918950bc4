package dev.perch.sim.workload;

import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A workload that is described step by step: what files of workloads are read into, and what {@link Program}s are made from.
 *
 * @param kind how it is called and what it measures
 * @param threads whether its tasks are threads of one process
 * @param tasks one or more
 * @param barriers by name: how many must come to each
 * @param groups by path: task groups that it says something of
 * @param operation what a {@link Step.Count} counts, such as {@code activations}
 * @param durationNs how long it should be run, if it says
 */
public record DescribedWorkload(
        WorkloadKind kind,
        boolean threads,
        List<DescribedTask> tasks,
        SortedMap<String, Integer> barriers,
        SortedMap<String, GroupSettings> groups,
        String operation,
        OptionalLong durationNs) {
    public DescribedWorkload {
        tasks = List.copyOf(tasks);
        barriers = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(barriers));
        groups = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(groups));
    }
}
