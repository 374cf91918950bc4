package dev.perch.audit;

import dev.perch.model.CpuMask;
import java.util.Arrays;

/** A set of CPUs that changes: one bit a CPU, grown as needed. */
final class CpuSet {
    private long[] words = new long[1];

    void add(int cpu) {
        int word = cpu >> 6;
        if (word >= words.length) {
            words = Arrays.copyOf(words, word + 1);
        }
        words[word] |= 1L << cpu;
    }

    void remove(int cpu) {
        int word = cpu >> 6;
        if (word < words.length) {
            words[word] &= ~(1L << cpu);
        }
    }

    void set(int cpu, boolean member) {
        if (member) {
            add(cpu);
        } else {
            remove(cpu);
        }
    }

    boolean contains(int cpu) {
        int word = cpu >> 6;
        return cpu >= 0 && word < words.length && (words[word] >>> cpu & 1) != 0;
    }

    /** Whether no other CPU than {@code cpu} is a member. */
    boolean holdsOnly(int cpu) {
        for (int word = 0; word < words.length; word++) {
            long others = word == cpu >> 6 ? words[word] & ~(1L << cpu) : words[word];
            if (others != 0) {
                return false;
            }
        }
        return true;
    }

    /** The lowest member that is {@code >= from}, or −1. */
    int next(int from) {
        int word = from >> 6;
        if (word >= words.length) {
            return -1;
        }
        long bits = words[word] & -1L << from;
        while (bits == 0) {
            if (++word == words.length) {
                return -1;
            }
            bits = words[word];
        }
        return (word << 6) + Long.numberOfTrailingZeros(bits);
    }

    int count() {
        int count = 0;
        for (long word : words) {
            count += Long.bitCount(word);
        }
        return count;
    }

    void copyFrom(CpuSet other) {
        if (words.length < other.words.length) {
            words = new long[other.words.length];
        }
        System.arraycopy(other.words, 0, words, 0, other.words.length);
        Arrays.fill(words, other.words.length, words.length, 0);
    }

    CpuMask toMask() {
        CpuMask mask = CpuMask.empty();
        for (int cpu = next(0); cpu >= 0; cpu = next(cpu + 1)) {
            mask = mask.or(CpuMask.of(cpu));
        }
        return mask;
    }
}
