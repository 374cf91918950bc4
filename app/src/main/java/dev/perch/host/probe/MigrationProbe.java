package dev.perch.host.probe;

import dev.perch.host.linux.HostThread;
import dev.perch.host.linux.OpenFiles;
import dev.perch.model.CpuMask;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * What a thread pays for cold caches after a move to another CPU: the extra time of its first message through a pipe there (one write, one read),
 * over that of a later one.
 *
 * <p>Before each move it has sent itself messages on the old CPU, so that pipe, stack and task were written there. Limitation: the move itself
 * (sched_setaffinity, with the stopper thread) ends on the new CPU and has fetched part of the task and the stack before the clock starts.
 */
final class MigrationProbe implements AutoCloseable {
    private static final int MESSAGES = 32;
    private static final int SETTLE = 8;
    private static final int MOST_MOVES = 500;
    private static final int FEWEST_MOVES = 15;
    private static final long LONGEST_NS = 250_000_000;

    private final Blocks blocks;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment message = arena.allocate(Integer.BYTES, Integer.BYTES);
    private final OpenFiles.Ends pipe = OpenFiles.pipe();

    /** For the calling thread. */
    MigrationProbe(Blocks blocks) {
        this.blocks = blocks;
    }

    /** ns, a value a move from one CPU to another; leaves the calling thread on either. */
    double[] values(int from, int to) {
        CpuMask old = CpuMask.of(from);
        CpuMask next = CpuMask.of(to);
        HostThread.pin(old);
        blocks.warmUp(this::message);
        double[] values = new double[MOST_MOVES];
        int measured = 0;
        long end = System.nanoTime() + LONGEST_NS;
        while (measured < MOST_MOVES && (measured < FEWEST_MOVES || System.nanoTime() < end)) {
            blocks.check();
            HostThread.pin(old);
            messages(MESSAGES);
            HostThread.pin(next);
            long first = message();
            messages(SETTLE);
            long later = messages(MESSAGES) / MESSAGES;
            values[measured++] = first - later;
        }
        return Arrays.copyOf(values, measured);
    }

    private long messages(int count) {
        long ns = 0;
        for (int i = 0; i < count; i++) {
            ns += message();
        }
        return ns;
    }

    private long message() {
        long start = System.nanoTime();
        OpenFiles.write(pipe.second(), message, Integer.BYTES);
        OpenFiles.read(pipe.first(), message, Integer.BYTES);
        return System.nanoTime() - start;
    }

    @Override
    public void close() {
        OpenFiles.close(pipe.first());
        OpenFiles.close(pipe.second());
        arena.close();
    }
}
