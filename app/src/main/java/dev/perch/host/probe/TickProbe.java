package dev.perch.host.probe;

import dev.perch.host.linux.CoarseClock;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * How long the timer tick stops a thread that spins: gaps between two looks at the clock that come back with the tick's period.
 *
 * <p>Gaps are laid over each other modulo the period. The narrow window that meets the most periods is the tick if it meets {@value #SHARE} of 10 or more; of each
 * period the longest gap in it counts. A gap is the interrupt, the scheduler's tick and whatever the kernel does before it returns (expired
 * timers, RCU), on a virtual machine also the hypervisor's part.
 *
 * <p>Limitation: a CPU without a tick (nohz_full), and one so busy that most ticks are lost among other gaps, give nothing.
 */
final class TickProbe {
    static final int SHARE = 6;

    private static final long DURATION_NS = 320_000_000;
    private static final int FEWEST_PERIODS = 20;
    private static final long SLICE_NS = 1_000_000;
    private static final int MOST_GAPS = 1 << 14;
    private static final int WINDOWS_A_PERIOD = 25;
    private static final int FEWEST_TICKS = 10;
    /** A gap of more than this part of a period is not a tick: somebody else ran. */
    private static final int LONGEST = 4;

    private static final double GAP_CLOCK_READS = 8;

    private final Blocks blocks;
    private final long[] begins = new long[MOST_GAPS];
    private final long[] lengths = new long[MOST_GAPS];
    private int gaps;

    TickProbe(Blocks blocks) {
        this.blocks = blocks;
    }

    /** ns, on the calling thread's CPU; nothing where no gaps come back with the tick. */
    Optional<Reading> reading() {
        long period = CoarseClock.resolutionNs();
        long shortest = (long) (GAP_CLOCK_READS * blocks.clockNs()) + 1;
        blocks.warmUp(() -> spin(System.nanoTime() + SLICE_NS / 10, shortest));
        gaps = 0;
        long start = System.nanoTime();
        long end = start + Math.max(DURATION_NS, FEWEST_PERIODS * period);
        for (long now = start; now < end; now = System.nanoTime()) {
            blocks.check();
            spin(Math.min(now + SLICE_NS, end), shortest);
        }
        double[] ticks = ticks(Arrays.copyOf(begins, gaps), Arrays.copyOf(lengths, gaps), period, start, end);
        return ticks.length == 0 ? Optional.empty() : Optional.of(Reading.of(ticks, ns -> ns - blocks.clockNs()));
    }

    private long spin(long end, long shortest) {
        long before = System.nanoTime();
        while (before < end) {
            long now = System.nanoTime();
            if (now - before >= shortest && gaps < MOST_GAPS) {
                begins[gaps] = before;
                lengths[gaps++] = now - before;
            }
            before = now;
        }
        return 0;
    }

    /**
     * The longest gap of each period in the window that meets the most periods; of those in which the thread was not away for long.
     *
     * @param begins of gaps, ascending
     * @return empty if that window meets too few
     */
    static double[] ticks(long[] begins, long[] lengths, long period, long start, long end) {
        long away = LongStream.of(lengths)
                .filter(length -> length > period / LONGEST)
                .sum();
        double periods = (double) (end - start - away) / period;
        long width = period / WINDOWS_A_PERIOD;
        double[] best = new double[0];
        for (long begin : begins) {
            // half a window early, so that a tick that came late this once does not hide the others
            double[] found = inWindow(begins, lengths, period, begin - width / 2, width);
            if (found.length > best.length) {
                best = found;
            }
        }
        return best.length >= FEWEST_TICKS && best.length * 10 >= periods * SHARE ? best : new double[0];
    }

    private static double[] inWindow(long[] begins, long[] lengths, long period, long phase, long width) {
        double[] longest = new double[begins.length];
        int found = 0;
        long last = Long.MIN_VALUE;
        for (int i = 0; i < begins.length; i++) {
            long sincePhase = begins[i] - phase;
            if (lengths[i] <= period / LONGEST && Math.floorMod(sincePhase, period) < width) {
                long number = Math.floorDiv(sincePhase, period);
                if (number != last) {
                    found++;
                    last = number;
                }
                longest[found - 1] = Math.max(longest[found - 1], (double) lengths[i]);
            }
        }
        return Arrays.copyOf(longest, found);
    }
}
