package dev.perch.lab.recordings;

/**
 * Divides a recording into {@value #LEAST} to {@value #MOST} equal blocks of time while it is read, without knowing how long it is: when there are too many
 * blocks, neighbours become one and all are twice as long.
 *
 * <p>Blocks are numbered from the first that is kept; their limits lie at multiples of their length in the recording's clock.
 */
final class TimeBlocks {
    static final int MOST = 64;
    static final int LEAST = MOST / 2;

    private static final long SHORTEST_NS = 1_000_000;

    /** What holds sums by block. */
    interface Sums {
        /** Block {@code i} and {@code i + 1} become block {@code (i + shift) / 2}, for all i + shift that are even. */
        void halve(int shift);

        /** Every block moves up by {@code count}. */
        void moveUp(int count);
    }

    private final Sums sums;
    private long lengthNs = SHORTEST_NS;
    private long low;
    private int size;

    TimeBlocks(Sums sums) {
        this.sums = sums;
    }

    /** The block of a time; may change the numbers of all blocks. */
    int of(long ns) {
        if (size == 0) {
            low = Math.floorDiv(ns, lengthNs);
            size = 1;
            return 0;
        }
        while (true) {
            long block = Math.floorDiv(ns, lengthNs);
            long first = Math.min(low, block);
            long last = Math.max(low + size - 1, block);
            if (last - first < MOST) {
                if (first < low) {
                    sums.moveUp((int) (low - first));
                }
                low = first;
                size = (int) (last - first + 1);
                return (int) (block - low);
            }
            int shift = (int) Math.floorMod(low, 2L);
            sums.halve(shift);
            size = (size + shift + 1) / 2;
            low = Math.floorDiv(low, 2L);
            lengthNs *= 2;
        }
    }

    int size() {
        return size;
    }

    long lengthNs() {
        return lengthNs;
    }

    /** How much of a block lies between two times, ns. */
    long within(int block, long fromNs, long toNs) {
        long begin = (low + block) * lengthNs;
        return Math.max(0, Math.min(begin + lengthNs, toNs) - Math.max(begin, fromNs));
    }
}
