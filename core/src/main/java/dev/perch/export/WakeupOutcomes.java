package dev.perch.export;

import dev.perch.audit.Certainty;
import dev.perch.audit.UnknownReason;
import dev.perch.audit.Verdict;
import dev.perch.audit.Wakeup;
import dev.perch.audit.WakeupConsumer;
import java.util.ArrayList;
import java.util.List;

/**
 * What became of each wakeup of a recording, kept until the recording is read again and each can be told at its own time: 37 bytes a
 * wakeup.
 *
 * <p>Wakeups end in another order than they begin; they are kept by their numbers, which follow their times. {@link #find} walks them
 * forward, as a second reading meets them.
 */
final class WakeupOutcomes implements WakeupConsumer {
    private static final int CHUNK = 1 << 14;
    private static final Verdict[] VERDICTS = Verdict.values();
    private static final Certainty[] CERTAINTIES = Certainty.values();
    private static final UnknownReason[] REASONS = UnknownReason.values();
    private static final long COST_UNKNOWN = Long.MIN_VALUE;

    /** Some wakeups in parallel arrays; a wakee of 0 means that there is none of that number. */
    private static final class Chunk {
        private final long[] ns = new long[CHUNK];
        private final long[] latencyNs = new long[CHUNK];
        private final long[] costNs = new long[CHUNK];
        private final int[] wakee = new int[CHUNK];
        private final short[] thisCpu = new short[CHUNK];
        private final short[] chosenCpu = new short[CHUNK];
        private final short[] faults = new short[CHUNK];
        private final byte[] verdict = new byte[CHUNK];
        private final byte[] certainty = new byte[CHUNK];
        private final byte[] reason = new byte[CHUNK];
    }

    private final List<Chunk> chunks = new ArrayList<>();
    private long from;

    @Override
    public void wakeup(Wakeup wakeup) {
        long place = wakeup.number() - 1;
        while (place / CHUNK >= chunks.size()) {
            chunks.add(new Chunk());
        }
        Chunk chunk = chunk(place);
        int at = at(place);
        chunk.ns[at] = wakeup.ns();
        chunk.latencyNs[at] = wakeup.latencyNs();
        chunk.costNs[at] = wakeup.costKnown() ? wakeup.costNs() : COST_UNKNOWN;
        chunk.wakee[at] = wakeup.wakee();
        chunk.thisCpu[at] = (short) wakeup.thisCpu();
        chunk.chosenCpu[at] = (short) wakeup.chosenCpu();
        chunk.faults[at] = (short) wakeup.faults();
        chunk.verdict[at] = (byte) wakeup.verdict().ordinal();
        chunk.certainty[at] = (byte) wakeup.certainty().ordinal();
        chunk.reason[at] = (byte) wakeup.unknownReason().ordinal();
    }

    /**
     * The number of the wakeup of {@code wakee} that began at {@code ns} on {@code cpu}; 0 if there is none. Times must not decrease from
     * call to call. Of several alike the first that was not found yet.
     */
    long find(long ns, int cpu, int wakee) {
        long end = (long) chunks.size() * CHUNK;
        while (from < end && (chunk(from).wakee[at(from)] == 0 || chunk(from).ns[at(from)] < ns)) {
            from++;
        }
        for (long place = from; place < end; place++) {
            Chunk chunk = chunk(place);
            int at = at(place);
            if (chunk.wakee[at] != 0 && chunk.ns[at] > ns) {
                return 0;
            }
            if (chunk.wakee[at] == wakee && chunk.thisCpu[at] == cpu) {
                // Found once: the next one alike is another.
                chunk.thisCpu[at] = Short.MIN_VALUE;
                return place + 1;
            }
        }
        return 0;
    }

    Verdict verdict(long number) {
        return VERDICTS[chunk(number - 1).verdict[at(number - 1)]];
    }

    UnknownReason reason(long number) {
        return REASONS[chunk(number - 1).reason[at(number - 1)]];
    }

    Certainty certainty(long number) {
        return CERTAINTIES[chunk(number - 1).certainty[at(number - 1)]];
    }

    int faults(long number) {
        return chunk(number - 1).faults[at(number - 1)];
    }

    /** Where the wakee was put, −1 if that is not known. */
    int chosenCpu(long number) {
        return chunk(number - 1).chosenCpu[at(number - 1)];
    }

    /** From the waking record until the wakee ran, ns; −1 if that is not known. */
    long latencyNs(long number) {
        return chunk(number - 1).latencyNs[at(number - 1)];
    }

    boolean isCostKnown(long number) {
        return costNs(number) != COST_UNKNOWN;
    }

    /** As {@link Wakeup#costNs}. */
    long costNs(long number) {
        return chunk(number - 1).costNs[at(number - 1)];
    }

    private Chunk chunk(long place) {
        return chunks.get((int) (place / CHUNK));
    }

    private static int at(long place) {
        return (int) (place % CHUNK);
    }
}
