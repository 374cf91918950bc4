package dev.perch.lab.recordings;

import dev.perch.audit.AuditResult;
import dev.perch.audit.AuditTasks;
import dev.perch.audit.Pairs;
import dev.perch.audit.Verdict;
import dev.perch.audit.Wakeup;
import dev.perch.audit.WakeupConsumer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What a comparison needs of one recording: wakeups, verdicts, latencies and pairs by block of time. Listens to an audit.
 *
 * <p>Limitation: latencies are kept to three digits.
 */
public final class RecordingProfile implements WakeupConsumer {
    private static final int DIGITS = 3;
    private static final String INTERRUPT = "interrupt";

    private final TimeBlocks blocks = new TimeBlocks(new TimeBlocks.Sums() {
        @Override
        public void halve(int shift) {
            halveAll(shift);
        }

        @Override
        public void moveUp(int count) {
            moveAllUp(count);
        }
    });
    private final long[] wakeups = new long[TimeBlocks.MOST];
    private final long[] placed = new long[TimeBlocks.MOST];
    private final long[][] byVerdict = new long[Verdict.all().length][TimeBlocks.MOST];
    private final Histogram[] latencies = new Histogram[TimeBlocks.MOST];
    private final PairBlocks pairs = new PairBlocks();

    public RecordingProfile() {
        for (int block = 0; block < TimeBlocks.MOST; block++) {
            latencies[block] = new Histogram(DIGITS);
        }
    }

    @Override
    public void wakeup(Wakeup wakeup) {
        int block = blocks.of(wakeup.ns());
        wakeups[block]++;
        byVerdict[wakeup.verdict().ordinal()][block]++;
        placed[block] += wakeup.placed() ? 1 : 0;
        if (wakeup.latencyNs() >= 0) {
            latencies[block].recordValue(wakeup.latencyNs());
        }
        int waker = wakeup.fromInterrupt() || wakeup.wakerSlot() <= 0 ? Pairs.INTERRUPT : wakeup.wakerSlot();
        pairs.add(waker, wakeup.wakeeSlot(), block, wakeup.latencyNs());
    }

    private void halveAll(int shift) {
        Blocks.halve(wakeups, shift);
        Blocks.halve(placed, shift);
        for (long[] counts : byVerdict) {
            Blocks.halve(counts, shift);
        }
        pairs.halve(shift);
        int to = 0;
        for (int from = -shift; from < TimeBlocks.MOST; from += 2, to++) {
            Histogram sum = new Histogram(DIGITS);
            for (int part = Math.max(0, from); part <= from + 1 && part < TimeBlocks.MOST; part++) {
                sum.add(latencies[part]);
            }
            latencies[to] = sum;
        }
        for (; to < TimeBlocks.MOST; to++) {
            latencies[to] = new Histogram(DIGITS);
        }
    }

    private void moveAllUp(int count) {
        Blocks.moveUp(wakeups, count);
        Blocks.moveUp(placed, count);
        for (long[] counts : byVerdict) {
            Blocks.moveUp(counts, count);
        }
        pairs.moveUp(count);
        for (int block = TimeBlocks.MOST - 1; block >= count; block--) {
            latencies[block] = latencies[block - count];
        }
        for (int block = 0; block < count; block++) {
            latencies[block] = new Histogram(DIGITS);
        }
    }

    /** One pair, by name. */
    record NamedPair(String waker, String wakee, long[] wakeups, long[] latencies, long[] latencySumNs) {}

    /**
     * What was found, once the audit is finished.
     *
     * @param name what to call the recording
     */
    public RecordingBlocks finish(String name, AuditResult result) {
        long first = result.system().firstNs();
        long last = result.system().lastNs();
        // also time without wakeups, at both ends
        blocks.of(first);
        blocks.of(last);
        int size = blocks.size();
        double[] seconds = new double[size];
        for (int block = 0; block < size; block++) {
            seconds[block] = blocks.within(block, first, last + 1) / 1e9;
        }
        return new RecordingBlocks(
                name,
                blocks.lengthNs(),
                seconds,
                wakeups,
                placed,
                byVerdict,
                LatencyBlocks.of(latencies, size),
                named(result.tasks()));
    }

    /** Pairs of tasks with the same names are one: process numbers differ from recording to recording. */
    private List<NamedPair> named(AuditTasks tasks) {
        Map<List<String>, NamedPair> byNames = new LinkedHashMap<>();
        for (int pair = 0; pair < pairs.size(); pair++) {
            String waker = pairs.waker(pair) == Pairs.INTERRUPT ? INTERRUPT : tasks.name(pairs.waker(pair));
            String wakee = tasks.name(pairs.wakee(pair));
            NamedPair sum = byNames.computeIfAbsent(
                    List.of(waker, wakee),
                    key -> new NamedPair(
                            waker,
                            wakee,
                            new long[TimeBlocks.MOST],
                            new long[TimeBlocks.MOST],
                            new long[TimeBlocks.MOST]));
            for (int block = 0; block < TimeBlocks.MOST; block++) {
                sum.wakeups()[block] += pairs.wakeups(pair)[block];
                sum.latencies()[block] += pairs.latencies(pair)[block];
                sum.latencySumNs()[block] += pairs.latencySumNs(pair)[block];
            }
        }
        return new ArrayList<>(byNames.values());
    }
}
