package dev.perch.kernel.load;

/**
 * The arithmetic of per-entity load tracking: a sum to which each period of 1024 units adds what it saw and in which a period counts half
 * after 32 more ({@code decay_load}, {@code accumulate_sum} of Linux 4.3 to 6.18; spec: scheduler.md 3.4).
 *
 * <p>A unit is 1024 ns, a period 1 048 576 ns. Everything is integers, rounded as the kernel rounds. Immutable.
 */
public final class Pelt {
    /** Limit of a sum to which every unit adds 1 ({@code LOAD_AVG_MAX}). */
    public static final int MAX = 47_742;

    /** Units of a period. */
    public static final int PERIOD = 1024;

    /** Periods after which a past one counts half ({@code LOAD_AVG_PERIOD}); about as many ms. */
    public static final int HALF_LIFE = 32;

    private static final int HALF_LIFE_SHIFT = 5;

    /** Binary logarithm of the units of a period. */
    static final int PERIOD_SHIFT = 10;

    /** Binary logarithm of the ns of a unit. */
    static final int UNIT_SHIFT = 10;

    /** The least divisor that ever makes an average of a sum ({@code PELT_MIN_DIVIDER}). */
    static final int LEAST_DIVIDER = MAX - PERIOD;

    /** Half-lives after which nothing is left. */
    private static final int NOTHING_AFTER = 63 * HALF_LIFE;

    /** 2^32 times the 32nd root of 1/2 to the power of the index ({@code runnable_avg_yN_inv}). */
    private static final long[] INVERSE = {
        0xffffffffL, 0xfa83b2daL, 0xf5257d14L, 0xefe4b99aL, 0xeac0c6e6L, 0xe5b906e6L, 0xe0ccdeebL, 0xdbfbb796L,
        0xd744fcc9L, 0xd2a81d91L, 0xce248c14L, 0xc9b9bd85L, 0xc5672a10L, 0xc12c4cc9L, 0xbd08a39eL, 0xb8fbaf46L,
        0xb504f333L, 0xb123f581L, 0xad583ee9L, 0xa9a15ab4L, 0xa5fed6a9L, 0xa2704302L, 0x9ef5325fL, 0x9b8d39b9L,
        0x9837f050L, 0x94f4efa8L, 0x91c3d373L, 0x8ea4398aL, 0x8b95c1e3L, 0x88980e80L, 0x85aac367L, 0x82cd8698L
    };

    /** 2^64 / (LEAST_DIVIDER + index), rounded down: a division is three times as slow as two multiplications. */
    private static final long[] RECIPROCAL = reciprocals();

    /** 3.8 to 4.11: a sum decayed over no period stays what it is. */
    public static final Pelt UNTIL_4_11 = new Pelt(true);

    /** 4.12 and later: a sum decayed over no period, or over whole half-lives only, loses one. */
    public static final Pelt SINCE_4_12 = new Pelt(false);

    private final boolean keepsWholeOverNoPeriod;

    private Pelt(boolean keepsWholeOverNoPeriod) {
        this.keepsWholeOverNoPeriod = keepsWholeOverNoPeriod;
    }

    /**
     * What {@code periods} periods leave of a sum.
     *
     * @param sum not negative
     * @param periods not negative
     */
    public long decay(long sum, long periods) {
        if (periods == 0 && keepsWholeOverNoPeriod) {
            return sum;
        }
        if (periods > NOTHING_AFTER) {
            return 0;
        }
        long left = sum >> (int) (periods >>> HALF_LIFE_SHIFT);
        long inverse = INVERSE[(int) periods & HALF_LIFE - 1];
        return (left >>> 32) * inverse + ((left & 0xffff_ffffL) * inverse >>> 32);
    }

    private static long[] reciprocals() {
        long[] reciprocals = new long[PERIOD];
        for (int position = 0; position < PERIOD; position++) {
            reciprocals[position] = Long.divideUnsigned(-1, LEAST_DIVIDER + position);
        }
        return reciprocals;
    }

    /**
     * A sum as a part of what it would be at most ({@code get_pelt_divider}), rounded down.
     *
     * @param sum not negative
     * @param position units since the period began, less than a period
     */
    static long average(long sum, int position) {
        long divider = LEAST_DIVIDER + position;
        long quotient = Math.multiplyHigh(sum, RECIPROCAL[position]);
        return sum - quotient * divider >= divider ? quotient + 1 : quotient;
    }

    /**
     * What a stretch that ends {@code rest} units into a period adds to a sum: the end of the period in which it began, whole periods, and
     * the beginning of the last.
     *
     * @param end units of the period in which the stretch began that belong to it, 1 to {@link #PERIOD}
     * @param periods period boundaries crossed, at least 1
     * @param rest units since the last boundary, less than a period
     */
    long contribution(long end, long periods, long rest) {
        return decay(end, periods) + (MAX - decay(MAX, periods) - PERIOD) + rest;
    }
}
