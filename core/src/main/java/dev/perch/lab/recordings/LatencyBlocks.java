package dev.perch.lab.recordings;

import java.util.Arrays;
import java.util.TreeSet;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Latencies by block of time in a form whose percentiles over any selection of blocks are quickly found.
 *
 * @param valuesNs all latencies that there are, in ascending order, as exact as the histograms hold them
 * @param upTo for each block how many of its latencies are not above each of them
 */
record LatencyBlocks(long[] valuesNs, long[][] upTo) {
    static LatencyBlocks of(Histogram[] histograms, int size) {
        TreeSet<Long> values = new TreeSet<>();
        for (int block = 0; block < size; block++) {
            for (HistogramIterationValue value : histograms[block].recordedValues()) {
                values.add(value.getValueIteratedTo());
            }
        }
        long[] ascending = values.stream().mapToLong(Long::longValue).toArray();
        long[][] upTo = new long[size][ascending.length];
        for (int block = 0; block < size; block++) {
            for (HistogramIterationValue value : histograms[block].recordedValues()) {
                upTo[block][Arrays.binarySearch(ascending, value.getValueIteratedTo())] =
                        value.getCountAtValueIteratedTo();
            }
            Arrays.parallelPrefix(upTo[block], Long::sum);
        }
        return new LatencyBlocks(ascending, upTo);
    }

    /** The smallest latency that at least {@code percentile} percent of those in the selected blocks do not exceed; not a number if there are none. */
    double percentileNs(double percentile, double[] selection) {
        long all = valuesNs.length == 0 ? 0 : upTo(valuesNs.length - 1, selection);
        if (all == 0) {
            return Double.NaN;
        }
        long wanted = Math.max(1, (long) Math.ceil(percentile / 100 * all));
        int low = 0;
        int high = valuesNs.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (upTo(middle, selection) >= wanted) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return valuesNs[low];
    }

    /** How many latencies of the selected blocks are not above a value. */
    private long upTo(int value, double[] selection) {
        long sum = 0;
        for (double selected : selection) {
            sum += upTo[(int) selected][value];
        }
        return sum;
    }
}
