package dev.perch.store;

import dev.perch.lab.results.Series;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * One row of a stored run.
 *
 * @param index place among the rows of the experiment, from 0
 * @param label what its table calls it
 * @param machine name of the machine
 * @param kernel name of the kernel
 * @param workload as an expression
 * @param settings under the keys of {@code --set}
 * @param cpuset an exclusive cpuset; empty for none
 * @param taskset affinity of the tasks; empty for none
 * @param published what was published about it, in the unit of its metric
 * @param role {@code calibration}, {@code prediction}, or empty where nothing is judged
 * @param tolerance how far off a prediction may be, as a fraction
 * @param repeats which repeats were finished, from 0
 * @param series what was measured, the row's metric first; as many numbers each as there are repeats
 */
public record StoredRow(
        int index,
        String label,
        String machine,
        String kernel,
        String workload,
        Map<String, String> settings,
        String cpuset,
        String taskset,
        OptionalDouble published,
        String role,
        double tolerance,
        List<Integer> repeats,
        List<Series> series) {
    public StoredRow {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        repeats = List.copyOf(repeats);
        series = List.copyOf(series);
    }
}
