package dev.perch.kernel.fair;

/**
 * How a kernel turns time into virtual time and periods into shares: rounding until 3.12, truncating an exact 96-bit product since (spec:
 * scheduler.md 1.4; {@code calc_delta_mine}, {@code __calc_delta}). Times are ns, weights those of nice 0 = 1024.
 */
final class VirtualTime {
    private static final int FRACTION = 32;

    private final boolean truncates;

    /** @param truncates the form of 3.13 and later */
    VirtualTime(boolean truncates) {
        this.truncates = truncates;
    }

    /** The inverse of the summed weight of a queue or of the weight of a group entity. */
    long inverse(long total) {
        if (!truncates) {
            return LoadWeights.inverseOfTotal(total);
        }
        long one = (1L << FRACTION) - 1;
        return total == 0 ? one : one / total;
    }

    /**
     * {@code delta} · {@code weight} / L, with L given by its inverse.
     *
     * @param delta ns, not negative
     */
    long weighted(long delta, long weight, long inverse) {
        return truncates ? truncated(delta, weight, inverse) : LoadWeights.weightedDelta(delta, weight, inverse);
    }

    private static long truncated(long delta, long weight, long inverse) {
        long factor = weight;
        int shift = FRACTION;
        int excess = bitsAbove(factor);
        factor = (factor >>> excess) * inverse;
        shift -= excess;
        excess = bitsAbove(factor);
        factor >>>= excess;
        shift -= excess;
        long high = Math.multiplyHigh(delta, factor);
        long low = delta * factor;
        return shift == 0 ? low : high << 64 - shift | low >>> shift;
    }

    private static int bitsAbove(long factor) {
        return Math.max(0, 64 - FRACTION - Long.numberOfLeadingZeros(factor));
    }

    /**
     * An entity's share of a period.
     *
     * @param inverse of {@code weight}, used for a total that is no more than it since 3.13
     * @param total summed weight of the queue
     */
    long share(long period, long weight, long inverse, long total) {
        return weighted(period, weight, truncates && total == weight ? inverse : inverse(total));
    }

    /** Virtual time that {@code delta} ns of execution are for an entity; exactly {@code delta} at nice 0. */
    long virtual(long delta, int weight, long inverse) {
        return weight == LoadWeights.NICE_0 ? delta : weighted(delta, LoadWeights.NICE_0, inverse);
    }

    /** The later of two virtual times, which wrap. */
    static long later(long a, long b) {
        return b - a > 0 ? b : a;
    }

    /** The earlier of two virtual times, which wrap. */
    static long earlier(long a, long b) {
        return b - a < 0 ? b : a;
    }
}
