package dev.perch.model;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What each pid is called: the last command name seen for it. Filled by a reader while it reads, asked by whoever shows names.
 *
 * <p>An open-addressed table from pid to name. Learning a name that is already known costs one comparison and allocates nothing. Bytes
 * that are not UTF-8 become replacement characters.
 */
public final class TaskNames {
    private static final int INITIAL = 256;

    private int[] pids = new int[INITIAL];
    private byte[] @Nullable [] names = new byte[INITIAL][];
    /** The names that were asked for, as texts. */
    private @Nullable String[] texts = new String[INITIAL];

    private int size;

    /** {@code pid} is called by the bytes {@code from} (included) to {@code to} (excluded). */
    public void learn(int pid, byte[] bytes, int from, int to) {
        int slot = slot(pid);
        byte[] known = names[slot];
        if (known != null && Arrays.equals(known, 0, known.length, bytes, from, to)) {
            return;
        }
        names[slot] = Arrays.copyOfRange(bytes, from, to);
        texts[slot] = null;
        if (known == null) {
            pids[slot] = pid;
            if (++size * 2 > pids.length) {
                grow();
            }
        }
    }

    /** {@code pid} is called {@code name}. */
    public void learn(int pid, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        learn(pid, bytes, 0, bytes.length);
    }

    /** The name of {@code pid}; {@code swapper} for 0 and an empty string for others if none was seen. */
    public String nameOf(int pid) {
        int slot = slot(pid);
        String text = texts[slot];
        if (text == null) {
            byte[] name = names[slot];
            if (name == null) {
                return pid == 0 ? "swapper" : "";
            }
            text = new String(name, StandardCharsets.UTF_8);
            texts[slot] = text;
        }
        return text;
    }

    /**
     * Copies the bytes of {@link #nameOf} to {@code into}, from {@code at} on, allocating nothing.
     *
     * @return how many bytes, at most {@code limit}; 0 if no name was seen
     */
    public int copyName(int pid, byte[] into, int at, int limit) {
        byte[] name = names[slot(pid)];
        if (name == null) {
            return 0;
        }
        int length = Math.min(name.length, limit);
        System.arraycopy(name, 0, into, at, length);
        return length;
    }

    private int slot(int pid) {
        int mask = pids.length - 1;
        int slot = (pid * 0x9E3779B9 >>> 8) & mask;
        while (names[slot] != null && pids[slot] != pid) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private void grow() {
        int[] oldPids = pids;
        byte[] @Nullable [] oldNames = names;
        pids = new int[oldPids.length * 2];
        names = new byte[pids.length][];
        texts = new String[pids.length];
        for (int i = 0; i < oldPids.length; i++) {
            byte[] name = oldNames[i];
            if (name != null) {
                int slot = slot(oldPids[i]);
                pids[slot] = oldPids[i];
                names[slot] = name;
            }
        }
    }
}
