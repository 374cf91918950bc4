package dev.perch.lab.results;

import dev.perch.model.InputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Several result sets, row by row. The first set is the baseline.
 *
 * @param sets the columns
 * @param common labels that every series of every set has
 * @param across axes on which the sets differ as wholes, such as the machine of two runs
 * @param rows in the order in which they are first met; also those that only some sets have
 */
public record Comparison(List<ResultSet> sets, Labels common, List<String> across, List<Row> rows) {
    public Comparison {
        sets = List.copyOf(sets);
        across = List.copyOf(across);
        rows = List.copyOf(rows);
    }

    /**
     * One measurement.
     *
     * @param labels without those that are common to all or differ between the sets as wholes
     * @param cells what each set has of it
     */
    public record Row(Labels labels, Metric metric, List<Optional<Series>> cells) {
        public Row {
            cells = List.copyOf(cells);
        }

        /** Whether there is something to compare: two sets or more have it. */
        public boolean isShared() {
            return cells.stream().filter(Optional::isPresent).count() > 1;
        }
    }

    /**
     * Lines up result sets.
     *
     * @param sets one or more; one alone has nothing to be compared with
     * @param across axes whose labels may differ between the sets, beside those that tell them apart anyway
     * @throws InputException nothing in common
     */
    public static Comparison of(List<ResultSet> sets, Set<String> across) {
        Comparison comparison = new Alignment(sets, across).align();
        if (sets.size() > 1 && comparison.shared().isEmpty()) {
            throw new InputException("nothing in common: " + comparison.inventory());
        }
        return comparison;
    }

    /** The rows that can be compared. */
    public List<Row> shared() {
        return rows.stream().filter(Row::isShared).toList();
    }

    /** The rows that only one set has. */
    public List<Row> alone() {
        return rows.stream().filter(row -> !row.isShared()).toList();
    }

    /** What tells a set from the others: its labels on the axes {@link #across}. */
    public Labels distinction(ResultSet set) {
        Labels labels = Labels.NONE;
        for (String axis : across) {
            labels = labels.with(axis, set.series().getFirst().labels().get(axis));
        }
        return labels;
    }

    /** What each set has, in a few words. */
    private String inventory() {
        List<String> inventory = new ArrayList<>();
        for (int column = 0; column < sets.size(); column++) {
            List<String> has = new ArrayList<>();
            for (Row row : rows) {
                if (row.cells().get(column).isPresent()) {
                    has.add((row.labels() + " " + row.metric().text()).strip());
                }
            }
            String first = has.size() > 3
                    ? String.join(", ", has.subList(0, 3)) + " and " + (has.size() - 3) + " more"
                    : String.join(", ", has);
            inventory.add("'" + sets.get(column).name() + "' has " + first);
        }
        return String.join("; ", inventory);
    }
}
