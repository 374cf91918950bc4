package dev.perch.lab;

import dev.perch.lab.Experiment.Published;
import dev.perch.lab.Experiment.Role;
import dev.perch.lab.statistics.MeanInterval;
import dev.perch.lab.statistics.Sample;
import dev.perch.model.Distance;
import dev.perch.model.Origin;
import dev.perch.model.Times;
import dev.perch.sim.SettingsText;
import dev.perch.sim.SimulationResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The results of an experiment as text for people: a table for each setting, then one line of judgement, then the notes. */
public final class ResultTable {
    /** With more runs than this the table shows their extremes and median. */
    private static final int MOST_RUNS_SHOWN = 3;

    /** Of the intervals of means. */
    private static final double CONFIDENCE = 0.95;

    private final ExperimentResult result;
    private final List<String> lines = new ArrayList<>();

    private ResultTable(ExperimentResult result) {
        this.result = result;
    }

    /** The lines to print; none but the one of judgement is longer than {@link TextTable#WIDTH}, unless a name is. */
    public static List<String> lines(ExperimentResult result) {
        ResultTable table = new ResultTable(result);
        table.write();
        return table.lines;
    }

    /** The line of judgement alone: which numbers were calibrated, and how far off the predictions are. */
    public static String judgement(ExperimentResult result) {
        return new ResultTable(result).judgement();
    }

    /** What the reader of the results must know: the experiment's notes, then those of its kernels. */
    public static List<String> notes(ExperimentResult result) {
        return new ResultTable(result).notes();
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>(result.plan().experiment().notes());
        kernelNotes().forEach((note, kernels) -> {
            boolean all = kernels.size() == kernelLabels().size();
            notes.add((all ? "" : String.join(", ", kernels) + ": ") + note);
        });
        return notes;
    }

    private void write() {
        Experiment experiment = result.plan().experiment();
        lines.add(experiment.name() + ": " + experiment.title());
        if (!experiment.source().isEmpty()) {
            addWrapped("published: ", experiment.source());
        }
        lines.add(runs(result));
        if (!result.isComplete()) {
            lines.add("interrupted: " + result.runs() + " of "
                    + result.plan().rows().size() * experiment.repeats() + " runs are done");
        }
        for (List<RowResult> group : result.groups()) {
            lines.add("");
            addGroup(group);
        }
        lines.add("");
        lines.add(judgement());
        notes().forEach(note -> addWrapped("note: ", note));
    }

    /** How often and how long each row was run, and with which random seed. */
    public static String runs(ExperimentResult result) {
        Experiment experiment = result.plan().experiment();
        return experiment.repeats() + (experiment.repeats() == 1 ? " run of " : " runs of ")
                + Times.format(experiment.durationNs()) + " after " + Times.format(experiment.warmupNs())
                + " of warm-up, random seed " + result.randomSeed();
    }

    private void addWrapped(String prefix, String text) {
        List<String> parts = TextTable.wrap(text, TextTable.WIDTH - prefix.length());
        lines.add(prefix + parts.getFirst());
        for (String part : parts.subList(1, parts.size())) {
            lines.add(" ".repeat(prefix.length()) + part);
        }
    }

    private void addGroup(List<RowResult> group) {
        ExperimentRow first = group.getFirst().row();
        if (!first.block().title().isEmpty()) {
            lines.add(first.block().title());
        }
        if (!first.reading().label().isEmpty()) {
            lines.add(first.reading().label() + (first.reading().judged() ? "" : " (shown beside; not judged)"));
        }
        lines.add(heading(first));
        boolean several = group.stream().anyMatch(row -> row.instanceCount() > 1);
        lines.add("values: " + String.join(", ", units(group)) + (several ? ", mean of the instances of a run" : ""));
        addTable(group, several);
    }

    /** The units of a group, each once. */
    private static List<String> units(List<RowResult> group) {
        return group.stream().map(RowResult::metric).distinct().toList();
    }

    /** Machine, what all rows of a table have in common, and the settings, in one line. */
    public static String heading(ExperimentRow first) {
        StringBuilder heading = new StringBuilder(first.key().machine());
        if (first.block().kernels().size() == 1) {
            heading.append(", ").append(first.kernel().name());
        }
        if (first.block().workloads().size() == 1) {
            heading.append(", ").append(first.workloadText());
        }
        if (!first.block().cpuset().isEmpty()) {
            heading.append(", cpuset ").append(first.block().cpuset());
        }
        if (!first.block().taskset().isEmpty()) {
            heading.append(", taskset ").append(first.block().taskset());
        }
        return heading.append("; ")
                .append(SettingsText.describe(first.reading().settings()))
                .toString();
    }

