package dev.perch.lab;

import dev.perch.lab.statistics.MeanInterval;
import dev.perch.lab.statistics.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How exactly the mean of a row is to be known, and what that may cost: a row is run again until half the width of its mean's confidence
 * interval, relative to the mean, is small enough.
 *
 * <p>How many more runs a row needs is guessed from how exact it is already, since the width goes with the root of the number of runs; the
 * number is at most doubled before looking again.
 *
 * <p>Limitation: whoever looks again and again ends a little too early, so that the interval holds the true mean a little less often than
 * its confidence says; from ten runs on the difference is small (docs/statistics.md).
 *
 * @param relativeHalfWidth wanted, such as 0.01
 * @param confidence of the interval, such as 0.95
 * @param mostRuns of a row, 2 or more; a row ends there even if it is not exact enough
 */
public record Precision(double relativeHalfWidth, double confidence, int mostRuns) {
    public static final int DEFAULT_MOST_RUNS = 200;

    public Precision {
        if (!(relativeHalfWidth > 0) || mostRuns < 2) {
            throw new IllegalArgumentException(relativeHalfWidth + " within " + mostRuns + " runs");
        }
    }

    /** Whether a row's mean is known exactly enough. */
    public boolean isReached(Sample values) {
        return MeanInterval.relativeHalfWidth(values, confidence) <= relativeHalfWidth;
    }

    /** How many more runs a row shall have before it is looked at again; 0 if it is done. */
    int moreRuns(Sample values) {
        int runs = values.size();
        if (isReached(values) || runs >= mostRuns) {
            return 0;
        }
        double factor = MeanInterval.relativeHalfWidth(values, confidence) / relativeHalfWidth;
        double needed = Math.min(2.0 * runs, Math.ceil(runs * factor * factor));
        return Math.min(mostRuns, Math.max(runs + 1, (int) needed)) - runs;
    }

    /** What came of it, for people: one line, and one for each row that is not exact enough. */
    public List<String> report(ExperimentResult result) {
        List<String> missed = new ArrayList<>();
        for (RowResult row : result.rows()) {
            Sample values = row.values();
            if (!isReached(values)) {
                missed.add(String.format(
                        Locale.ROOT,
                        "not exact enough after %d runs: %s (±%.2f%%)",
                        values.size(),
                        row.row().key(),
                        100 * MeanInterval.relativeHalfWidth(values, confidence)));
            }
        }
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "wanted: means within ±%s%% at %s%% confidence; %s",
                plain(100 * relativeHalfWidth),
                plain(100 * confidence),
                missed.isEmpty()
                        ? "all rows are"
                        : result.rows().size() - missed.size() + " of "
                                + result.rows().size() + " rows are"));
        lines.addAll(missed);
        return lines;
    }

    private static String plain(double percent) {
        return java.math.BigDecimal.valueOf(percent).stripTrailingZeros().toPlainString();
    }
}
