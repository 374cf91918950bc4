package dev.perch.lab;

import dev.perch.lab.Experiment.CalibrationStep;
import dev.perch.lab.Experiment.Role;
import dev.perch.model.InputException;
import dev.perch.model.Machine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * Finds constants of machines so that the model hits published values that are declared calibration inputs, and those only.
 *
 * <p>The steps of the experiment are taken in order, each with the constants of the steps before it in place, and again from the first
 * until no constant changes any more (a later constant may have a little influence on an earlier row). Every evaluation is the row's mean
 * over the experiment's repeats with the very seeds that a run of the experiment uses, so the result is a function of the experiment file,
 * the other numbers of the machine and the random seed; the values that the machine file holds for these constants are not looked at.
 */
public final class Calibration {
    private static final int MOST_PASSES = 6;

    /** Largest value of any constant, in the constant's unit; for a time, a millisecond in nanoseconds. */
    static final int MAX = 1_000_000;

    private final ExperimentRun run;
    private final ExperimentPlan plan;
    private final long randomSeed;
    private final IntConsumer progress;
    private int evaluations;

    /** Machines by name as far as they are calibrated. */
    private final Map<String, Machine> machines = new LinkedHashMap<>();

    /**
     * A constant that was found.
     *
     * @param machine name of the machine
     * @param constant which of its numbers
     * @param value what was found, in the constant's unit
     * @param stored what the machine file says, in the constant's unit
     * @param row label of the row that was to be hit
     * @param target the published value
     * @param reached the row's mean with all constants in place
     */
    public record Found(
            String machine,
            CalibrationConstant constant,
            int value,
            int stored,
            String row,
            double target,
            double reached) {
        /** Reached over published value minus 1. */
        public double residual() {
            return reached / target - 1;
        }
    }

    /** @param progress told after each evaluation of a row how many there were */
    public Calibration(ExperimentRun run, ExperimentPlan plan, long randomSeed, IntConsumer progress) {
        this.run = run;
        this.plan = plan;
        this.randomSeed = randomSeed;
        this.progress = progress;
    }

    /**
     * Finds all constants of the experiment.
     *
     * @return in the order of the steps; a step that shares a sum among constants gives one entry for each
     * @throws InputException an experiment without calibration, a row that is no calibration input, a value that no constant reaches
     */
    public List<Found> find() {
        List<CalibrationStep> steps = plan.experiment().calibration();
        if (steps.isEmpty()) {
            throw new InputException(
                    "experiment '" + plan.experiment().name() + "' calibrates nothing; it has no 'calibrate' section");
        }
        List<ExperimentRow> rows = steps.stream().map(this::row).toList();
        int[] sums = steps.stream().mapToInt(CalibrationStep::start).toArray();
        double[] slopes = new double[sums.length];
        for (int i = 0; i < sums.length; i++) {
            apply(steps.get(i), rows.get(i), sums[i]);
        }
        boolean changed = true;
        for (int pass = 0; changed && pass < MOST_PASSES; pass++) {
            changed = false;
            for (int i = 0; i < sums.length; i++) {
                int before = sums[i];
                search(steps.get(i), rows.get(i), sums, slopes, i);
                changed |= sums[i] != before;
            }
            changed &= sums.length > 1;
        }
        List<Found> found = new ArrayList<>();
        for (int i = 0; i < sums.length; i++) {
            report(steps.get(i), rows.get(i), found);
        }
        return found;
    }

    private void search(CalibrationStep step, ExperimentRow row, int[] sums, double[] slopes, int index) {
        double target = target(row);
        RootSearch search = new RootSearch(
                sum -> {
                    apply(step, row, sum);
                    return mean(row) - target;
                },
                MAX);
        RootSearch.Point point = search.find(sums[index], slopes[index]);
        double slope = search.slope();
        slopes[index] = slope == 0 ? slopes[index] : slope;
        if (Math.abs(point.y()) > Math.max(target / 100, 2 * Math.abs(slopes[index]))) {
            throw new InputException("calibration: "
                    + String.join(" + ", step.shares().keySet()) + " cannot bring row '"
                    + row.label() + "' to " + target + "; the nearest is " + (float) (point.y() + target) + " with "
                    + point.x());
        }
        sums[index] = point.x();
        apply(step, row, point.x());
    }

    /** The row that a step wants to hit: it must be the only one, and a calibration input. */
    private ExperimentRow row(CalibrationStep step) {
        List<ExperimentRow> named = plan.rows().stream()
                .filter(row -> row.reading().judged() && step.row().matches(row.key()))
                .toList();
        if (named.size() != 1) {
            throw new InputException(
                    "calibration of " + String.join(" + ", step.shares().keySet()) + ": '" + step.row()
                            + "' names " + (named.isEmpty() ? "no row" : named.size() + " rows")
                            + " whose setting is judged; it must be exactly one");
        }
        ExperimentRow row = named.getFirst();
        if (row.role() != Role.CALIBRATION) {
            throw new InputException(
                    "calibration of " + String.join(" + ", step.shares().keySet()) + ": the published value of row '"
                            + row.label() + "' is " + (row.role() == null ? "not" : "a prediction, not")
                            + " a calibration input, so nothing may be fitted to it");
        }
        return row;
    }

    private static double target(ExperimentRow row) {
        if (row.published() == null) {
            throw new IllegalStateException("row " + row.label() + " has a role but no value");
        }
        return row.published().value();
    }

    private Machine machine(ExperimentRow row) {
        return machines.getOrDefault(row.machine().name(), row.machine());
    }

    private void apply(CalibrationStep step, ExperimentRow row, int sum) {
        Machine machine = machine(row);
        long parts =
                step.shares().values().stream().mapToLong(Integer::longValue).sum();
        long remaining = sum;
        for (Map.Entry<String, Integer> share : step.shares().entrySet()) {
            long value = parts == 0 ? 0 : remaining * share.getValue() / parts;
            machine = CalibrationConstant.parse(share.getKey()).with(machine, (int) value);
            remaining -= value;
            parts -= share.getValue();
        }
        machines.put(machine.name(), machine);
    }

    private double mean(ExperimentRow row) {
        List<RowResult> results = run.run(plan.experiment(), List.of(row.on(machine(row))), randomSeed, done -> {});
        progress.accept(++evaluations);
        return results.getFirst().values().mean();
    }

    private void report(CalibrationStep step, ExperimentRow row, List<Found> found) {
        double reached = mean(row);
        for (String path : step.shares().keySet()) {
            CalibrationConstant constant = CalibrationConstant.parse(path);
            found.add(new Found(
                    row.machine().name(),
                    constant,
                    constant.of(machine(row)),
                    constant.of(row.machine()),
                    row.label(),
                    target(row),
                    reached));
        }
    }
}
