package dev.perch.host.probe;

import dev.perch.host.bench.YieldingTask;
import dev.perch.host.linux.TaskUse;
import dev.perch.host.linux.ThisThread;
import dev.perch.model.InputException;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;

/**
 * A context switch, from two tasks that yield to each other on one CPU: their time without that of the yields, divided by the switches.
 *
 * <p>How often the calling thread was switched away is what getrusage counts; the other task as often. What remains of a switch is beyond what a yield
 * costs that finds nobody: choosing the other task, its address space if it is another's, its registers and stack, and whatever its caches
 * have lost meanwhile. Blocks in which neither of the two ran for more than a tenth of the time were a third task's too, and do not count
 * where there are enough others. Blocks are shorter than those of other probes, so that there are.
 */
final class SwitchProbe {
    private static final int YIELDS = 64;
    private static final int PIECES = 2;
    private static final int BLOCKS = 150;
    private static final int ENOUGH = 10;
    private static final long LONGEST_NS = 400_000_000;
    private static final double MOST_OTHERS = 0.1;
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
     * @param yieldNs a yield that finds nobody, the call into C included
     */
    double[] values(YieldingTask other, double yieldNs) {
        awaitWarm(other);
        blocks.warmUp(SwitchProbe::yieldSome);
        DoubleStream.Builder clean = DoubleStream.builder();
        DoubleStream.Builder all = DoubleStream.builder();
        int cleanBlocks = 0;
        long blocksMade = 0;
        long start = System.nanoTime();
        while (cleanBlocks < BLOCKS && System.nanoTime() - start < (blocksMade < ENOUGH ? 10 : 1) * LONGEST_NS) {
            blocks.check();
            other.check();
            Block block = block(other);
            if (block.switches > 0) {
                double value = (block.ns - block.yields * yieldNs) / block.switches;
                all.add(value);
                blocksMade++;
                if (block.others < MOST_OTHERS) {
                    clean.add(value);
                    cleanBlocks++;
                }
            }
        }
        if (blocksMade == 0) {
            throw new InputException(
                    "two tasks that yield on one CPU do not switch there; is it busy with real-time tasks?");
        }
        return (cleanBlocks >= ENOUGH ? clean : all).build().toArray();
    }

    /** @param others share of the time in which neither of the two ran; 0 if the kernel does not tell */
    private record Block(double ns, long yields, long switches, double others) {}

    private Block block(YieldingTask other) {
        long own = bothNs(other);
        long begin = System.nanoTime();
        long switches = switches();
        long yields = other.yields();
        long inner = System.nanoTime();
        for (int i = 0; i < PIECES; i++) {
            yieldSome();
        }
        double ns = System.nanoTime() - inner - blocks.clockNs();
        yields = PIECES * YIELDS + other.yields() - yields;
        switches = 2 * (switches() - switches);
        double all = System.nanoTime() - begin;
        own = bothNs(other) - own;
        return new Block(ns, yields, switches, own == 0 ? 0 : 1 - own / all);
    }

    private static long bothNs(YieldingTask other) {
        return TaskUse.cpuNs(ThisThread.threadId()) + TaskUse.cpuNs(other.threadId());
    }

    private void awaitWarm(YieldingTask other) {
        long patience = WARM_UP_NS / PAUSE_NS;
        while (other.yields() < WARM_YIELDS && patience > 0) {
            blocks.check();
            other.check();
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
