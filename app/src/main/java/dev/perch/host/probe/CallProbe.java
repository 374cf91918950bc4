package dev.perch.host.probe;

import dev.perch.host.linux.Futexes;
import dev.perch.host.linux.OpenFiles;
import dev.perch.host.linux.ThisThread;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * System calls that find nothing to do: into the kernel and out of it, a wakeup of nobody, a yield to nobody.
 *
 * <p>What a call into C costs by itself is that of getpagesize, which is called in the same way and does not enter the kernel.
 */
final class CallProbe {
    private static final int CALLS = 64;
    private static final long YIELD_BLOCK_NS = 100_000;

    private final Blocks blocks;
    private final MemorySegment word = new SharedWords(1).futex(0);
    private int sink;

    CallProbe(Blocks blocks) {
        this.blocks = blocks;
    }

    /** ns of a call into C and out of it: the shortest block, for nothing but disturbance can lengthen what stays in user mode. */
    double callNs() {
        return Arrays.stream(blocks.values(CALLS, this::pageSizes)).min().orElseThrow();
    }

    private long pageSizes() {
        long start = System.nanoTime();
        for (int i = 0; i < CALLS; i++) {
            sink += OpenFiles.pageSize();
        }
        return System.nanoTime() - start;
    }

    /** ns of getppid, the call into C included. */
    double[] parents() {
        return blocks.values(CALLS, () -> {
            long start = System.nanoTime();
            for (int i = 0; i < CALLS; i++) {
                sink += ThisThread.parentProcessId();
            }
            return System.nanoTime() - start;
        });
    }

    /** ns of sched_yield, the call into C included; in short blocks, of which more find nobody on a CPU where others run too. */
    double[] yields() {
        return blocks.values(CALLS, YIELD_BLOCK_NS, () -> {
            long start = System.nanoTime();
            for (int i = 0; i < CALLS; i++) {
                ThisThread.yieldCpu();
            }
            return System.nanoTime() - start;
        });
    }

    /** ns of FUTEX_WAKE, the call into C included. */
    double[] futexWakes() {
        return blocks.values(CALLS, () -> {
            long start = System.nanoTime();
            for (int i = 0; i < CALLS; i++) {
                sink += Futexes.wake(word, 1);
            }
            return System.nanoTime() - start;
        });
    }
}
