package dev.perch.lab.recordings;

import java.util.Arrays;

/**
 * Wakeups and latencies of each pair of a waker and a wakee by block of time, in an open-addressed table. Beyond {@value #LIMIT} pairs no
 * new ones are kept.
 */
final class PairBlocks {
    private static final int LIMIT = 1 << 14;

    private int[] table = new int[256];
    private int size;
    private int[] waker = new int[64];
    private int[] wakee = new int[64];
    private long[][] wakeups = new long[64][];
    private long[][] latencies = new long[64][];
    private long[][] latencySumNs = new long[64][];

    /** @param latencyNs −1 if it is not known */
    void add(int wakerSlot, int wakeeSlot, int block, long latencyNs) {
        int pair = pair(wakerSlot, wakeeSlot);
        if (pair < 0) {
            return;
        }
        wakeups[pair][block]++;
        if (latencyNs >= 0) {
            latencies[pair][block]++;
            latencySumNs[pair][block] += latencyNs;
        }
    }

    private int pair(int from, int to) {
        int mask = table.length - 1;
        int index = hash(from, to) & mask;
        while (table[index] != 0) {
            int pair = table[index] - 1;
            if (waker[pair] == from && wakee[pair] == to) {
                return pair;
            }
            index = index + 1 & mask;
        }
        if (size == LIMIT) {
            return -1;
        }
        if (size == waker.length) {
            grow();
            return pair(from, to);
        }
        int pair = size++;
        waker[pair] = from;
        wakee[pair] = to;
        wakeups[pair] = new long[TimeBlocks.MOST];
        latencies[pair] = new long[TimeBlocks.MOST];
        latencySumNs[pair] = new long[TimeBlocks.MOST];
        table[index] = pair + 1;
        return pair;
    }

    private static int hash(int from, int to) {
        int hash = from * 0x9E3779B9 + to * 0x85EBCA6B;
        return hash ^ hash >>> 15;
    }

    private void grow() {
        int more = size * 2;
        waker = Arrays.copyOf(waker, more);
        wakee = Arrays.copyOf(wakee, more);
        wakeups = Arrays.copyOf(wakeups, more);
        latencies = Arrays.copyOf(latencies, more);
        latencySumNs = Arrays.copyOf(latencySumNs, more);
        table = new int[table.length * 2];
        int mask = table.length - 1;
        for (int pair = 0; pair < size; pair++) {
            int index = hash(waker[pair], wakee[pair]) & mask;
            while (table[index] != 0) {
                index = index + 1 & mask;
            }
            table[index] = pair + 1;
        }
    }

    int size() {
        return size;
    }

    int waker(int pair) {
        return waker[pair];
    }

    int wakee(int pair) {
        return wakee[pair];
    }

    long[] wakeups(int pair) {
        return wakeups[pair];
    }

    long[] latencies(int pair) {
        return latencies[pair];
    }

    long[] latencySumNs(int pair) {
        return latencySumNs[pair];
    }

    void halve(int shift) {
        for (int pair = 0; pair < size; pair++) {
            Blocks.halve(wakeups[pair], shift);
            Blocks.halve(latencies[pair], shift);
            Blocks.halve(latencySumNs[pair], shift);
        }
    }

    void moveUp(int count) {
        for (int pair = 0; pair < size; pair++) {
            Blocks.moveUp(wakeups[pair], count);
            Blocks.moveUp(latencies[pair], count);
            Blocks.moveUp(latencySumNs[pair], count);
        }
    }
}
