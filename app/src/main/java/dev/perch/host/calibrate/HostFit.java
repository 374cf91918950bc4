package dev.perch.host.calibrate;

import dev.perch.host.bench.Benchmark;
import dev.perch.host.bench.StoppedException;
import dev.perch.lab.RootSearch;
import dev.perch.model.Distance;
import dev.perch.model.Machine;
import dev.perch.model.Origin;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/**
 * Finds the numbers of a measured machine that no probe shows alone, so that pinned pairs of tasks take as long in the simulation as they did on the
 * host. Pairs that the kernel places freely are not looked at: they are what the machine is to predict.
 *
 * <p>Each number has one row: the steps of a wakeup the pipe on one CPU, the way out of idleness the pipe between two, what a message takes the
 * others. They are searched one after the other, and again until none changes.
 */
final class HostFit {
    private static final int MOST_PASSES = 4;
    /** The search ends this near to a row. */
    private static final double NEAR = 0.003;
    /** A row is hit if it is nearer than this with all numbers in place. */
    private static final double HIT = 0.02;
    /** Values are looked at in steps of this much, or of a quarter of the value. */
    private static final int LOOK = 100;

    private static final double LOOK_FARTHER = 1.25;

    private final HostReadings readings;
    private final SimulatedPairs pairs;
    private final BooleanSupplier stopped;
    private final IntConsumer progress;
    private int evaluations;

    /**
     * What was found.
     *
     * @param machine with all numbers in place, and their origins
     * @param rows in the order in which they were searched
     */
    record Result(Machine machine, List<FittedRow> rows) {}

    /**
     * One number, and the row that it is to hit.
     *
     * @param value what was found, in the number's own unit
     * @param simulated µs an operation takes with all numbers in place
     */
    record FittedRow(HostNumber number, HostReadings.PinnedRow row, int value, double simulated) {
        /** Simulated over measured, less 1. */
        double residual() {
            return simulated / row.microseconds().median() - 1;
        }

        boolean isHit() {
            return Math.abs(residual()) <= HIT;
        }
    }

    private record Step(HostNumber number, HostReadings.PinnedRow row) {}

    /**
     * @param stopped asked before each simulation; once it is true, {@link #find} ends with {@code StoppedException}
     * @param progress told after each simulation how many there were
     */
    HostFit(HostReadings readings, SimulatedPairs pairs, BooleanSupplier stopped, IntConsumer progress) {
        this.readings = readings;
        this.pairs = pairs;
        this.stopped = stopped;
        this.progress = progress;
    }

    /** Finds all that there are rows for, beginning with a machine as {@link MeasuredMachine} makes it. */
    Result find(Machine measured) {
        List<Step> steps = steps(measured);
        int[] values = steps.stream().mapToInt(step -> step.number.start()).toArray();
        Machine machine = measured;
        boolean changed = true;
        for (int pass = 0; changed && pass < MOST_PASSES; pass++) {
            changed = false;
            for (int i = 0; i < values.length; i++) {
                int before = values[i];
                values[i] = search(steps.get(i), machine, before);
                machine = steps.get(i).number.in(machine, values[i]);
                changed |= values[i] != before;
            }
        }
        List<FittedRow> rows = new ArrayList<>();
        Map<String, Origin> origins = new LinkedHashMap<>(machine.origins());
        for (int i = 0; i < values.length; i++) {
            Step step = steps.get(i);
            double simulated = microseconds(machine, step.row);
            rows.add(new FittedRow(step.number, step.row, values[i], simulated));
            origins.putAll(step.number.origins(step.row, values[i]));
        }
        return new Result(machine.withOrigins(origins), rows);
    }

    /** Where a first search ends beside its row, since a simulation may fall from one way of taking turns into another, one look at many values comes before a second. */
    private int search(Step step, Machine machine, int start) {
        double target = step.row.microseconds().median();
        RootSearch.Point first = search(step, machine, start, target);
        if (Math.abs(first.y()) <= HIT * target) {
            return first.x();
        }
        RootSearch.Point nearest = first;
        for (int value = 0; value <= step.number.max(); value = Math.max(value + LOOK, (int) (value * LOOK_FARTHER))) {
            double distance = microseconds(step.number.in(machine, value), step.row) - target;
            if (Math.abs(distance) < Math.abs(nearest.y())) {
                nearest = new RootSearch.Point(value, distance);
            }
            if (distance > target) {
                break; // larger values take longer still
            }
        }
        RootSearch.Point second = search(step, machine, nearest.x(), target);
        return Math.abs(second.y()) < Math.abs(nearest.y()) ? second.x() : nearest.x();
    }

    private RootSearch.Point search(Step step, Machine machine, int start, double target) {
        return new RootSearch(
                        value -> microseconds(step.number.in(machine, value), step.row) - target,
                        step.number.max(),
                        target * NEAR)
                .find(start, 0);
    }

    private double microseconds(Machine machine, HostReadings.PinnedRow row) {
        if (stopped.getAsBoolean()) {
            throw new StoppedException();
        }
        double mean = pairs.microseconds(machine, row.workload()).mean();
        progress.accept(++evaluations);
        return mean;
    }

    private List<Step> steps(Machine measured) {
        List<Step> steps = new ArrayList<>();
        String here = readings.cpu() + "/" + readings.cpu();
        add(steps, readings.row(Benchmark.PIPE, here), new WakeupSteps(measured));
        Optional<HostReadings.Pair> base = readings.base();
        base.ifPresent(pair -> add(steps, readings.row(Benchmark.PIPE, pair.text()), new IdleExit(measured)));
        for (Benchmark benchmark : List.of(Benchmark.TCP_RR)) {
            add(steps, readings.row(benchmark, here), new MessageWork(measured, benchmark.word()));
            base.ifPresent(pair ->
                    add(steps, readings.row(benchmark, pair.text()), new MessageCrossing(measured, benchmark.word())));
        }
        add(steps, readings.row(Benchmark.SOCKETPAIR, here), new SocketCalls(measured));
        base.ifPresent(
                pair -> add(steps, readings.row(Benchmark.SOCKETPAIR, pair.text()), new SocketCrossing(measured)));
        farthest().ifPresent(pair -> {
            for (Benchmark benchmark : List.of(Benchmark.PIPE, Benchmark.TCP_RR)) {
                add(steps, readings.row(benchmark, pair.text()), new CrossingLines(measured, benchmark.word()));
            }
        });
        return steps;
    }

    private static void add(List<Step> steps, Optional<HostReadings.PinnedRow> row, HostNumber number) {
        row.filter(each -> number.isKnown()).ifPresent(each -> steps.add(new Step(number, each)));
    }

    /** The farthest pair, if it is farther than the one at which crossings are measured. */
    private Optional<HostReadings.Pair> farthest() {
        return readings.pairs().isEmpty()
                ? Optional.empty()
                : Optional.of(readings.pairs().getLast())
                        .filter(pair -> pair.distance().compareTo(Distance.SMT) > 0)
                        .filter(pair -> !Optional.of(pair).equals(readings.base()));
    }
}
