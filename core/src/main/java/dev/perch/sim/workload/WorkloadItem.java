package dev.perch.sim.workload;

import java.util.Map;
import java.util.Optional;

/**
 * One item of a workload expression: {@code tcp-rr:size=1,pin=3/1*3}.
 *
 * @param name of the workload, such as {@code tcp-rr}, or the path of its file, which begins with {@code ./}, {@code ../} or {@code /}
 * @param options keys and values as written
 * @param count how many of it run side by side, 1 or more
 * @param described what its file says, once that was read
 */
public record WorkloadItem(String name, Map<String, String> options, int count, Optional<DescribedWorkload> described) {
    public WorkloadItem {
        options = java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(options));
    }

    /** An item whose file, if it is one, was not read yet. */
    public WorkloadItem(String name, Map<String, String> options, int count) {
        this(name, options, count, Optional.empty());
    }

    /** Whether it is a file's. */
    public boolean isFile() {
        return WorkloadExpression.isPath(name);
    }

    /** The same item with what its file says. */
    public WorkloadItem describedBy(DescribedWorkload workload) {
        return new WorkloadItem(name, options, count, Optional.of(workload));
    }
}
