package dev.perch.host.bench;

import dev.perch.host.linux.TaskUse;
import dev.perch.host.linux.ThisThread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A task that does nothing but yield its CPU, and counts how often; and whoever started it, who reads the count and ends it. The two are
 * threads of one process or of two, and meet in a file that both map.
 */
public final class YieldLoop {
    private static final long BYTES = 192;
    private static final long COUNT = 0;
    private static final long STOP = 64;
    private static final long TASK = 128;
    private static final int YIELDS_PER_LOOK = 64;
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final MemorySegment shared;

    /** @param file empty before the first of the two maps it; whoever made it removes it */
    public YieldLoop(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            shared = channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, Arena.ofAuto());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Yields until {@link #stop}. */
    public TaskUse runUntilStopped() {
        LONG.setOpaque(shared, TASK, (long) ThisThread.threadId());
        TaskUse before = TaskUse.now();
        while ((long) LONG.getOpaque(shared, STOP) == 0) {
            yieldSome();
        }
        return TaskUse.now().since(before);
    }

    private void yieldSome() {
        for (int i = 0; i < YIELDS_PER_LOOK; i++) {
            ThisThread.yieldCpu();
            LONG.setOpaque(shared, COUNT, (long) LONG.getOpaque(shared, COUNT) + 1);
        }
    }

    /** How often the task has yielded so far. */
    public long yields() {
        return (long) LONG.getOpaque(shared, COUNT);
    }

    /** The id of the task's thread, once it has yielded; 0 before. */
    public int threadId() {
        return (int) (long) LONG.getOpaque(shared, TASK);
    }

    /** Lets the task end soon; once for all. */
    public void stop() {
        LONG.setOpaque(shared, STOP, 1L);
    }
}
