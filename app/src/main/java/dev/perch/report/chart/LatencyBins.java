package dev.perch.report.chart;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * A histogram of times in bins of equal width on a logarithmic axis, {@value #PER_DECADE} to each power of ten.
 *
 * @param first number of the first bin: bin b holds times from 10^(b/20) ns on
 * @param counts one for each bin; the first and the last are not 0
 * @param total their sum
 */
record LatencyBins(int first, long[] counts, long total) {
    static final int PER_DECADE = 20;

    /** The bins of a histogram in nanoseconds that holds something. */
    static LatencyBins of(Histogram histogram) {
        int first = bin(histogram.getMinNonZeroValue());
        if (histogram.getMinValue() == 0) {
            first = Math.min(first, 0);
        }
        int last = Math.max(first, bin(histogram.getMaxValue()));
        long[] counts = new long[last - first + 1];
        for (HistogramIterationValue value : histogram.recordedValues()) {
            int bin = Math.clamp(bin(value.getValueIteratedTo()), first, last);
            counts[bin - first] += value.getCountAddedInThisIterationStep();
        }
        return new LatencyBins(first, counts, histogram.getTotalCount());
    }

    private static int bin(long ns) {
        return ns <= 1 ? 0 : (int) Math.floor(StrictMath.log10((double) ns) * PER_DECADE + 1e-9);
    }

    /** Where a bin begins, ns. */
    static double edge(int bin) {
        return StrictMath.pow(10, (double) bin / PER_DECADE);
    }

    int last() {
        return first + counts.length - 1;
    }

    /** Share of all in a bin. */
    double share(int bin) {
        return bin < first || bin > last() ? 0 : (double) counts[bin - first] / total;
    }

    double largestShare() {
        double largest = 0;
        for (int bin = first; bin <= last(); bin++) {
            largest = Math.max(largest, share(bin));
        }
        return largest;
    }
}
