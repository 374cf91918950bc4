package dev.perch.trace.binary;

/**
 * Makes nanoseconds of a trace clock: (time × mult) / 2^shift + offset, as the kernel converts its cycle counter.
 *
 * @param mult 1 for clocks that count nanoseconds
 * @param shift bits, 0 … 32
 * @param offset nanoseconds to add
 */
public record TimeScale(long mult, int shift, long offset) {
    /** Leaves times as they are. */
    public static final TimeScale NONE = new TimeScale(1, 0, 0);

    long ns(long time) {
        if (mult == 1 && shift == 0) {
            return time + offset;
        }
        long high = Math.unsignedMultiplyHigh(time, mult);
        long low = time * mult;
        long scaled = shift == 0 ? low : high << (64 - shift) | low >>> shift;
        return scaled + offset;
    }
}
