package dev.perch.audit;

import dev.perch.model.Distance;
import dev.perch.model.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who wakes whom, and what that tells: counts over pairs of a waker and a wakee, numbered by a {@link PairIndex}.
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
    private final PairIndex index = new PairIndex(LIMIT);
    private long[] count = {};
    private long[] known = {};
    private long[] synchronous = {};
    private long[] moves = {};
    private long[] overlapNs = {};
    private long[] stintNs = {};
    private long[] tailNs = {};
    private long[] tails = {};
    private long[] latencyNs = {};
    private long[] latencies = {};
    private long beyondLimit;

    Pairs(@Nullable Topology topology) {
        this.topology = topology;
    }

    @Override
    public void wakeup(Wakeup wakeup) {
        int from = wakeup.fromInterrupt() || wakeup.wakerSlot <= 0 ? INTERRUPT : wakeup.wakerSlot;
        int pair = index.of(from, wakeup.wakeeSlot);
        if (pair < 0) {
            beyondLimit++;
            return;
        }
        if (pair >= count.length) {
            grow(index.capacity());
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

    private void grow(int to) {
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
    }

    /** Wakeups of pairs beyond the limit. */
    public long beyondLimit() {
        return beyondLimit;
    }

    public int size() {
        return index.size();
    }

    /** All pairs, most wakeups first. */
    public List<Pair> mostWakeups() {
        List<Pair> pairs = new ArrayList<>(size());
        for (int pair = 0; pair < size(); pair++) {
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
                index.waker(pair),
                index.wakee(pair),
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
