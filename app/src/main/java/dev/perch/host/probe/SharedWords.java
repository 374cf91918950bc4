package dev.perch.host.probe;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/** Numbers that two threads share, each in cache lines of its own, two to keep neighbours' prefetching apart. */
final class SharedWords {
    private static final long APART = 256;
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final MemorySegment memory;

    /** All of them 0. */
    SharedWords(int count) {
        memory = Arena.ofAuto().allocate(count * APART, APART);
    }

    /** The memory of a word, for the kernel to sleep on. */
    MemorySegment futex(int word) {
        return memory.asSlice(word * APART, Integer.BYTES);
    }

    int get(int word) {
        return (int) INT.getVolatile(memory, word * APART);
    }

    void set(int word, int value) {
        INT.setVolatile(memory, word * APART, value);
    }

    long getLong(int word) {
        return (long) LONG.getVolatile(memory, word * APART);
    }

    void setLong(int word, long value) {
        LONG.setVolatile(memory, word * APART, value);
    }

    /** @return what the word was: {@code expected} if it was replaced */
    int compareAndExchange(int word, int expected, int value) {
        return (int) INT.compareAndExchange(memory, word * APART, expected, value);
    }

    /** Spins until a word has a value. */
    void await(int word, int value, Partner partner) {
        for (int spins = 1; get(word) != value; spins++) {
            Thread.onSpinWait();
            partner.checkSometimes(spins);
        }
    }
}
