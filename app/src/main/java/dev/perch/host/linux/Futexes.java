package dev.perch.host.linux;

import java.lang.foreign.MemorySegment;

/** Sleeping on a word in memory, and waking who sleeps on it. */
public final class Futexes {
    private static final int FUTEX_WAIT = 0;
    private static final int FUTEX_WAKE = 1;

    private Futexes() {}

    /** Sleeps while the int at {@code word} is {@code expected}, until {@link #wake}; returns at once if it is not. */
    public static void await(MemorySegment word, int expected) {
        try {
            NativeCalls.systemCall("futex", NativeCalls.number(202, 98), word.address(), FUTEX_WAIT, expected, 0, 0);
        } catch (SystemCallException e) {
            if (e.errno() != SystemCallException.EAGAIN && e.errno() != SystemCallException.EINTR) {
                throw e;
            }
        }
    }

    /**
     * Wakes up to {@code count} threads that sleep on {@code word}.
     *
     * @return how many it woke
     */
    public static int wake(MemorySegment word, int count) {
        return (int)
                NativeCalls.systemCall("futex", NativeCalls.number(202, 98), word.address(), FUTEX_WAKE, count, 0, 0);
    }
}
