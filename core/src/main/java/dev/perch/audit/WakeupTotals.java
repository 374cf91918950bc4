package dev.perch.audit;

import dev.perch.model.Distance;
import dev.perch.model.Topology;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Sums over all reported wakeups. */
public final class WakeupTotals implements WakeupConsumer {
    private static final int VERDICTS = Verdict.all().length;
    private static final int DISTANCES = Distance.all().length;

    private final @Nullable Topology topology;
    private final Histogram latencies = new Histogram(3);
    private final long[] byVerdict = new long[VERDICTS];
    private final long[] faults = new long[VERDICTS];
    private final long[] queueingNs = new long[VERDICTS];
    private final long[] costNs = new long[VERDICTS];
    private final long[] costKnown = new long[VERDICTS];
    private final long[] latencySumNs = new long[VERDICTS];
    private final long[] latencyKnown = new long[VERDICTS];
    private final long[] byReason = new long[UnknownReason.values().length];
    private final long[] byCertainty = new long[Certainty.values().length];
    private final long[] byIpi = new long[Answer.values().length];
    private final long[] fromWaker = new long[DISTANCES];
    private final long[] fromPrev = new long[DISTANCES];
    private long placed;
    private long foundNothing;
    private long assumedAffinity;
    private long cutOff;
    private long count;

    WakeupTotals(@Nullable Topology topology) {
        this.topology = topology;
    }

    @Override
    public void wakeup(Wakeup wakeup) {
        count++;
        int verdict = wakeup.verdict.ordinal();
        byVerdict[verdict]++;
        byReason[wakeup.unknownReason.ordinal()]++;
        byCertainty[wakeup.certainty.ordinal()]++;
        byIpi[wakeup.ipi.ordinal()]++;
        cutOff += wakeup.cutOff ? 1 : 0;
        if (wakeup.latencyNs >= 0) {
            latencies.recordValue(wakeup.latencyNs);
            latencySumNs[verdict] += wakeup.latencyNs;
            latencyKnown[verdict]++;
        }
        queueingNs[verdict] += Math.max(0, wakeup.queueingNs);
        if (wakeup.costKnown) {
            costNs[verdict] += wakeup.costNs;
            costKnown[verdict]++;
        }
        for (Verdict fault : Verdict.all()) {
            faults[fault.ordinal()] += (wakeup.faults & fault.bit()) != 0 ? 1 : 0;
        }
        if (wakeup.placed()) {
            countPlaced(wakeup);
        }
    }

    private void countPlaced(Wakeup wakeup) {
        placed++;
        assumedAffinity += wakeup.affinityAssumed ? 1 : 0;
        foundNothing += wakeup.idle.contains(wakeup.chosenCpu) ? 0 : 1;
        Distance waker = wakeup.wakerToChosen(topology);
        if (waker != null) {
            fromWaker[waker.ordinal()]++;
        }
        Distance prev = wakeup.prevToChosen(topology);
        if (prev != null) {
            fromPrev[prev.ordinal()]++;
        }
    }

    public long count() {
        return count;
    }

    public long of(Verdict verdict) {
        return byVerdict[verdict.ordinal()];
    }

    /** Wakeups for which the fault holds, whatever their verdict. */
    public long withFault(Verdict fault) {
        return faults[fault.ordinal()];
    }

    /** Summed time that the wakees of these waited behind other tasks, ns. */
    public long queueingNs(Verdict verdict) {
        return queueingNs[verdict.ordinal()];
    }

    /** Summed {@link Wakeup#costNs} of those where it is known. */
    public long costNs(Verdict verdict) {
        return costNs[verdict.ordinal()];
    }

    /** How many of these have a known cost. */
    public long costKnown(Verdict verdict) {
        return costKnown[verdict.ordinal()];
    }

    /** Mean latency of these, ns, −1 if none is known. */
    public long meanLatencyNs(Verdict verdict) {
        long known = latencyKnown[verdict.ordinal()];
        return known == 0 ? -1 : latencySumNs[verdict.ordinal()] / known;
    }

    public long of(UnknownReason reason) {
        return byReason[reason.ordinal()];
    }

    public long of(Certainty certainty) {
        return byCertainty[certainty.ordinal()];
    }

    public long of(Answer ipi) {
        return byIpi[ipi.ordinal()];
    }

    /** Wakeups for which the kernel had to choose a CPU. */
    public long placed() {
        return placed;
    }

    /** Placed wakeups whose chosen CPU was not idle. */
    public long foundNothing() {
        return foundNothing;
    }

    /** Placed wakeups whose wakee was taken to be allowed everywhere for want of better knowledge. */
    public long assumedAffinity() {
        return assumedAffinity;
    }

    /** Wakeups whose wakee did not run before the end. */
    public long cutOff() {
        return cutOff;
    }

    /** From the waking record until the wakee runs, ns. */
    public Histogram latencies() {
        return latencies;
    }

    /** Placed wakeups by distance from the waker's CPU to the chosen one. */
    public long fromWaker(Distance distance) {
        return fromWaker[distance.ordinal()];
    }

    /** Placed wakeups by distance from the previous CPU to the chosen one. */
    public long fromPrev(Distance distance) {
        return fromPrev[distance.ordinal()];
    }
}
