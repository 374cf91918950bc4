package dev.perch.kernel.cpuidle;

/**
 * The last eight idle periods of a CPU, and the length that is typical of them once the longest, as outliers, are left out (spec:
 * scheduler.md 7.4; {@code get_typical_interval} of Linux 5.16 and 6.12). Times are µs.
 */
final class TypicalInterval {
    /** There is no typical length. */
    static final long NONE = Long.MAX_VALUE;

    private static final int COUNT = 8;
    /** So many must be left for their length to be typical. */
    private static final int LEAST_COUNT = 6;

    private static final int LARGEST_VARIANCE = 400;
    /** Longer ones make squares that do not fit. */
    private static final long LONGEST_US = 1_000_000_000;

    private final long[] intervals = new long[COUNT];
    private int next;

    void add(long us) {
        intervals[next] = Math.min(us, LONGEST_US);
        next = (next + 1) % COUNT;
    }

    /**
     * The typical length, or {@link #NONE}.
     *
     * @param predictedUs if no period was shorter, the answer would not matter and none is given; {@link #NONE}: as in 6.12, none is
     *     given only if all periods were 0
     */
    long typicalUs(long predictedUs) {
        long limit = Long.MAX_VALUE;
        while (true) {
            long sum = 0;
            long max = 0;
            long min = Long.MAX_VALUE;
            int count = 0;
            for (long value : intervals) {
                if (value <= limit) {
                    sum += value;
                    max = Math.max(max, value);
                    min = Math.min(min, value);
                    count++;
                }
            }
            if (min >= predictedUs || max == 0 && predictedUs == NONE) {
                return NONE;
            }
            long average = sum / count;
            long squares = 0;
            for (long value : intervals) {
                if (value <= limit) {
                    squares += (value - average) * (value - average);
                }
            }
            long variance = squares / count;
            if (average * average > 36 * variance && count >= LEAST_COUNT || variance <= LARGEST_VARIANCE) {
                return average;
            }
            if (count <= LEAST_COUNT) {
                return NONE;
            }
            limit = max - 1;
        }
    }
}
