package dev.perch.store;

import dev.perch.lab.Experiment;
import dev.perch.lab.Experiment.Role;
import dev.perch.lab.ExperimentResult;
import dev.perch.lab.ExperimentRow;
import dev.perch.lab.RowResult;
import dev.perch.lab.results.ExperimentSeries;
import dev.perch.lab.results.ResultSet;
import dev.perch.lab.results.Series;
import dev.perch.sim.SettingsText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * A run as the store keeps it: what was run, on what, by which Perch, and every number of every repeat. {@link RunDocument} writes and
 * reads it.
 *
 * @param perch version of the program that ran it
 * @param stored when
 * @param complete whether all repeats of all rows were finished
 * @param measured whether it was measured on a machine, not simulated; there is no random seed then
 * @param experiment name of the experiment
 * @param title one line for people
 * @param source where its published values come from; may be empty
 * @param seed random seed of the whole run
 * @param wantedRepeats repeats of each row that were asked for
 * @param durationNs time measured in each, simulated unless the run is {@code measured}; 0 for what ends by itself
 * @param warmupNs time before that
 * @param machines title by name
 * @param kernels expressions as written, by the resolved name
 * @param notes what the reader of the results must know
 */
public record StoredRun(
        String perch,
        Instant stored,
        boolean complete,
        boolean measured,
        String experiment,
        String title,
        String source,
        long seed,
        int wantedRepeats,
        long durationNs,
        long warmupNs,
        Map<String, String> machines,
        Map<String, String> kernels,
        List<StoredRow> rows,
        List<String> notes) {
    public StoredRun {
        machines = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(machines));
        kernels = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(kernels));
        rows = List.copyOf(rows);
        notes = List.copyOf(notes);
    }

    /** What of a result is kept. */
    static StoredRun of(ExperimentResult result, String perch, Instant now) {
        Experiment experiment = result.plan().experiment();
        ExperimentSeries series = new ExperimentSeries(result);
        Map<String, String> machines = new LinkedHashMap<>();
        Map<String, String> kernels = new LinkedHashMap<>();
        List<StoredRow> rows = new ArrayList<>();
        for (RowResult row : result.rows()) {
            machines.put(row.row().machine().name(), row.row().machine().title());
            kernels.put(row.row().kernel().name(), row.row().kernel().expression());
            rows.add(row(row, series.of(row)));
        }
        return new StoredRun(
                perch,
                now,
                result.isComplete(),
                false,
                experiment.name(),
                experiment.title(),
                experiment.source(),
                result.randomSeed(),
                experiment.repeats(),
                experiment.durationNs(),
                experiment.warmupNs(),
                machines,
                kernels,
                rows,
                experiment.notes());
    }

    private static StoredRow row(RowResult result, List<Series> series) {
        ExperimentRow row = result.row();
        Experiment.Published published = row.published();
        Role role = row.role();
        return new StoredRow(
                row.index(),
                row.label(),
                row.machine().name(),
                row.kernel().name(),
                row.workloadText(),
                SettingsText.toMap(row.reading().settings()),
                row.block().cpuset().toString(),
                row.block().taskset().toString(),
                published == null ? OptionalDouble.empty() : OptionalDouble.of(published.value()),
                role == null ? "" : role.word(),
                published == null ? 0 : published.tolerance(),
                result.repeats(),
                series);
    }

    /** How many repeats of all rows were finished. */
    public int finished() {
        return rows.stream().mapToInt(row -> row.repeats().size()).sum();
    }

    /** The numbers alone, for comparisons. */
    ResultSet results(String name, String from) {
        List<Series> series = new ArrayList<>();
        rows.forEach(row -> series.addAll(row.series()));
        return new ResultSet(name, from, series);
    }
}
