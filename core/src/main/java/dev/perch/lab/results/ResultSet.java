package dev.perch.lab.results;

import dev.perch.model.InputException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one run of an experiment or one set of benchmark runs measured: a column of a comparison. Immutable.
 *
 * @param name what tables call it: a stored run's name, a file's name, a kernel
 * @param source where it was read from, for messages and JSON
 * @param series no two with the same labels and metric
 */
public record ResultSet(String name, String source, List<Series> series) {
    public ResultSet {
        series = List.copyOf(series);
    }

    /** The same with another name. */
    public ResultSet named(String other) {
        return new ResultSet(other, source, series);
    }

    /**
     * One set for each label of an axis, named after it, in order; series without a label on it are left out.
     *
     * @throws InputException fewer than two labels
     */
    public List<ResultSet> split(String axis) {
        Map<String, List<Series>> parts = new LinkedHashMap<>();
        for (Series each : series) {
            String label = each.labels().get(axis);
            if (!label.isEmpty()) {
                parts.computeIfAbsent(label, key -> new ArrayList<>()).add(each);
            }
        }
        if (parts.size() < 2) {
            throw new InputException("'" + name + "' has "
                    + (parts.isEmpty()
                            ? "no " + axis
                            : "only one " + axis + ", '"
                                    + parts.keySet().iterator().next() + "'")
                    + "; there is nothing to compare it with");
        }
        List<ResultSet> sets = new ArrayList<>();
        parts.forEach((label, some) -> sets.add(new ResultSet(label, source, some)));
        return sets;
    }

    /** The series with a label; where no series has a label on the axis, all. */
    public ResultSet only(String axis, String label) {
        if (series.stream().allMatch(each -> each.labels().get(axis).isEmpty())) {
            return this;
        }
        return new ResultSet(
                name,
                source,
                series.stream()
                        .filter(each -> each.labels().get(axis).equals(label))
                        .toList());
    }

    /** The results that benchmarks are run for; where there are none, or with {@code all}, all series. */
    public ResultSet main(boolean all) {
        List<Series> results = series.stream()
                .filter(each ->
                        each.metric().equals(Metric.ofWorkload(each.metric().unit())))
                .toList();
        return all || results.isEmpty() ? this : new ResultSet(name, source, results);
    }

    /** With workload expressions that do not say a key: {@code hackbench:groups=4,loops=10} without {@code loops} is {@code hackbench:groups=4}. */
    public ResultSet ignoring(String key) {
        return new ResultSet(
                name,
                source,
                series.stream()
                        .map(each -> new Series(ignoring(each.labels(), key), each.metric(), each.repeats()))
                        .toList());
    }

    private static Labels ignoring(Labels labels, String key) {
        String workload = labels.get(Labels.WORKLOAD);
        int colon = workload.indexOf(':');
        if (colon < 0) {
            return labels;
        }
        List<String> kept = new ArrayList<>();
        for (String option : workload.substring(colon + 1).split(",")) {
            if (!option.startsWith(key + "=")) {
                kept.add(option);
            }
        }
        String name = workload.substring(0, colon);
        return labels.with(Labels.WORKLOAD, kept.isEmpty() ? name : name + ":" + String.join(",", kept));
    }
}
