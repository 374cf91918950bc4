package dev.perch.host.calibrate;

import dev.perch.host.bench.YieldLoop;
import dev.perch.host.linux.ThisThread;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * A context switch, from two tasks that yield to each other on one CPU: their time without that of the yields, divided by the switches.
 *
 * <p>How often the calling thread was switched away is what getrusage counts; the other task as often. What remains of a switch is beyond what a yield
 * costs that finds nobody: choosing the other task, its address space if it is another's, its registers and stack, and whatever its caches
 * have lost meanwhile. Limitation: third tasks on the CPU lengthen some blocks; the median is for that.
 */
final class SwitchProbe {
    private static final int YIELDS = 64;
    /** Of the other task, alone on the CPU: until its loop is compiled. */
    private static final long WARM_YIELDS = 30_000;

    private final Blocks blocks;

    SwitchProbe(Blocks blocks) {
        this.blocks = blocks;
    }

    /**
     * ns a switch, a value a block, on the CPU that the calling thread and the other task are pinned to.
     *
     * @param other whose task has been started
     * @param check throws what made the other task fail
     * @param yieldNs a yield that finds nobody, the call into C included
     */
    double[] values(YieldLoop other, Runnable check, double yieldNs) {
        awaitWarm(other, check);
        blocks.warmUp(SwitchProbe::yieldSome);
        double[] values = new double[Blocks.BLOCKS];
        int measured = 0;
        for (int block = 0; block < Blocks.BLOCKS; block++) {
            check.run();
            long switches = switches();
            long yields = other.yields();
            long start = System.nanoTime();
            long ns;
            do {
                yieldSome();
                yields -= YIELDS;
                ns = System.nanoTime() - start;
            } while (ns < Blocks.BLOCK_NS);
            switches = 2 * (switches() - switches);
            if (switches > 0) {
                values[measured++] = (ns - (other.yields() - yields) * yieldNs) / switches;
            }
        }
        return Arrays.copyOf(values, measured);
    }

    private void awaitWarm(YieldLoop other, Runnable check) {
        while (other.yields() < WARM_YIELDS) {
            blocks.check();
            check.run();
            try {
                TimeUnit.MILLISECONDS.sleep(1);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static long yieldSome() {
        for (int i = 0; i < YIELDS; i++) {
            ThisThread.yieldCpu();
        }
        return 0;
    }

    private static long switches() {
        ThisThread.Switches now = ThisThread.switches();
        return now.voluntary() + now.involuntary();
    }
}
