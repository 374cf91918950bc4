package dev.perch.trace;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Events that are none of {@link EventKind}, counted by name. Counting a name that was seen before allocates nothing.
 *
 * <p>At most {@value #MAX_NAMES} names are kept, so that a hostile file cannot fill the memory; the rest is counted as {@code others}.
 */
public final class SkippedEvents {
    static final int MAX_NAMES = 4096;
    private static final int MAX_LENGTH = 200;

    private final byte[] @Nullable [] names = new byte[MAX_NAMES * 2][];
    private final long[] counts = new long[MAX_NAMES * 2];
    private int size;
    private long others;

    /** One more event called by the bytes {@code from} (included) to {@code to} (excluded). */
    public void add(byte[] bytes, int from, int to) {
        add(bytes, from, to, 1);
    }

    private void add(byte[] bytes, int from, int to, long count) {
        int length = Math.min(to - from, MAX_LENGTH);
        int hash = 0;
        for (int i = from; i < from + length; i++) {
            hash = 31 * hash + bytes[i];
        }
        int mask = names.length - 1;
        int slot = (hash ^ hash >>> 15) & mask;
        while (true) {
            byte[] known = names[slot];
            if (known == null) {
                if (size == MAX_NAMES) {
                    others += count;
                    return;
                }
                size++;
                names[slot] = Arrays.copyOfRange(bytes, from, from + length);
                counts[slot] = count;
                return;
            }
            if (Arrays.equals(known, 0, known.length, bytes, from, from + length)) {
                counts[slot] += count;
                return;
            }
            slot = slot + 1 & mask;
        }
    }

    /** {@code count} more events called {@code name}. */
    public void add(String name, long count) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        add(bytes, 0, bytes.length, count);
    }

    /** One more event called {@code name}; for readers that know their events before they read. */
    public void add(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        add(bytes, 0, bytes.length);
    }

    /** How many of each, by name in alphabetical order. */
    public Map<String, Long> byName() {
        Map<String, Long> map = new TreeMap<>();
        for (int slot = 0; slot < names.length; slot++) {
            byte[] name = names[slot];
            if (name != null) {
                map.merge(new String(name, StandardCharsets.UTF_8), counts[slot], Long::sum);
            }
        }
        if (others > 0) {
            map.merge("others", others, Long::sum);
        }
        return Collections.unmodifiableMap(map);
    }
}
