package dev.perch.lab.results;

import dev.perch.lab.statistics.Bootstrap;
import dev.perch.lab.statistics.HedgesG;
import dev.perch.lab.statistics.Interval;
import dev.perch.lab.statistics.MannWhitneyTest;
import dev.perch.lab.statistics.RatioInterval;
import dev.perch.lab.statistics.Sample;
import dev.perch.lab.statistics.WelchTest;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One series beside its baseline.
 *
 * @param baseline the repeats that it is compared with
 * @param other the repeats compared
 * @param better which way the metric is better
 * @param ratio mean over the baseline's mean; nothing if that is 0
 * @param interval confidence interval of the ratio; nothing for single repeats and for means that are not above 0
 */
public record Contrast(
        Sample baseline, Sample other, Direction better, OptionalDouble ratio, Optional<Interval> interval) {

    /** How the interval of a ratio is found. */
    public enum Method {
        /** On logarithms, with Welch's degrees of freedom. */
        WELCH,
        /** Bias-corrected and accelerated bootstrap. */
        BOOTSTRAP;

        /** The word in options, tables and JSON. */
        public String word() {
            return this == WELCH ? "welch" : "bootstrap";
        }
    }

    /** What can be said. */
    public enum Verdict {
        BETTER("better"),
        WORSE("worse"),
        /** For metrics that are neither good nor bad. */
        MORE("more"),
        LESS("less"),
        /** The interval holds 1. */
        NOT_SHOWN("no difference shown"),
        /** No repeats vary, and they are equal. */
        EQUAL("equal"),
        /** A single repeat, or a mean that is not above 0: there is no interval. */
        UNKNOWN("no interval");

        private final String words;

        Verdict(String words) {
            this.words = words;
        }

        /** The verdict in tables and JSON. */
        public String words() {
            return words;
        }
    }

    /**
     * Compares two series.
     *
     * @param confidence of the interval, such as 0.95
     * @param randomSeed of the bootstrap
     */
    public static Contrast of(Series baseline, Series other, Method method, double confidence, long randomSeed) {
        Sample first = new Sample(baseline.repeats());
        Sample second = new Sample(other.repeats());
        Optional<Interval> interval = RatioInterval.of(first, second, confidence);
        if (interval.isPresent() && method == Method.BOOTSTRAP) {
            interval = Bootstrap.withDefaults(randomSeed).ofRatio(first, second, confidence);
        }
        double mean = first.mean();
        OptionalDouble ratio = mean == 0 ? OptionalDouble.empty() : OptionalDouble.of(second.mean() / mean);
        return new Contrast(first, second, other.metric().better(), ratio, interval);
    }

    /** Better or worse only if the interval leaves 1 out. */
    public Verdict verdict() {
        if (interval.isEmpty()) {
            return baseline.size() > 1
                            && other.size() > 1
                            && baseline.isConstant()
                            && other.isConstant()
                            && baseline.min() == other.min()
                    ? Verdict.EQUAL
                    : Verdict.UNKNOWN;
        }
        if (interval.get().contains(1)) {
            return interval.get().halfWidth() == 0 ? Verdict.EQUAL : Verdict.NOT_SHOWN;
        }
        boolean more = interval.get().low() > 1;
        return switch (better) {
            case HIGHER -> more ? Verdict.BETTER : Verdict.WORSE;
            case LOWER -> more ? Verdict.WORSE : Verdict.BETTER;
            case NEITHER -> more ? Verdict.MORE : Verdict.LESS;
        };
    }

    /** Why there is no interval; empty if there is one. */
    public String reason() {
        if (interval.isPresent() || verdict() == Verdict.EQUAL) {
            return "";
        }
        if (baseline.size() < 2 || other.size() < 2) {
            return "one repeat only";
        }
        return "a mean that is not above 0";
    }

    public Optional<WelchTest> welch() {
        return WelchTest.of(baseline, other);
    }

    public Optional<MannWhitneyTest> mannWhitney() {
        return MannWhitneyTest.of(baseline, other);
    }

    public Optional<HedgesG> effect() {
        return HedgesG.of(baseline, other);
    }
}
