package dev.perch.lab.results;

import java.util.List;

/**
 * Short names for rows that differ only in how their labels end: {@code 1, 4, 7} for {@code hackbench:groups=1} and so on. What all
 * labels begin with is left out up to the last separator in it.
 */
final class OperationNames {
    private static final String SEPARATORS = "=: ";

    private OperationNames() {}

    static List<String> of(List<Labels> rows) {
        List<String> names = rows.stream().map(Labels::toString).toList();
        if (names.size() < 2) {
            return rows.stream().map(OperationNames::single).toList();
        }
        String first = names.getFirst();
        int shared = first.length();
        for (String name : names) {
            int same = 0;
            while (same < Math.min(shared, name.length()) && name.charAt(same) == first.charAt(same)) {
                same++;
            }
            shared = same;
        }
        while (shared > 0 && SEPARATORS.indexOf(first.charAt(shared - 1)) < 0) {
            shared--;
        }
        int cut = shared;
        return names.stream().map(name -> name.substring(cut)).toList();
    }

    /** The workload's last value, such as 30 for {@code hackbench:groups=30}; without a workload, all labels. */
    private static String single(Labels labels) {
        String workload = labels.get(Labels.WORKLOAD);
        return workload.isEmpty() ? labels.toString() : workload.substring(workload.lastIndexOf('=') + 1);
    }
}
