package dev.perch.lab;

import dev.perch.lab.Experiment.Published;
import dev.perch.lab.Experiment.Role;
import dev.perch.lab.statistics.MeanInterval;
import dev.perch.lab.statistics.Sample;
import dev.perch.model.Distance;
import dev.perch.sim.SimulationResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The rows of one setting as a table for people. Columns that would be empty, or say the same in each row, are left out. */
final class GroupTable {
    /** With more runs than this the table shows their extremes and median. */
    private static final int MOST_RUNS_SHOWN = 3;

    /** Of the intervals of means. */
    private static final double CONFIDENCE = 0.95;

    private final ExperimentResult result;
    private final List<RowResult> group;
    private final List<Distance> distances;
    /** Most runs of a row. */
    private final int runs;

    private final boolean allRunsShown;
    private final boolean repeated;
    private final boolean severalUnits;
    private final boolean published;
    private final boolean severalInstances;
    private final boolean scans;
    private final boolean states;

    GroupTable(ExperimentResult result, List<RowResult> group) {
        this.result = result;
        this.group = group;
        distances = distances(group);
        runs = group.stream().mapToInt(row -> row.runs().size()).max().orElseThrow();
        allRunsShown = runs <= MOST_RUNS_SHOWN
                && group.stream().allMatch(row -> row.runs().size() == runs);
        repeated = runs > 1;
        severalUnits = ResultTable.units(group).size() > 1;
        published = group.stream().anyMatch(row -> row.row().published() != null);
        severalInstances = group.stream().anyMatch(row -> row.instanceCount() > 1);
        scans = group.stream().anyMatch(row -> row.scans().made() > 0);
        states = group.stream().anyMatch(row -> !row.stateShares().isEmpty());
    }

    List<String> lines() {
        TextTable table = new TextTable(header(), states);
        for (RowResult row : group) {
            List<String> cells = new ArrayList<>();
            addValues(row, cells);
            addPublished(row, cells);
            addPlacement(row, cells);
            table.add(cells);
        }
        return table.lines();
    }

    private List<String> header() {
        List<String> header = new ArrayList<>();
        header.add(group.getFirst().row().block().workloads().size() == 1 ? "kernel" : "workload");
        if (allRunsShown) {
            for (int run = 1; run <= runs; run++) {
                header.add("run " + run);
            }
        } else {
            header.addAll(List.of("min", "median", "max"));
        }
        header.add("mean");
        addIf(severalUnits, header, "unit");
        addIf(repeated, header, "±95%");
        header.add("ratio");
        addIf(published, header, "published", "error", "");
        addIf(severalInstances, header, "spread");
        header.add("bounce");
        distances.forEach(distance -> header.add(distance.word()));
        addIf(scans, header, "scans", "failed", "depth");
        addIf(states, header, "end states");
        return header;
    }

    private static void addIf(boolean condition, List<String> header, String... titles) {
        if (condition) {
            header.addAll(List.of(titles));
        }
    }

    private void addValues(RowResult row, List<String> cells) {
        String metric = row.metric();
        Sample values = row.values();
        cells.add(row.row().label());
        if (allRunsShown) {
            for (double run : values.values()) {
                cells.add(ResultTable.value(run, metric));
            }
        } else {
            cells.add(ResultTable.value(values.min(), metric));
            cells.add(ResultTable.value(values.median(), metric));
            cells.add(ResultTable.value(values.max(), metric));
        }
        cells.add(ResultTable.value(values.mean(), metric));
        if (severalUnits) {
            cells.add(metric);
        }
        if (repeated) {
            double half = MeanInterval.relativeHalfWidth(values, CONFIDENCE);
            cells.add(Double.isFinite(half) ? String.format(Locale.ROOT, "%.2f%%", 100 * half) : "–");
        }
        cells.add(String.format(Locale.ROOT, "%.3f", result.ratio(row)));
    }

    private void addPublished(RowResult row, List<String> cells) {
        if (published) {
            Published value = row.row().published();
            cells.add(value == null ? "" : ResultTable.value(value.value(), row.metric()));
            cells.add(value == null ? "" : ResultTable.signedPercent(row.error()));
            cells.add(role(row));
        }
    }

    private void addPlacement(RowResult row, List<String> cells) {
        if (severalInstances) {
            cells.add(ResultTable.percent(row.instanceSpread()));
        }
        cells.add(ResultTable.percent(row.bounceRate()));
        distances.forEach(distance -> cells.add(ResultTable.wholePercent(row.distanceShare(distance))));
        if (scans) {
            addScans(row, cells);
        }
        if (states) {
            cells.add(ResultTable.states(row));
        }
    }

    /** The share of wakeups with a scan, of scans that failed, and the CPUs that a decision with a scan looked at. */
    private static void addScans(RowResult row, List<String> cells) {
        SimulationResult.Scans scans = row.scans();
        boolean any = scans.made() > 0;
        cells.add(ResultTable.wholePercent(any ? (double) scans.made() / row.wakeups() : 0));
        cells.add(any ? ResultTable.percent((double) scans.failed() / scans.made()) : "");
        cells.add(any ? String.format(Locale.ROOT, "%.1f", (double) scans.probes() / scans.made()) : "");
    }

    /** The distances over which any row of the group woke anything. */
    private static List<Distance> distances(List<RowResult> group) {
        List<Distance> distances = new ArrayList<>();
        for (Distance distance : Distance.all()) {
            if (group.stream().anyMatch(row -> row.distanceShare(distance) > 0)) {
                distances.add(distance);
            }
        }
        return distances;
    }

    /** {@code cal} for a calibration input; {@code FAIL} for a prediction beyond its tolerance. */
    private static String role(RowResult row) {
        Role role = row.row().role();
        if (role == null) {
            return "";
        }
        return switch (role) {
            case CALIBRATION -> "cal";
            case PREDICTION -> row.failsPrediction() ? "FAIL" : "ok";
        };
    }
}
