package dev.perch.model;

import java.util.Arrays;

/**
 * A set of CPU numbers, immutable. Written and read in the kernel's list format ({@code 0-3,8}).
 *
 * <p>CPUs are numbered from 0 to {@value #MAX_CPUS} − 1. Lookups cost a few instructions and allocate nothing; the set operations
 * return new masks and are for set-up code.
 */
public final class CpuMask {
    /** One more than the highest CPU number that is accepted (the limit of common distribution kernels). */
    public static final int MAX_CPUS = 8192;

    private static final CpuMask EMPTY = new CpuMask(new long[0]);

    private final long[] words;

    /** {@code words} is trimmed: its last word is never 0, so that equal sets have equal arrays. */
    private CpuMask(long[] words) {
        int length = words.length;
        while (length > 0 && words[length - 1] == 0) {
            length--;
        }
        this.words = length == words.length ? words : Arrays.copyOf(words, length);
    }

    public static CpuMask empty() {
        return EMPTY;
    }

    public static CpuMask of(int... cpus) {
        long[] words = new long[0];
        for (int cpu : cpus) {
            words = with(words, cpu);
        }
        return new CpuMask(words);
    }

    /** CPUs {@code from} to {@code to}, both included; empty if {@code to < from}. */
    public static CpuMask range(int from, int to) {
        long[] words = new long[0];
        for (int cpu = from; cpu <= to; cpu++) {
            words = with(words, cpu);
        }
        return new CpuMask(words);
    }

    /**
     * Reads the kernel's list format: numbers and ranges separated by commas, optionally with a stride ({@code 0-31:2/4}: 2 of every
     * 4). Blanks around items are allowed; the empty string is the empty set.
     *
     * @throws InputException what is wrong with which item
     */
    public static CpuMask parse(String list) {
        long[] words = new long[0];
        if (list.isBlank()) {
            return EMPTY;
        }
        for (String item : list.split(",", -1)) {
            words = withItem(words, item.strip(), list);
        }
        return new CpuMask(words);
    }

    private static long[] withItem(long[] words, String item, String list) {
        int colon = item.indexOf(':');
        String range = colon < 0 ? item : item.substring(0, colon);
        int used = 1;
        int stride = 1;
        if (colon >= 0) {
            int slash = item.indexOf('/', colon);
            if (slash < 0) {
                throw new InputException(
                        "CPU list '" + list + "': '" + item + "' has a ':' without '/'; write FROM-TO:USED/STRIDE");
            }
            used = number(item.substring(colon + 1, slash), list);
            stride = number(item.substring(slash + 1), list);
            if (used < 1 || stride < used) {
                throw new InputException("CPU list '" + list + "': '" + item + "' needs 1 <= USED <= STRIDE");
            }
        }
        int dash = range.indexOf('-');
        int from = number(dash < 0 ? range : range.substring(0, dash), list);
        int to = dash < 0 ? from : number(range.substring(dash + 1), list);
        if (to < from) {
            throw new InputException(
                    "CPU list '" + list + "': '" + item + "' runs backwards; write the lower CPU first");
        }
        for (int cpu = from; cpu <= to; cpu++) {
            if ((cpu - from) % stride < used) {
                words = with(words, cpu);
            }
        }
        return words;
    }

    private static int number(String text, String list) {
        String digits = text.strip();
        if (digits.isEmpty() || digits.length() > 5 || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new InputException("CPU list '" + list + "': '" + digits
                    + "' is not a CPU number; write numbers and ranges, as in 0-3,8");
        }
        int cpu = Integer.parseInt(digits);
        if (cpu >= MAX_CPUS) {
            throw new InputException(
                    "CPU list '" + list + "': CPU " + cpu + " is beyond the limit of " + MAX_CPUS + " CPUs");
        }
        return cpu;
    }

