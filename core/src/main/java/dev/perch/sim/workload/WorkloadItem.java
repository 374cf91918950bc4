package dev.perch.sim.workload;

import java.util.Map;

/**
 * One item of a workload expression: {@code tcp-rr:size=1,pin=3/1*3}.
 *
 * @param name of the workload, such as {@code tcp-rr}
 * @param options keys and values as written
 * @param count how many of it run side by side, 1 or more
 */
public record WorkloadItem(String name, Map<String, String> options, int count) {
    public WorkloadItem {
        options = java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(options));
    }
}
