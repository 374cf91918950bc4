package dev.perch.host.bench;

import dev.perch.host.linux.Futexes;
import dev.perch.host.linux.OpenFiles;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * One end of a connection between two tasks that send each other one short message after the other. What is sent is a number; each end
 * waits, asleep in the kernel, until the other has sent.
 *
 * <p>An end belongs to the thread that made it, with the files that it reads and writes.
 */
interface Link extends AutoCloseable {
    /** The other end is to go on. */
    int GO_ON = 0;
    /** The other end is to stop: nothing more comes. */
    int STOP = 1;
    /** The other end is to go on, and to count from now on what it goes through. */
    int COUNT = 2;

    void send(int message);

    int receive();

    @Override
    void close();

    /** An end that reads and writes files: of a pipe, a pair of sockets or a TCP connection. Messages have four bytes, as perf bench sends. */
    final class Files implements Link {
        private final int from;
        private final int to;
        private final Arena arena = Arena.ofConfined();
        private final MemorySegment message = arena.allocate(Integer.BYTES, Integer.BYTES);

        /** @param to may be the same file as {@code from} */
        Files(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        public void send(int number) {
            message.set(ValueLayout.JAVA_INT, 0, number);
            long done = OpenFiles.write(to, message, Integer.BYTES);
            if (done != Integer.BYTES) {
                throw new IllegalStateException("a message of 4 bytes was cut to " + done);
            }
        }

        @Override
        public int receive() {
            long done = OpenFiles.read(from, message, Integer.BYTES);
            if (done != Integer.BYTES) {
                throw new IllegalStateException(
                        done == 0 ? "the other end is gone" : "a message of 4 bytes was cut to " + done);
            }
            return message.get(ValueLayout.JAVA_INT, 0);
        }

        @Override
        public void close() {
            OpenFiles.close(from);
            if (to != from) {
                OpenFiles.close(to);
            }
            arena.close();
        }
    }

    /**
     * An end of a pair of words in shared memory, each a message's count of one direction; who waits sleeps on the word in the futex system
     * call until it changes.
     */
    final class Futex implements Link {
        /** Bytes of the shared memory: for each direction a word and a message, in cache lines of their own. */
        static final long BYTES = 256;

        private static final long DIRECTION = 128;
        private static final long MESSAGE = 64;
        private static final VarHandle WORD = ValueLayout.JAVA_INT.varHandle();

        private final MemorySegment shared;
        private final long out;
        private final long in;
        private final MemorySegment outWord;
        private final MemorySegment inWord;
        private int sent;
        private int received;

        /**
         * @param shared all zero before the first of the two ends sends
         * @param first whether this is the first of the two ends
         */
        Futex(MemorySegment shared, boolean first) {
            this.shared = shared;
            out = first ? 0 : DIRECTION;
            in = first ? DIRECTION : 0;
            outWord = shared.asSlice(out, Integer.BYTES);
            inWord = shared.asSlice(in, Integer.BYTES);
        }

        @Override
        public void send(int message) {
            shared.set(ValueLayout.JAVA_INT, out + MESSAGE, message);
            WORD.setVolatile(shared, out, ++sent);
            Futexes.wake(outWord, 1);
        }

        @Override
        public int receive() {
            while ((int) WORD.getVolatile(shared, in) == received) {
                Futexes.await(inWord, received);
            }
            received++;
            return shared.get(ValueLayout.JAVA_INT, in + MESSAGE);
        }

        @Override
        public void close() {}
    }
}
