package dev.perch.audit;

import dev.perch.model.Distance;
import dev.perch.model.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who wakes whom, and what that tells: counts over pairs of a waker and a wakee, in an open-addressed table.
 *
 * <p>Wakeups from interrupt handlers ({@link Wakeup#fromInterrupt}) belong to no task; they are pairs whose waker is {@link #INTERRUPT}. Beyond {@value #LIMIT} pairs no new
 * ones are kept; their wakeups are counted together.
 */
public final class Pairs implements WakeupConsumer {
    /** Waker slot of wakeups that an interrupt handler made, or that nobody is known to have made. */
    public static final int INTERRUPT = -1;

    private static final int LIMIT = 1 << 17;
    private static final int DISTANCES = Distance.all().length;

    private final @Nullable Topology topology;
    private int[] table = new int[1024];
    private int size;
    private int[] waker = new int[256];
    private int[] wakee = new int[256];
    private long[] count = new long[256];
    private long[] known = new long[256];
    private long[] synchronous = new long[256];
    private long[] moves = new long[256];
    private long[] overlapNs = new long[256];
    private long[] stintNs = new long[256];
    private long[] tailNs = new long[256];
    private long[] tails = new long[256];
    private long[] latencyNs = new long[256 * DISTANCES];
    private long[] latencies = new long[256 * DISTANCES];
    private long beyondLimit;

    Pairs(@Nullable Topology topology) {
        this.topology = topology;
    }

    @Override
    public void wakeup(Wakeup wakeup) {
        int from = wakeup.fromInterrupt() || wakeup.wakerSlot <= 0 ? INTERRUPT : wakeup.wakerSlot;
        int pair = pair(from, wakeup.wakeeSlot);
        if (pair < 0) {
            beyondLimit++;
            return;
        }
        count[pair]++;
        if (wakeup.chosenCpu >= 0 && wakeup.prevCpu >= 0 && wakeup.chosenCpu != wakeup.prevCpu) {
            moves[pair]++;
        }
        long stint = wakeup.stintNs();
        if (stint >= 0) {
            known[pair]++;
            synchronous[pair] += wakeup.synchronous() ? 1 : 0;
            overlapNs[pair] += wakeup.overlapNs();
            stintNs[pair] += stint;
        }
        if (wakeup.tailNs() >= 0) {
            tails[pair]++;
            tailNs[pair] += wakeup.tailNs();
        }
        Distance distance = wakeup.wakerToChosen(topology);
        if (distance != null && wakeup.latencyNs >= 0) {
            latencies[pair * DISTANCES + distance.ordinal()]++;
            latencyNs[pair * DISTANCES + distance.ordinal()] += wakeup.latencyNs;
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
        table[index] = pair + 1;
        return pair;
    }

    private static int hash(int from, int to) {
        int hash = from * 0x9E3779B9 + to * 0x85EBCA6B;
        return hash ^ hash >>> 15;
    }

    private void grow() {
        int to = size * 2;
        waker = Arrays.copyOf(waker, to);
        wakee = Arrays.copyOf(wakee, to);
        count = Arrays.copyOf(count, to);
        known = Arrays.copyOf(known, to);
        synchronous = Arrays.copyOf(synchronous, to);
        moves = Arrays.copyOf(moves, to);
        overlapNs = Arrays.copyOf(overlapNs, to);
        stintNs = Arrays.copyOf(stintNs, to);
        tailNs = Arrays.copyOf(tailNs, to);
        tails = Arrays.copyOf(tails, to);
        latencyNs = Arrays.copyOf(latencyNs, to * DISTANCES);
        latencies = Arrays.copyOf(latencies, to * DISTANCES);
        table = new int[to * 4];
        for (int pair = 0; pair < size; pair++) {
            int index = hash(waker[pair], wakee[pair]) & table.length - 1;
            while (table[index] != 0) {
                index = index + 1 & table.length - 1;
            }
            table[index] = pair + 1;
        }
    }

    /** Wakeups of pairs beyond the limit. */
    public long beyondLimit() {
        return beyondLimit;
    }

    public int size() {
        return size;
    }

    /** All pairs, most wakeups first. */
    public List<Pair> mostWakeups() {
        List<Pair> pairs = new ArrayList<>(size);
        for (int pair = 0; pair < size; pair++) {
            pairs.add(row(pair));
        }
        pairs.sort(Comparator.comparingLong(Pair::wakeups)
                .reversed()
                .thenComparingInt(Pair::wakerSlot)
                .thenComparingInt(Pair::wakeeSlot));
        return pairs;
    }

    private Pair row(int pair) {
        long[] sums = Arrays.copyOfRange(latencyNs, pair * DISTANCES, (pair + 1) * DISTANCES);
        long[] counts = Arrays.copyOfRange(latencies, pair * DISTANCES, (pair + 1) * DISTANCES);
        return new Pair(
                waker[pair],
                wakee[pair],
                count[pair],
                known[pair] == 0 ? -1 : (double) synchronous[pair] / known[pair],
                stintNs[pair] == 0 ? -1 : (double) overlapNs[pair] / stintNs[pair],
                moves[pair],
                tails[pair] == 0 ? -1 : tailNs[pair] / tails[pair],
                known[pair] == 0 ? -1 : overlapNs[pair] / known[pair],
                counts,
                sums);
    }
}
