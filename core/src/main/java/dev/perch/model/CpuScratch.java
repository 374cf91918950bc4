package dev.perch.model;

import java.util.Arrays;

/**
 * A set of CPUs that changes while it is walked: the scratch mask of a search ({@code cpumask_var_t} of the kernel). Made once for a
 * number of CPUs; nothing it does allocates.
 *
 * <p>The walk WRAP from a start visits members from the start upward and then those below it, each once; members that are removed while
 * the walk is on its way are not visited any more. Not safe for threads.
 */
public final class CpuScratch {
    private final long[] words;

    /** @param cpus members are 0 … {@code cpus} − 1 */
    public CpuScratch(int cpus) {
        words = new long[(cpus + 63) >> 6];
    }

    /** Makes this a copy of {@code mask}, whose members must be in range. */
    public void set(CpuMask mask) {
        for (int i = 0; i < words.length; i++) {
            words[i] = mask.word(i);
        }
    }

    /** Makes this the intersection of the two. */
    public void setAnd(CpuMask a, CpuMask b) {
        for (int i = 0; i < words.length; i++) {
            words[i] = a.word(i) & b.word(i);
        }
    }

    /** Removes a CPU, member or not. */
    public void remove(int cpu) {
        words[cpu >> 6] &= ~(1L << cpu);
    }

    /** Removes the members of {@code mask}. */
    public void removeAll(CpuMask mask) {
        for (int i = 0; i < words.length; i++) {
            words[i] &= ~mask.word(i);
        }
    }

    public boolean contains(int cpu) {
        return (words[cpu >> 6] >>> cpu & 1) != 0;
    }

    /** First CPU of the walk WRAP from {@code start} over the members that are also in {@code within}, or −1. */
    public int firstWrapped(CpuMask within, int start) {
        int cpu = next(within, start);
        return cpu >= 0 ? cpu : next(within, 0);
    }

    /** The CPU after {@code cpu} in the walk that began with {@link #firstWrapped} of the same arguments, or −1 at its end. */
    public int nextWrapped(CpuMask within, int start, int cpu) {
        int next = next(within, cpu + 1);
        if (cpu >= start) {
            if (next >= 0) {
                return next;
            }
            next = next(within, 0);
        }
        return next < start ? next : -1;
    }

    private int next(CpuMask within, int from) {
        int word = from >> 6;
        if (word >= words.length) {
            return -1;
        }
        long bits = words[word] & within.word(word) & -1L << from;
        while (bits == 0) {
            if (++word == words.length) {
                return -1;
            }
            bits = words[word] & within.word(word);
        }
        return (word << 6) + Long.numberOfTrailingZeros(bits);
    }

    /** The members as an immutable mask. */
    public CpuMask toMask() {
        return CpuMask.ofWords(Arrays.copyOf(words, words.length));
    }

    @Override
    public String toString() {
        return toMask().toString();
    }
}
