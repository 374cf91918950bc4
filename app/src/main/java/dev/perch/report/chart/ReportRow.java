package dev.perch.report.chart;

import dev.perch.lab.Experiment.Role;
import dev.perch.lab.statistics.Interval;
import dev.perch.lab.statistics.Sample;
import dev.perch.report.observe.Observation;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One row of an experiment, for its pictures: built from a run that has just been made or from a stored one.
 *
 * @param label what tables call it
 * @param values one for each repeat, in order
 * @param interval the 95 % confidence interval of the mean; none if there is a single value
 * @param ratio mean over that of the first row of the table
 * @param published what was published; null if nothing was
 * @param bounceRate share of placed wakeups whose CPU is not the previous one
 * @param distanceShares share of placed wakeups by distance from waker to chosen CPU, by {@code Distance} ordinal
 * @param endStates share of each state in which instances ended, in words; may be empty
 * @param observed what was seen of one of its runs; null if nobody watched
 */
public record ReportRow(
        String label,
        Sample values,
        Optional<Interval> interval,
        double ratio,
        @Nullable PublishedValue published,
        double bounceRate,
        double[] distanceShares,
        String endStates,
        @Nullable Observed observed) {

    /**
     * A published value beside the row's.
     *
     * @param role what it is to the model; null if it is only shown
     * @param tolerance how far off a prediction may be, as a fraction
     */
    public record PublishedValue(double value, @Nullable Role role, double tolerance) {}

    /**
     * What was seen of one repeat.
     *
     * @param repeat which, from 0
     */
    public record Observed(int repeat, Observation observation) {}

    public boolean hasInterval() {
        return interval.isPresent();
    }

    /** Lower end of the interval; the mean if there is none. */
    public double low() {
        return interval.map(Interval::low).orElseGet(values::mean);
    }

    /** Upper end of the interval; the mean if there is none. */
    public double high() {
        return interval.map(Interval::high).orElseGet(values::mean);
    }

    /** Mean over published value minus 1; 0 if nothing was published. */
    public double error() {
        return published == null ? 0 : values.mean() / published.value() - 1;
    }

    /** What became of the published value, in words; empty if nothing was published. */
    public String judgement() {
        if (published == null) {
            return "";
        }
        Role role = published.role();
        if (role == null) {
            return "not judged";
        }
        return switch (role) {
            case CALIBRATION -> "calibration input";
            case PREDICTION -> isFailed() ? "failed" : "passed";
        };
    }

    /** Whether it is a prediction beyond its tolerance. */
    public boolean isFailed() {
        return published != null && published.role() == Role.PREDICTION && Math.abs(error()) > published.tolerance();
    }

    /** The repeat whose value is nearest to the median of all; the first of several such. */
    public static int representative(Sample values) {
        double median = values.median();
        int best = 0;
        for (int i = 1; i < values.values().length; i++) {
            if (Math.abs(values.values()[i] - median) < Math.abs(values.values()[best] - median)) {
                best = i;
            }
        }
        return best;
    }
}
