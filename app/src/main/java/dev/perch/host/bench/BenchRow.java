package dev.perch.host.bench;

import dev.perch.host.Noise;
import dev.perch.lab.results.Direction;
import dev.perch.lab.results.ExperimentSeries;
import dev.perch.lab.results.Labels;
import dev.perch.lab.results.Metric;
import dev.perch.lab.results.Series;
import dev.perch.lab.statistics.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * What was measured at one placement.
 *
 * @param repeats one or more
 */
public record BenchRow(Placement placement, List<Repeat> repeats) {
    /** How often the ends left their CPU because they waited. */
    public static final Metric VOLUNTARY_SWITCHES = new Metric("voluntary switches", "", Direction.NEITHER);

    /** How often they had to leave it. */
    public static final Metric INVOLUNTARY_SWITCHES = new Metric("involuntary switches", "", Direction.NEITHER);

    /** Share of the CPUs' time. */
    public static final Metric STEAL = new Metric("steal", "", Direction.NEITHER);

    /** Share of the CPUs' time. */
    public static final Metric OTHER_TASKS = new Metric("other tasks", "", Direction.NEITHER);

    public BenchRow {
        repeats = List.copyOf(repeats);
    }

    /**
     * One measurement.
     *
     * @param value in the benchmark's unit
     * @param operations rounds, or messages
     * @param migrations −1 if the kernel does not tell
     * @param noise nothing if the kernel does not tell
     */
    public record Repeat(
            double value,
            long operations,
            long voluntarySwitches,
            long involuntarySwitches,
            long migrations,
            Optional<Noise> noise) {}

    public Sample values() {
        return sample(Repeat::value);
    }

    private Sample sample(ToDoubleFunction<Repeat> number) {
        return new Sample(repeats.stream().mapToDouble(number).toArray());
    }

    /** Context switches for each operation: 2 where both ends sleep once a round. */
    public double switchesPerOperation() {
        double switches = repeats.stream()
                .mapToLong(repeat -> repeat.voluntarySwitches + repeat.involuntarySwitches)
                .sum();
        return switches / repeats.stream().mapToLong(Repeat::operations).sum();
    }

    /** Mean of a repeat; nothing if the kernel does not tell. */
    public Optional<Double> migrations() {
        return repeats.stream().allMatch(repeat -> repeat.migrations >= 0)
                ? Optional.of(sample(Repeat::migrations).mean())
                : Optional.empty();
    }

    /** Mean of the repeats; nothing if the kernel does not tell. */
    public Optional<Noise> noise() {
        List<Noise> known =
                repeats.stream().flatMap(repeat -> repeat.noise.stream()).toList();
        return known.size() < repeats.size()
                ? Optional.empty()
                : Optional.of(new Noise(
                        known.stream().mapToDouble(Noise::steal).average().orElse(0),
                        known.stream().mapToDouble(Noise::others).average().orElse(0)));
    }

    /** What speaks against these numbers, in words; empty if nothing does. */
    public String warning() {
        return Noise.warning(noise(), values().spread());
    }

    /** The numbers of the repeats, the benchmark's result first. */
    public List<Series> series(Labels labels, String unit) {
        List<Series> all = new ArrayList<>();
        all.add(new Series(labels, Metric.ofWorkload(unit), values().values()));
        all.add(new Series(
                labels, VOLUNTARY_SWITCHES, sample(Repeat::voluntarySwitches).values()));
        all.add(new Series(
                labels,
                INVOLUNTARY_SWITCHES,
                sample(Repeat::involuntarySwitches).values()));
        if (migrations().isPresent()) {
            all.add(new Series(
                    labels,
                    ExperimentSeries.MIGRATIONS,
                    sample(Repeat::migrations).values()));
        }
        if (noise().isPresent()) {
            all.add(new Series(
                    labels,
                    STEAL,
                    sample(repeat -> repeat.noise.orElseThrow().steal()).values()));
            all.add(new Series(
                    labels,
                    OTHER_TASKS,
                    sample(repeat -> repeat.noise.orElseThrow().others()).values()));
        }
        return List.copyOf(all);
    }
}
