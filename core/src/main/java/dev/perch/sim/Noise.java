package dev.perch.sim;

/**
 * The random numbers of a run: SplitMix64 keyed by (seed, stream, draw), so that a draw does not depend on what else happened before.
 *
 * <p>A stream is a task or a purpose; each has its own counter of draws.
 */
final class Noise {
    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    private final long[] state;

    /** Streams 0 … {@code streams} − 1. */
    Noise(long seed, int streams) {
        state = new long[streams];
        for (int stream = 0; stream < streams; stream++) {
            state[stream] = mix(seed + mix((stream + 1) * GAMMA));
        }
    }

    private static long mix(long z) {
        long x = z;
        x = (x ^ x >>> 30) * 0xBF58476D1CE4E5B9L;
        x = (x ^ x >>> 27) * 0x94D049BB133111EBL;
        return x ^ x >>> 31;
    }

    /** 64 random bits. */
    long bits(int stream) {
        state[stream] += GAMMA;
        return mix(state[stream]);
    }

    /** Uniform in 0 … {@code bound} − 1. */
    int below(int stream, int bound) {
        return (int) ((bits(stream) >>> 33) * bound >>> 31);
    }

    /** {@code value} times a uniform factor of mean 1 and standard deviation {@code perMille} / 1000. */
    int jitter(int stream, int value, int perMille) {
        if (perMille == 0 || value == 0) {
            return value;
        }
        // a uniform distribution of half width w has standard deviation w / sqrt(3)
        long halfWidth = perMille * 1816L; // sqrt(3) / 1000 of 2^20
        long unit = bits(stream) >> 43; // -2^20 .. 2^20 - 1
        return (int) (value + (value * ((unit * halfWidth) >> 20) >> 20));
    }

    /** Exponentially distributed with the given mean, at least 1. */
    long exponential(int stream, long mean) {
        double uniform = ((bits(stream) >>> 11) + 1) * 0x1p-53;
        return Math.max(1, (long) (-StrictMath.log(uniform) * mean));
    }
}
