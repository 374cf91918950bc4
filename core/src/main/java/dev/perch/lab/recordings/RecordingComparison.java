package dev.perch.lab.recordings;

import dev.perch.audit.Verdict;
import dev.perch.lab.results.Contrast;
import dev.perch.lab.results.Direction;
import dev.perch.lab.results.Metric;
import dev.perch.lab.statistics.Bootstrap;
import dev.perch.lab.statistics.Interval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;

/**
 * Two recordings side by side: wakeups a second, shares of verdicts, percentiles of latencies, and the pairs that woke each other most.
 *
 * <p>Intervals come from the block bootstrap: blocks of time are drawn with replacement from each recording. Wakeups that follow each other
 * closely depend on each other; blocks that are long beside that dependence hardly do.
 *
 * <p>Source: blocks side by side, as in Carlstein, The use of subseries values for estimating the variance of a general statistic from a
 * stationary sequence, Annals of Statistics 14 (1986); intervals as in {@link Bootstrap}.
 *
 * <p>Limitation: each recording is one run. That another run of the same kernel would differ by more than the blocks of one run differ is
 * not known here; several recordings of each side show it.
 */
public final class RecordingComparison {
    /** With fewer blocks there is no interval. */
    static final int LEAST_BLOCKS = 8;

    private static final int DRAWS = 1999;
    private static final int PAIRS = 10;

    /** Pairs with fewer wakeups in either recording are left out. */
    static final int LEAST_WAKEUPS = 20;

    private final RecordingBlocks first;
    private final RecordingBlocks second;
    private final double confidence;
    private final Bootstrap bootstrap;

    /** How two values are set against each other. */
    public enum Effect {
        /** One over the other. */
        RATIO,
        /** One less the other: for shares. */
        DIFFERENCE
    }

    /**
     * One line.
     *
     * @param subject the pair; empty for the whole recording
     * @param metric what it is; shares are fractions, latencies in µs
     * @param first the first recording's value
     * @param second the second's
     * @param effect how they are compared
     * @param value ratio or difference
     * @param interval of it; nothing if there are too few blocks, or what is counted is so rare that some draws hold none of it
     */
    public record Line(
            String subject,
            Metric metric,
            double first,
            double second,
            Effect effect,
            double value,
            Optional<Interval> interval) {

        /** What can be said; shares are judged by the direction of their difference. */
        public Contrast.Verdict verdict() {
            double neutral = effect == Effect.RATIO ? 1 : 0;
            if (interval.isEmpty()) {
                return Contrast.Verdict.UNKNOWN;
            }
            if (interval.get().contains(neutral)) {
                return first == second ? Contrast.Verdict.EQUAL : Contrast.Verdict.NOT_SHOWN;
            }
            boolean more = interval.get().low() > neutral;
            return switch (metric.better()) {
                case HIGHER -> more ? Contrast.Verdict.BETTER : Contrast.Verdict.WORSE;
                case LOWER -> more ? Contrast.Verdict.WORSE : Contrast.Verdict.BETTER;
                case NEITHER -> more ? Contrast.Verdict.MORE : Contrast.Verdict.LESS;
            };
        }
    }

    /**
     * Prepares a comparison.
     *
     * @param first the baseline
     * @param confidence of all intervals, such as 0.95
     * @param randomSeed of the bootstrap
     */
    public RecordingComparison(RecordingBlocks first, RecordingBlocks second, double confidence, long randomSeed) {
        this.first = first;
        this.second = second;
        this.confidence = confidence;
        this.bootstrap = new Bootstrap(Bootstrap.Kind.BCA, DRAWS, randomSeed);
    }

    public RecordingBlocks first() {
        return first;
    }

    public RecordingBlocks second() {
        return second;
    }

    public double confidence() {
        return confidence;
    }

    /** The lines about all wakeups. */
    public List<Line> whole() {
        List<Line> lines = new ArrayList<>();
        lines.add(line(
                new Metric("wakeups", "1/s", Direction.NEITHER),
                Effect.RATIO,
                (blocks, selection) -> blocks.perSecond(blocks.wakeups(), selection)));
        for (Verdict verdict : Verdict.all()) {
            if (RecordingBlocks.sum(first.byVerdict()[verdict.ordinal()], first.all())
                            + RecordingBlocks.sum(second.byVerdict()[verdict.ordinal()], second.all())
                    > 0) {
                Metric share = new Metric("share " + verdict.word(), "", direction(verdict));
                lines.add(line(share, Effect.DIFFERENCE, (blocks, selection) -> blocks.share(verdict, selection)));
            }
        }
        for (double percentile : new double[] {50, 90, 99}) {
            Metric latency = new Metric("latency p" + (int) percentile, "us", Direction.LOWER);
            lines.add(line(
                    latency,
                    Effect.RATIO,
                    (blocks, selection) -> blocks.latencies().percentileNs(percentile, selection) / 1e3));
        }
        return lines.stream()
                .filter(line -> !Double.isNaN(line.first()) && !Double.isNaN(line.second()))
                .toList();
    }

