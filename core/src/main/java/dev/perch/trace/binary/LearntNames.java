package dev.perch.trace.binary;

import dev.perch.model.TaskNames;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * What the events of a recording have last called some pids, so that a name that comes with every event is looked at as two words and not
 * byte by byte. A table with one place for each remainder of the pid; a pid that is not there costs a call of {@link TaskNames#learn}.
 */
final class LearntNames {
    /** Length of a kernel's command name, bytes. */
    static final int LENGTH = 16;

    private static final int PLACES = 1 << 12;
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final int[] pids = new int[PLACES];
    private final long[] first = new long[PLACES];
    private final long[] second = new long[PLACES];

    LearntNames() {
        Arrays.fill(pids, -1);
    }

    /** Whether the events last called {@code pid} as the {@value #LENGTH} bytes from {@code at} say; from now on they do. */
    boolean knows(int pid, byte[] bytes, int at) {
        int place = pid & PLACES - 1;
        long one = (long) WORD.get(bytes, at);
        long two = (long) WORD.get(bytes, at + Long.BYTES);
        if (pids[place] == pid && first[place] == one && second[place] == two) {
            return true;
        }
        pids[place] = pid;
        first[place] = one;
        second[place] = two;
        return false;
    }

    /** Something else gave {@code pid} a name. */
    void forget(int pid) {
        int place = pid & PLACES - 1;
        if (pids[place] == pid) {
            pids[place] = -1;
        }
    }
}