    private void addTable(List<RowResult> group, boolean several) {
        List<Distance> distances = distances(group);
        boolean anyPublished = group.stream().anyMatch(row -> row.row().published() != null);
        boolean anyState = group.stream().anyMatch(row -> !row.stateShares().isEmpty());
        int runs = group.stream().mapToInt(row -> row.runs().size()).max().orElseThrow();
        boolean allShown = runs <= MOST_RUNS_SHOWN
                && group.stream().allMatch(row -> row.runs().size() == runs);

        List<String> header = new ArrayList<>();
        header.add(group.getFirst().row().block().workloads().size() == 1 ? "kernel" : "workload");
        if (!allShown) {
            header.addAll(List.of("min", "median", "max"));
        } else {
            for (int run = 1; run <= runs; run++) {
                header.add("run " + run);
            }
        }
        boolean anyRepeated = group.stream().anyMatch(row -> row.runs().size() > 1);
        boolean severalUnits = units(group).size() > 1;
        header.add("mean");
        if (severalUnits) {
            header.add("unit");
        }
        if (anyRepeated) {
            header.add("±95%");
        }
        header.add("ratio");
        if (anyPublished) {
            header.addAll(List.of("published", "error", ""));
        }
        if (several) {
            header.add("spread");
        }
        header.add("bounce");
        distances.forEach(distance -> header.add(distance.word()));
        boolean anyScan = group.stream().anyMatch(row -> row.scans().made() > 0);
        if (anyScan) {
            header.addAll(List.of("scans", "failed", "depth"));
        }
        if (anyState) {
            header.add("end states");
        }
        TextTable table = new TextTable(header, anyState);
        for (RowResult row : group) {
            List<String> cells = new ArrayList<>();
            addValues(cells, row, allShown, severalUnits, anyRepeated);
            addOthers(cells, row, distances, anyPublished, several, anyScan, anyState);
            table.add(cells);
        }
        lines.addAll(table.lines());
        group.forEach(this::addFigures);
    }

    private void addFigures(RowResult row) {
        String figures = row.figures().stream()
                .map(figure -> String.format(Locale.ROOT, "%s %.1f %s", figure.name(), figure.value(), figure.unit()))
                .collect(Collectors.joining(", "));
        if (!figures.isEmpty()) {
            addWrapped(row.row().label() + ": ", figures);
        }
    }

    private void addValues(
            List<String> cells, RowResult row, boolean allShown, boolean severalUnits, boolean anyRepeated) {
        String metric = row.metric();
        Sample values = row.values();
        cells.add(row.row().label());
        if (!allShown) {
            cells.addAll(
                    List.of(value(values.min(), metric), value(values.median(), metric), value(values.max(), metric)));
        } else {
            for (double run : values.values()) {
                cells.add(value(run, metric));
            }
        }
        cells.add(value(values.mean(), metric));
        if (severalUnits) {
            cells.add(metric);
        }
        if (anyRepeated) {
            double half = MeanInterval.relativeHalfWidth(values, CONFIDENCE);
            cells.add(Double.isFinite(half) ? String.format(Locale.ROOT, "%.2f%%", 100 * half) : "–");
        }
        cells.add(String.format(Locale.ROOT, "%.3f", result.ratio(row)));
    }

    private void addOthers(
            List<String> cells,
            RowResult row,
            List<Distance> distances,
            boolean anyPublished,
            boolean several,
            boolean anyScan,
            boolean anyState) {
        String metric = row.metric();
        if (anyPublished) {
            Published published = row.row().published();
            cells.add(published == null ? "" : value(published.value(), metric));
            cells.add(published == null ? "" : signedPercent(row.error()));
            cells.add(role(row));
        }
        if (several) {
            cells.add(percent(row.instanceSpread()));
        }
        cells.add(percent(row.bounceRate()));
        distances.forEach(distance -> cells.add(wholePercent(row.distanceShare(distance))));
        if (anyScan) {
            addScans(row, cells);
        }
        if (anyState) {
            cells.add(states(row));
        }
    }

