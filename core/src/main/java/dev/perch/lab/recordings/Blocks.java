package dev.perch.lab.recordings;

import java.util.Arrays;

/** Sums by block when blocks become longer, or more are wanted below. */
final class Blocks {
    private Blocks() {}

    /** See {@link TimeBlocks.Sums#halve}. */
    static void halve(long[] sums, int shift) {
        long carried = 0;
        int to = 0;
        for (int from = -shift; from < sums.length; from += 2) {
            long first = from < 0 ? 0 : sums[from];
            long second = from + 1 < sums.length ? sums[from + 1] : 0;
            carried = first + second;
            sums[to++] = carried;
        }
        Arrays.fill(sums, to, sums.length, 0);
    }

    /** See {@link TimeBlocks.Sums#moveUp}. */
    static void moveUp(long[] sums, int count) {
        System.arraycopy(sums, 0, sums, count, sums.length - count);
        Arrays.fill(sums, 0, count, 0);
    }
}
