package dev.perch.trace.binary;

import dev.perch.trace.EventKind;

/**
 * Which of several trace buffers each kind of event is taken from: the first that has it. Two buffers that record the same tracepoint hold
 * the same events twice.
 */
public final class BufferShares {
    private static final int NOBODY = -1;

    private final int[] owner = new int[EventKind.values().length];
    private final boolean several;

    /** @param buffers how many there are */
    public BufferShares(int buffers) {
        several = buffers > 1;
        java.util.Arrays.fill(owner, NOBODY);
    }

    /** Whether the record at {@code bytes[at]} counts, coming from this buffer. */
    boolean takes(EventFormats formats, byte[] bytes, int at, int length, int buffer) {
        EventKind kind = several ? formats.kind(bytes, at, length) : null;
        if (kind == null) {
            return true;
        }
        int index = kind.ordinal();
        if (owner[index] == NOBODY) {
            owner[index] = buffer;
        }
        return owner[index] == buffer;
    }
}
