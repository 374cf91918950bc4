package dev.perch.host.probe;

import dev.perch.host.bench.StoppedException;
import dev.perch.host.linux.ThisThread;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Measures an operation in blocks, on the calling thread: first a warm-up in which the compiler gets to the loop, then {@value #BLOCKS} blocks
 * of 1 ms or more, the value of each the mean of its operations.
 *
 * <p>A block in which the thread left its CPU measured somebody else's work too, and is made again, for as long as there is time. Where no time
 * is without such switches, all blocks count.
 *
 * <p>What does the operations does some of them a call, and gives the time of those; so it is compiled in whole from one call to the next. The
 * cost of the two looks at the clock is taken off.
 */
final class Blocks {
    static final int BLOCKS = 30;
    private static final long BLOCK_NS = 1_000_000;

    private static final long WHILE_NS = 15_000_000;
    private static final int STEADY_WHILES = 4;
    private static final double FASTER = 0.97;
    /** Above HotSpot's Tier4MinInvocationThreshold, 600. */
    private static final int WARM_UP_CALLS = 700;

    private static final long LONGEST_WARM_UP_NS = 2_000_000_000L;
    private static final long LONGEST_NS = 400_000_000;
    private static final int ENOUGH = 5;
    private static final int CLOCK_READS = 64;

    private final BooleanSupplier stopped;
    private final double clockNs;

    /** For operations of the calling thread. */
    Blocks(BooleanSupplier stopped) {
        this.stopped = stopped;
        clockNs = measureClock();
    }

    /** Whether the measurement is to end. */
    boolean isToStop() {
        return stopped.getAsBoolean();
    }

    /** How long two looks at the clock lie apart when nothing is between them, ns. */
    double clockNs() {
        return clockNs;
    }

    private double measureClock() {
        long end = System.nanoTime() + WHILE_NS;
        double[] values = new double[BLOCKS];
        for (int block = 0; System.nanoTime() < end; block = (block + 1) % BLOCKS) {
            values[block] = clockStep();
        }
        return Reading.of(values).median();
    }

    private static double clockStep() {
        long first = System.nanoTime();
        long last = first;
        for (int i = 0; i < CLOCK_READS; i++) {
            last = System.nanoTime();
        }
        return (double) (last - first) / CLOCK_READS;
    }

    /** @throws StoppedException when the measurement is to stop */
    void check() {
        if (stopped.getAsBoolean()) {
            throw new StoppedException();
        }
    }

    /**
     * ns an operation, a value a block.
     *
     * @param some does {@code operations}, and gives the ns that they took
     */
    double[] values(int operations, LongSupplier some) {
        return values(operations, BLOCK_NS, some);
    }

    /** The same with blocks of {@code blockNs} or more. */
    double[] values(int operations, long blockNs, LongSupplier some) {
        warmUp(some);
        double[] clean = new double[BLOCKS];
        double[] disturbed = new double[BLOCKS];
        int cleanBlocks = 0;
        int disturbedBlocks = 0;
        long end = System.nanoTime() + LONGEST_NS;
        while (cleanBlocks < BLOCKS && (System.nanoTime() < end || cleanBlocks + disturbedBlocks == 0)) {
            check();
            ThisThread.Switches before = ThisThread.switches();
            double value = block(operations, blockNs, some);
            if (ThisThread.switches().equals(before)) {
                clean[cleanBlocks++] = value;
            } else if (disturbedBlocks < BLOCKS) {
                disturbed[disturbedBlocks++] = value;
            }
        }
        return cleanBlocks >= ENOUGH || disturbedBlocks == 0
                ? Arrays.copyOf(clean, cleanBlocks)
                : concatenate(clean, cleanBlocks, disturbed, disturbedBlocks);
    }

    /**
     * Until the compiler has nothing to do and the fastest call no longer gets faster from one while to the next; at least as many calls as it takes
     * for the compiler to take notice. Some 60 ms on a machine with nothing else to do, and up to some seconds on one that leaves the compiler no CPU.
     */
    void warmUp(LongSupplier some) {
        long begin = System.nanoTime();
        long fastest = Long.MAX_VALUE;
        int steady = 0;
        long calls = 0;
        while ((steady < STEADY_WHILES || calls < WARM_UP_CALLS) && System.nanoTime() - begin < LONGEST_WARM_UP_NS) {
            long now = Long.MAX_VALUE;
            long end = System.nanoTime() + WHILE_NS;
            for (long start = System.nanoTime(); start < end; start = System.nanoTime()) {
                check();
                var _ = some.getAsLong();
                now = Math.min(now, System.nanoTime() - start);
                calls++;
            }
            steady = now < fastest * FASTER || !CompilerThreads.areIdle() ? 0 : steady + 1;
            fastest = Math.min(fastest, now);
        }
    }

    private double block(int operations, long blockNs, LongSupplier some) {
        long start = System.nanoTime();
        long ns = 0;
        long calls = 0;
        do {
            ns += some.getAsLong();
            calls++;
        } while (System.nanoTime() - start < blockNs);
        return (ns - calls * clockNs) / (calls * operations);
    }

    private static double[] concatenate(double[] first, int firstCount, double[] second, int secondCount) {
        double[] all = Arrays.copyOf(first, firstCount + secondCount);
        System.arraycopy(second, 0, all, firstCount, secondCount);
        return all;
    }
}
