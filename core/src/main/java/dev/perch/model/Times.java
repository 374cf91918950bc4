package dev.perch.model;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text form of lengths of time: {@code 1 s}, {@code 300 ms}, {@code 0.5} (seconds). */
public final class Times {
    /** Longest time accepted: an hour. */
    private static final long MAX_NS = 3_600_000_000_000L;

    /** Units, and how many digits they are from nanoseconds. */
    private static final Map<String, Integer> DIGITS = Map.of("s", 9, "ms", 6, "us", 3, "ns", 0);

    private static final Pattern FORM = Pattern.compile("([0-9]{1,12}(?:\\.[0-9]{1,9})?) ?(s|ms|us|ns)?");

    private Times() {}

    /**
     * Nanoseconds of a time as written.
     *
     * @param what whose time it is, for the message
     * @param zeroAllowed whether 0 makes sense
     * @throws InputException if it is not a time, or not between 1 ns (or 0) and an hour
     */
    public static long parse(String what, String text, boolean zeroAllowed) {
        Matcher match = FORM.matcher(text.strip());
        if (!match.matches()) {
            throw new InputException(what + " cannot be '" + text + "'; write a time, as in 1 s or 300 ms");
        }
        int digits = DIGITS.getOrDefault(match.group(2) == null ? "s" : match.group(2), 0);
        BigDecimal ns = new BigDecimal(match.group(1)).movePointRight(digits);
        if (ns.compareTo(BigDecimal.valueOf(MAX_NS)) > 0
                || ns.compareTo(BigDecimal.ONE) < 0 && !(zeroAllowed && ns.signum() == 0)) {
            throw new InputException(what + " cannot be '" + text + "'; write a time "
                    + (zeroAllowed ? "from 0" : "above 0") + " up to an hour");
        }
        return ns.longValue();
    }

    /** The time in the largest unit that shows it whole: {@code 300 ms}. */
    public static String format(long ns) {
        if (ns % 1_000_000_000 == 0) {
            return ns / 1_000_000_000 + " s";
        }
        if (ns % 1_000_000 == 0) {
            return ns / 1_000_000 + " ms";
        }
        return ns % 1_000 == 0 ? ns / 1_000 + " us" : String.format(Locale.ROOT, "%d ns", ns);
    }
}