    /** The share of wakeups with a scan, of scans that failed, and the CPUs that a decision with a scan looked at. */
    private static void addScans(RowResult row, List<String> cells) {
        SimulationResult.Scans scans = row.scans();
        boolean any = scans.made() > 0;
        cells.add(wholePercent(any ? (double) scans.made() / row.wakeups() : 0));
        cells.add(any ? percent((double) scans.failed() / scans.made()) : "");
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
            case PREDICTION -> fails(row) ? "FAIL" : "ok";
        };
    }

    private static boolean fails(RowResult row) {
        Published published = row.row().published();
        return published != null && Math.abs(row.error()) > published.tolerance();
    }

    /** The states in which instances ended, each with its share. */
    public static String states(RowResult row) {
        List<String> states = new ArrayList<>();
        for (Map.Entry<String, Double> state : row.stateShares()) {
            states.add(String.format(Locale.ROOT, "%s %s", state.getKey(), wholePercent(state.getValue())));
        }
        return String.join("; ", states);
    }

    /** Which numbers were calibrated, and how far off the predictions are. */
    private String judgement() {
        List<RowResult> calibrated = result.rows(Role.CALIBRATION);
        List<RowResult> predicted = result.rows(Role.PREDICTION);
        StringBuilder text = new StringBuilder("Calibrated: ");
        if (calibrated.isEmpty()) {
            text.append("no row of this experiment").append(calibratedElsewhere());
        } else {
            double worst = calibrated.stream()
                    .mapToDouble(row -> Math.abs(row.error()))
                    .max()
                    .orElseThrow();
            text.append(String.join(", ", calibrated.stream().map(this::rowName).toList()))
                    .append(String.format(Locale.ROOT, " (residual up to %.1f %%)", 100 * worst));
        }
        if (predicted.isEmpty()) {
            return text.append(". Predictions: none.").toString();
        }
        RowResult worst = predicted.getFirst();
        double sum = 0;
        List<String> failed = new ArrayList<>();
        for (RowResult row : predicted) {
            worst = Math.abs(row.error()) > Math.abs(worst.error()) ? row : worst;
            sum += Math.abs(row.error());
            if (fails(row) && row.row().published() != null) {
                failed.add(String.format(
                        Locale.ROOT,
                        "%s %s (allowed %.0f %%)",
                        rowName(row),
                        signedPercent(row.error()),
                        100 * row.row().published().tolerance()));
            }
        }
        text.append(String.format(
                Locale.ROOT,
                ". Predictions: %d, worst %s (%s), mean error %.1f %%; ",
                predicted.size(),
                signedPercent(worst.error()),
                rowName(worst),
                100 * sum / predicted.size()));
        return text.append(failed.isEmpty() ? "all within tolerance." : "FAILED: " + String.join(", ", failed) + ".")
                .toString();
    }

    /** The label of a row, with the machine where the experiment has several. */
    private String rowName(RowResult row) {
        long machines = result.rows().stream()
                .map(other -> other.row().machine().name())
                .distinct()
                .count();
        return machines > 1
                ? row.row().key().machine() + " " + row.row().label()
                : row.row().label();
    }

    private String calibratedElsewhere() {
        Set<String> machines = new LinkedHashSet<>();
        for (RowResult row : result.rows()) {
            long constants = row.row().machine().origins().values().stream()
                    .filter(origin -> origin.kind() == Origin.Kind.CALIBRATED)
                    .count();
            if (constants > 0) {
                machines.add(row.row().key().machine() + ": " + constants
                        + (constants == 1 ? " constant" : " constants") + " from other rows");
            }
        }
        return machines.isEmpty() ? "" : " (" + String.join("; ", machines) + ")";
    }

    private Set<String> kernelLabels() {
        Set<String> labels = new LinkedHashSet<>();
        result.rows().forEach(row -> labels.add(row.row().key().kernel()));
        return labels;
    }

    /** What kernels have to say, each with the labels of those that say it. */
    private Map<String, Set<String>> kernelNotes() {
        Map<String, Set<String>> notes = new LinkedHashMap<>();
        for (RowResult row : result.rows()) {
            for (String note : row.row().kernel().notes()) {
                notes.computeIfAbsent(note, text -> new LinkedHashSet<>())
                        .add(row.row().key().kernel());
            }
        }
        return notes;
    }

    /** A value as the publications print it: rates with two decimals, times of an operation with three, times of a whole run with four. */
    public static String value(double value, String metric) {
        int decimals = metric.equals("s") ? 4 : metric.endsWith("/op") ? 3 : 2;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    static String percent(double fraction) {
        return String.format(Locale.ROOT, "%.1f%%", 100 * fraction);
    }

    static String wholePercent(double fraction) {
        return String.format(Locale.ROOT, "%.0f%%", 100 * fraction);
    }

    static String signedPercent(double fraction) {
        return String.format(Locale.ROOT, "%+.1f%%", 100 * fraction);
    }
}
