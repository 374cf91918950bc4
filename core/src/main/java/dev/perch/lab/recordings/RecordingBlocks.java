package dev.perch.lab.recordings;

import dev.perch.audit.Verdict;
import java.util.Arrays;
import java.util.List;

/**
 * One recording in blocks of time. Selections are numbers of blocks, as the bootstrap draws them.
 *
 * @param name what to call it
 * @param lengthNs of a block
 * @param seconds recorded time within each block
 * @param wakeups by block
 * @param placed wakeups for which the kernel had to choose a CPU, by block
 * @param byVerdict wakeups by verdict's ordinal and block
 */
public record RecordingBlocks(
        String name,
        long lengthNs,
        double[] seconds,
        long[] wakeups,
        long[] placed,
        long[][] byVerdict,
        LatencyBlocks latencies,
        List<RecordingProfile.NamedPair> pairs) {
    /** All blocks, as a selection. */
    double[] all() {
        double[] all = new double[seconds.length];
        Arrays.setAll(all, block -> block);
        return all;
    }

    /** Recorded time, s. */
    public double duration() {
        return Arrays.stream(seconds).sum();
    }

    /** All wakeups. */
    public long wakeupCount() {
        return Arrays.stream(wakeups).sum();
    }

    /** How many blocks there are. */
    public int blockCount() {
        return seconds.length;
    }

    double perSecond(long[] counts, double[] selection) {
        return sum(counts, selection) / sum(seconds, selection);
    }

    double share(Verdict verdict, double[] selection) {
        return sum(byVerdict[verdict.ordinal()], selection) / sum(wakeups, selection);
    }

    static double sum(long[] values, double[] selection) {
        double sum = 0;
        for (double block : selection) {
            sum += values[(int) block];
        }
        return sum;
    }

    private static double sum(double[] values, double[] selection) {
        double sum = 0;
        for (double block : selection) {
            sum += values[(int) block];
        }
        return sum;
    }
}