    /** Whether more of a verdict is better. */
    private static Direction direction(Verdict verdict) {
        if (verdict == Verdict.GOOD) {
            return Direction.HIGHER;
        }
        return verdict.isFault() ? Direction.LOWER : Direction.NEITHER;
    }

    /**
     * Two lines for each of the {@value #PAIRS} pairs that woke most and are in both recordings, {@value #LEAST_WAKEUPS} times or more: how
     * often, and how long it took.
     */
    public List<Line> pairs() {
        List<RecordingProfile.NamedPair> byCount = new ArrayList<>(first.pairs());
        byCount.sort(Comparator.comparingDouble((RecordingProfile.NamedPair pair) -> -count(pair))
                .thenComparing(RecordingComparison::name));
        List<Line> lines = new ArrayList<>();
        int taken = 0;
        for (RecordingProfile.NamedPair pair : byCount) {
            Optional<RecordingProfile.NamedPair> other = second.pairs().stream()
                    .filter(each -> name(each).equals(name(pair)))
                    .findFirst();
            boolean often =
                    other.isPresent() && count(pair) >= LEAST_WAKEUPS && count(other.orElseThrow()) >= LEAST_WAKEUPS;
            if (often && taken++ < PAIRS) {
                addPair(lines, pair, other.orElseThrow());
            }
        }
        return lines;
    }

    /** Names of the pairs that woke most in one recording and never in the other, with the number of wakeups. */
    public List<String> pairsOnlyIn(boolean inFirst) {
        RecordingBlocks here = inFirst ? first : second;
        RecordingBlocks there = inFirst ? second : first;
        return here.pairs().stream()
                .filter(pair ->
                        there.pairs().stream().noneMatch(each -> name(each).equals(name(pair))))
                .sorted(Comparator.comparingDouble((RecordingProfile.NamedPair pair) -> -count(pair))
                        .thenComparing(RecordingComparison::name))
                .map(pair -> name(pair) + " (" + (long) count(pair) + ")")
                .toList();
    }

    private void addPair(List<Line> lines, RecordingProfile.NamedPair one, RecordingProfile.NamedPair other) {
        lines.add(line(
                name(one),
                new Metric("wakeups", "1/s", Direction.NEITHER),
                Effect.RATIO,
                selection -> first.perSecond(one.wakeups(), selection),
                selection -> second.perSecond(other.wakeups(), selection)));
        Line latency = line(
                name(one),
                new Metric("mean latency", "us", Direction.LOWER),
                Effect.RATIO,
                selection -> meanLatency(one, selection),
                selection -> meanLatency(other, selection));
        if (!Double.isNaN(latency.first()) && !Double.isNaN(latency.second())) {
            lines.add(latency);
        }
    }

    /** Of the selected blocks, µs; not a number if none is known. */
    private static double meanLatency(RecordingProfile.NamedPair pair, double[] selection) {
        return RecordingBlocks.sum(pair.latencySumNs(), selection)
                / RecordingBlocks.sum(pair.latencies(), selection)
                / 1e3;
    }

    private static String name(RecordingProfile.NamedPair pair) {
        return pair.waker() + " → " + pair.wakee();
    }

    private static double count(RecordingProfile.NamedPair pair) {
        double count = 0;
        for (long wakeups : pair.wakeups()) {
            count += wakeups;
        }
        return count;
    }

    /** A line of what is found alike in both recordings. */
    private Line line(Metric metric, Effect effect, ToDoubleBiFunction<RecordingBlocks, double[]> statistic) {
        return line(
                "",
                metric,
                effect,
                selection -> statistic.applyAsDouble(first, selection),
                selection -> statistic.applyAsDouble(second, selection));
    }

    private Line line(
            String subject,
            Metric metric,
            Effect effect,
            ToDoubleFunction<double[]> ofFirst,
            ToDoubleFunction<double[]> ofSecond) {
        double one = ofFirst.applyAsDouble(first.all());
        double other = ofSecond.applyAsDouble(second.all());
        Bootstrap.Statistic compared = selections -> {
            double a = ofFirst.applyAsDouble(selections[0]);
            double b = ofSecond.applyAsDouble(selections[1]);
            return effect == Effect.RATIO ? b / a : b - a;
        };
        double value = effect == Effect.RATIO ? other / one : other - one;
        Optional<Interval> interval = Optional.empty();
        if (first.blockCount() >= LEAST_BLOCKS && second.blockCount() >= LEAST_BLOCKS && Double.isFinite(value)) {
            interval = bootstrap.of(new double[][] {first.all(), second.all()}, compared, confidence);
        }
        return new Line(subject, metric, one, other, effect, value, interval);
    }
}
