package dev.perch.audit;

import dev.perch.model.Distance;

/**
 * A waker and a wakee.
 *
 * @param wakerSlot slot in {@link AuditTasks}, or {@link Pairs#INTERRUPT}
 * @param wakeups how often
 * @param synchronous share of the wakeups after which the waker slept before the wakee was through; −1 if none is known
 * @param overlap share of the wakee's time on a CPU in which the waker still ran; −1 if not known
 * @param moves wakeups that put the wakee on another CPU than before
 * @param tailNs how long the waker ran on after a wakeup, on average; −1 if not known
 * @param overlapNs how long both ran at the same time after a wakeup, on average; −1 if not known
 * @param latencies wakeups with known latency by distance from waker to chosen CPU
 * @param latencySumNs their summed latencies
 */
public record Pair(
        int wakerSlot,
        int wakeeSlot,
        long wakeups,
        double synchronous,
        double overlap,
        long moves,
        long tailNs,
        long overlapNs,
        long[] latencies,
        long[] latencySumNs) {

    /** Mean latency of the wakeups over {@code distance}, −1 if there were none. */
    public long latencyNs(Distance distance) {
        long count = latencies[distance.ordinal()];
        return count == 0 ? -1 : latencySumNs[distance.ordinal()] / count;
    }

    /** Mean latency of the wakeups that crossed to another CPU, −1 if there were none. */
    public long crossLatencyNs() {
        long count = 0;
        long sum = 0;
        for (int i = Distance.CPU.ordinal() + 1; i < latencies.length; i++) {
            count += latencies[i];
            sum += latencySumNs[i];
        }
        return count == 0 ? -1 : sum / count;
    }

    /** How many wakeups crossed to another CPU. */
    public long crossed() {
        long count = 0;
        for (int i = Distance.CPU.ordinal() + 1; i < latencies.length; i++) {
            count += latencies[i];
        }
        return count;
    }
}