    private static long[] with(long[] words, int cpu) {
        if (cpu < 0 || cpu >= MAX_CPUS) {
            throw new IllegalArgumentException("cpu " + cpu);
        }
        long[] result = cpu / 64 < words.length ? words : Arrays.copyOf(words, cpu / 64 + 1);
        result[cpu / 64] |= 1L << cpu;
        return result;
    }

    /** The set of the bits of {@code words}, CPU 0 the lowest of the first; takes the array over. */
    static CpuMask ofWords(long[] words) {
        return new CpuMask(words);
    }

    /** CPUs 64 · {@code index} … 64 · {@code index} + 63 as bits. */
    long word(int index) {
        return index < words.length ? words[index] : 0;
    }

    public boolean contains(int cpu) {
        int word = cpu >> 6;
        return word < words.length && (words[word] >>> cpu & 1) != 0;
    }

    /** The lowest CPU of the set that is {@code >= from}, or −1. With {@link #first} this walks the set in ascending order. */
    public int next(int from) {
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

    /** The lowest CPU {@code >= from} that is in this set and in {@code other}, or −1; walks the intersection without making it. */
    public int nextAnd(CpuMask other, int from) {
        int common = Math.min(words.length, other.words.length);
        int word = from >> 6;
        if (word >= common) {
            return -1;
        }
        long bits = words[word] & other.words[word] & -1L << from;
        while (bits == 0) {
            if (++word == common) {
                return -1;
            }
            bits = words[word] & other.words[word];
        }
        return (word << 6) + Long.numberOfTrailingZeros(bits);
    }

    /** The lowest CPU, or −1 if the set is empty. */
    public int first() {
        return next(0);
    }

    /** The highest CPU, or −1 if the set is empty. */
    public int last() {
        return words.length == 0 ? -1 : words.length * 64 - 1 - Long.numberOfLeadingZeros(words[words.length - 1]);
    }

    public boolean isEmpty() {
        return words.length == 0;
    }

    /** How many CPUs the set has. */
    public int count() {
        int count = 0;
        for (long word : words) {
            count += Long.bitCount(word);
        }
        return count;
    }

    public boolean intersects(CpuMask other) {
        int common = Math.min(words.length, other.words.length);
        for (int i = 0; i < common; i++) {
            if ((words[i] & other.words[i]) != 0) {
                return true;
            }
        }
        return false;
    }

    public boolean containsAll(CpuMask other) {
        return other.minus(this).isEmpty();
    }

    public CpuMask and(CpuMask other) {
        long[] result = Arrays.copyOf(words, Math.min(words.length, other.words.length));
        for (int i = 0; i < result.length; i++) {
            result[i] &= other.words[i];
        }
        return new CpuMask(result);
    }

    public CpuMask or(CpuMask other) {
        long[] result = Arrays.copyOf(words, Math.max(words.length, other.words.length));
        for (int i = 0; i < other.words.length; i++) {
            result[i] |= other.words[i];
        }
        return new CpuMask(result);
    }

    public CpuMask minus(CpuMask other) {
        long[] result = words.clone();
        for (int i = 0; i < Math.min(result.length, other.words.length); i++) {
            result[i] &= ~other.words[i];
        }
        return new CpuMask(result);
    }

    /** The members in ascending order. */
    public int[] toArray() {
        int[] cpus = new int[count()];
        int i = 0;
        for (int cpu = first(); cpu >= 0; cpu = next(cpu + 1)) {
            cpus[i++] = cpu;
        }
        return cpus;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CpuMask mask && Arrays.equals(words, mask.words);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(words);
    }

    /** The kernel's list format, as {@link #parse} reads it. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int from = first(); from >= 0; ) {
            int to = from;
            while (contains(to + 1)) {
                to++;
            }
            text.append(text.isEmpty() ? "" : ",").append(from);
            if (to > from) {
                text.append('-').append(to);
            }
            from = next(to + 1);
        }
        return text.toString();
    }
}
