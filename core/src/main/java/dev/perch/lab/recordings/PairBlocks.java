package dev.perch.lab.recordings;

import dev.perch.audit.PairIndex;
import java.util.Arrays;

/**
 * Wakeups and latencies of each pair of a waker and a wakee by block of time. Beyond {@value #LIMIT} pairs no new ones are kept.
 */
final class PairBlocks {
    private static final int LIMIT = 1 << 14;

    private final PairIndex index = new PairIndex(LIMIT);
    private long[][] wakeups = {};
    private long[][] latencies = {};
    private long[][] latencySumNs = {};

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
        int known = index.size();
        int pair = index.of(from, to);
        if (pair >= wakeups.length) {
            int capacity = index.capacity();
            wakeups = Arrays.copyOf(wakeups, capacity);
            latencies = Arrays.copyOf(latencies, capacity);
            latencySumNs = Arrays.copyOf(latencySumNs, capacity);
        }
        if (pair == known) {
            wakeups[pair] = new long[TimeBlocks.MOST];
            latencies[pair] = new long[TimeBlocks.MOST];
            latencySumNs[pair] = new long[TimeBlocks.MOST];
        }
        return pair;
    }

    int size() {
        return index.size();
    }

    int waker(int pair) {
        return index.waker(pair);
    }

    int wakee(int pair) {
        return index.wakee(pair);
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
        for (int pair = 0; pair < size(); pair++) {
            Blocks.halve(wakeups[pair], shift);
            Blocks.halve(latencies[pair], shift);
            Blocks.halve(latencySumNs[pair], shift);
        }
    }

    void moveUp(int count) {
        for (int pair = 0; pair < size(); pair++) {
            Blocks.moveUp(wakeups[pair], count);
            Blocks.moveUp(latencies[pair], count);
            Blocks.moveUp(latencySumNs[pair], count);
        }
    }
}
