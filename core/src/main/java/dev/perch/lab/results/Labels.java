package dev.perch.lab.results;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What was measured: a label on each axis, such as {@code machine: e5620, kernel: v3.9, workload: tcp-rr}. Which axes there are depends
 * on where the result comes from; an axis without a label is left out.
 *
 * @param axes label by axis, in the order in which they are shown; no empty label
 */
public record Labels(Map<String, String> axes) {
    public static final String MACHINE = "machine";
    public static final String KERNEL = "kernel";

    /** What ran, as a workload expression of Perch's where there is one: {@code hackbench:groups=4}. */
    public static final String WORKLOAD = "workload";

    /** A way to read what a publication leaves open; see experiments. */
    public static final String SETTING = "setting";

    public static final Labels NONE = new Labels(Map.of());

    public Labels {
        Map<String, String> kept = new LinkedHashMap<>();
        axes.forEach((axis, label) -> {
            if (!label.isEmpty()) {
                kept.put(axis, label);
            }
        });
        axes = Collections.unmodifiableMap(kept);
    }

    /** These labels and one more. */
    public Labels with(String axis, String label) {
        Map<String, String> more = new LinkedHashMap<>(axes);
        more.put(axis, label);
        return new Labels(more);
    }

    /** These labels without an axis. */
    public Labels without(String axis) {
        Map<String, String> fewer = new LinkedHashMap<>(axes);
        fewer.remove(axis);
        return new Labels(fewer);
    }

    /** The label of an axis; empty if it has none. */
    public String get(String axis) {
        return axes.getOrDefault(axis, "");
    }

    /** The labels alone, such as {@code e5620 v3.9 tcp-rr}. */
    @Override
    public String toString() {
        return String.join(" ", axes.values());
    }
}
