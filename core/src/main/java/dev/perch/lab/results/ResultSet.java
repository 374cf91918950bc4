package dev.perch.lab.results;

import java.util.List;

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
}
