package dev.perch.trace;

/**
 * The clock of a recording.
 *
 * @param name what the source calls it ({@code mono}, {@code local}, {@code x86-tsc}), {@code unknown} if it does not tell
 * @param unit what one step of the stream's times is
 * @param resolution how many steps lie between two times that the source can tell apart: 1000 for text with microseconds
 */
public record Clock(String name, Unit unit, long resolution) {
    /** What a time counts. */
    public enum Unit {
        NANOSECONDS,
        /** Something whose length is not known: processor cycles, jiffies, events. Times order events, but measure nothing. */
        TICKS
    }

    public static final String UNKNOWN_NAME = "unknown";
}
