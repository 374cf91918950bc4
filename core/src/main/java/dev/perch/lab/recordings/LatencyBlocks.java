package dev.perch.lab.recordings;

import java.util.Arrays;
import java.util.TreeSet;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Latencies by block of time in a form whose percentiles over any selection of blocks are quickly found.
 *
 * @param valuesNs all latencies that there are, in ascending order, as exact as the histograms hold them
 * @param counts for each block how often each of them
 */
record LatencyBlocks(long[] valuesNs, long[][] counts) {
    static LatencyBlocks of(Histogram[] histograms, int size) {
        TreeSet<Long> values = new TreeSet<>();
        for (int block = 0; block < size; block++) {
            for (HistogramIterationValue value : histograms[block].recordedValues()) {
                values.add(value.getValueIteratedTo());
            }
        }
        long[] ascending = values.stream().mapToLong(Long::longValue).toArray();
        long[][] counts = new long[size][ascending.length];
        for (int block = 0; block < size; block++) {
            for (HistogramIterationValue value : histograms[block].recordedValues()) {
                counts[block][Arrays.binarySearch(ascending, value.getValueIteratedTo())] =
                        value.getCountAtValueIteratedTo();
            }
        }
        return new LatencyBlocks(ascending, counts);
    }

    /** The smallest latency that at least {@code percentile} percent of those in the selected blocks do not exceed; not a number if there are none. */
    double percentileNs(double percentile, double[] selection) {
        long[] sums = new long[valuesNs.length];
        long all = 0;
        for (double selected : selection) {
            long[] block = counts[(int) selected];
            for (int i = 0; i < sums.length; i++) {
                sums[i] += block[i];
                all += block[i];
            }
        }
        if (all == 0) {
            return Double.NaN;
        }
        long wanted = Math.max(1, (long) Math.ceil(percentile / 100 * all));
        long passed = 0;
        for (int i = 0; i < sums.length; i++) {
            passed += sums[i];
            if (passed >= wanted) {
                return valuesNs[i];
            }
        }
        throw new IllegalStateException("percentile " + percentile);
    }
}
