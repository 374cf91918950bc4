package dev.perch.lab;

/**
 * Independent random seeds for the runs of an experiment, each a function of its place alone: neither the number of threads nor the
 * order of execution changes them.
 *
 * <p>Source: SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014), its finalizer applied once
 * for each key.
 */
public final class RandomSeeds {
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private RandomSeeds() {}

    /** The seed of one run. */
    public static long of(long seed, int row, int repeat) {
        return mix(mix(mix(seed) + row) + repeat);
    }

    private static long mix(long key) {
        long z = key + GOLDEN_GAMMA;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
