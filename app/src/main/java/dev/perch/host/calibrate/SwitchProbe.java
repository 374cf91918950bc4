package dev.perch.host.calibrate;

import dev.perch.host.bench.YieldLoop;
import dev.perch.host.linux.ThisThread;
import dev.perch.model.InputException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * A context switch, from two tasks that yield to each other on one CPU: their time without that of the yields, divided by the switches.
 *
 * <p>How often the calling thread was switched away is what getrusage counts; the other task as often. What remains of a switch is beyond what a yield
 * costs that finds nobody: choosing the other task, its address space if it is another's, its registers and stack, and whatever its caches
 * have lost meanwhile. Blocks are shorter than those of other probes: a third task that takes the CPU for a while then lengthens few of
 * them, and the median does not see it.
 */
final class SwitchProbe {
    private static final int YIELDS = 64;
    private static final int PIECES = 2;
    private static final int BLOCKS = 150;
    private static final long LONGEST_NS = 400_000_000;
    /** Of the other task, alone on the CPU: until its loop is compiled, or for a while on a CPU where others run too. */
    private static final long WARM_YIELDS = 30_000;

    private static final long WARM_UP_NS = 300_000_000;
    private static final long PAUSE_NS = 1_000_000;

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
        double[] values = new double[BLOCKS];
        int measured = 0;
        long start = System.nanoTime();
        while (measured < BLOCKS && System.nanoTime() - start < (measured == 0 ? 10 : 1) * LONGEST_NS) {
            blocks.check();
            check.run();
            long switches = switches();
            long yields = other.yields();
            long begin = System.nanoTime();
            for (int i = 0; i < PIECES; i++) {
                yieldSome();
            }
            double ns = System.nanoTime() - begin - blocks.clockNs();
            yields = PIECES * YIELDS + other.yields() - yields;
            switches = 2 * (switches() - switches);
            if (switches > 0) {
                values[measured++] = (ns - yields * yieldNs) / switches;
            }
        }
        if (measured == 0) {
            throw new InputException("two tasks that yield on one CPU do not switch there; is it busy with real-time tasks?");
        }
        return Arrays.copyOf(values, measured);
    }

    private void awaitWarm(YieldLoop other, Runnable check) {
        long patience = WARM_UP_NS / PAUSE_NS;
        while (other.yields() < WARM_YIELDS && patience > 0) {
            blocks.check();
            check.run();
            patience -= other.yields() > 0 ? 1 : 0;
            try {
                TimeUnit.NANOSECONDS.sleep(PAUSE_NS);
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
