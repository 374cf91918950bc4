package dev.perch.host.record;

import java.io.IOException;
import java.nio.file.Path;

/** One of the kernel's two ways of handing out its events, and the file that they are written to. Used by one thread, in this order. */
interface Capture extends AutoCloseable {
    /**
     * What came out of it.
     *
     * @param events recorded
     * @param lost dropped by the kernel, because a buffer was full
     * @param bytes of the file
     */
    record Written(long events, long lost, long bytes) {}

    /**
     * Begins the file.
     *
     * @param file is overwritten
     * @param note for the file to tell
     */
    void begin(Path file, RecordingNote note) throws IOException;

    /** From now on events are recorded. */
    void enable();

    /**
     * Waits until there may be enough to be moved, or {@code wakeup} can be read.
     *
     * @param milliseconds at most; −1: for ever
     */
    void await(int wakeup, int milliseconds);

    /** Moves what the kernel has to the file, or near it. */
    void drain() throws IOException;

    /** Nothing is recorded any more. */
    void disable();

    /** Drains what is left and completes the file. */
    Written finish() throws IOException;

    /** How many CPUs are recorded. */
    int cpus();

    /** Bytes of each CPU's buffer in the kernel. */
    int bufferBytes();

    @Override
    void close();
}
