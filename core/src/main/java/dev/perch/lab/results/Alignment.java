package dev.perch.lab.results;

import dev.perch.model.InputException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds which series of several result sets measured the same, so that they can be compared.
 *
 * <p>An axis on which each set has a single label tells sets apart, not rows: two runs on two machines are compared row by row although every
 * row names its machine. The workload is different: other work is not comparable unless the user says so.
 */
final class Alignment {
    private final List<ResultSet> sets;
    private final Set<String> acrossGiven;

    /**
     * @param sets one or more
     * @param across axes whose labels may differ between the sets
     */
    Alignment(List<ResultSet> sets, Set<String> across) {
        this.sets = sets;
        this.acrossGiven = across;
    }

    /**
     * The comparison's rows.
     *
     * @throws InputException an axis that no set has, or nothing in common
     */
    Comparison align() {
        Map<String, String> common = new LinkedHashMap<>();
        Set<String> across = new LinkedHashSet<>();
        for (String axis : axes()) {
            List<Set<String>> labels =
                    sets.stream().map(set -> labels(set, axis)).toList();
            if (labels.stream().allMatch(one -> one.size() == 1)) {
                Set<String> all = new TreeSet<>();
                labels.forEach(all::addAll);
                if (all.size() == 1) {
                    common.put(axis, all.iterator().next());
                } else if (!axis.equals(Labels.WORKLOAD) || all.contains("") || acrossGiven.contains(axis)) {
                    across.add(axis);
                }
            } else if (acrossGiven.contains(axis)) {
                throw new InputException("--across " + axis + ": '"
                        + severalIn(axis) + "' has several labels of " + axis
                        + "; choose one with --only " + axis + "=LABEL");
            }
        }
        for (String axis : acrossGiven) {
            if (!axes().contains(axis)) {
                throw new InputException(
                        "--across " + axis + ": no input has this axis; there are " + String.join(", ", axes()));
            }
        }
        return new Comparison(sets, new Labels(common), List.copyOf(across), rows(common.keySet(), across));
    }

    private String severalIn(String axis) {
        return sets.stream()
                .filter(set -> labels(set, axis).size() > 1)
                .map(ResultSet::name)
                .findFirst()
                .orElse("");
    }

    private Set<String> axes() {
        Set<String> axes = new LinkedHashSet<>();
        sets.forEach(set -> set.series()
                .forEach(series -> axes.addAll(series.labels().axes().keySet())));
        return axes;
    }

    private static Set<String> labels(ResultSet set, String axis) {
        Set<String> labels = new LinkedHashSet<>();
        set.series().forEach(series -> labels.add(series.labels().get(axis)));
        return labels;
    }

    private record Key(Labels labels, Metric metric) {}

    private List<Comparison.Row> rows(Set<String> common, Set<String> across) {
        Map<Key, List<Optional<Series>>> rows = new LinkedHashMap<>();
        for (int column = 0; column < sets.size(); column++) {
            for (Series series : sets.get(column).series()) {
                Labels labels = series.labels();
                for (String axis : common) {
                    labels = labels.without(axis);
                }
                for (String axis : across) {
                    labels = labels.without(axis);
                }
                List<Optional<Series>> cells =
                        rows.computeIfAbsent(new Key(labels, series.metric()), key -> emptyCells());
                if (cells.get(column).isPresent()) {
                    throw new InputException("'" + sets.get(column).name() + "' ("
                            + sets.get(column).source()
                            + ") gives " + series.labels() + " "
                            + series.metric().text()
                            + " twice; repeats belong under one row");
                }
                cells.set(column, Optional.of(series));
            }
        }
        List<Comparison.Row> all = new ArrayList<>();
        rows.forEach((key, cells) -> all.add(new Comparison.Row(key.labels(), key.metric(), cells)));
        return all;
    }

    private List<Optional<Series>> emptyCells() {
        List<Optional<Series>> cells = new ArrayList<>();
        sets.forEach(set -> cells.add(Optional.empty()));
        return cells;
    }
}
