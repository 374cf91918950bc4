package dev.perch.store;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * What a stored run is called: the time at which it was stored, UTC, to the millisecond, as in {@code 261201-011508-v3}. Names sort by time.
 * The last part is the milliseconds as two digits of base 32, in Crockford's alphabet, which leaves out letters that look like digits.
 *
 * <p>No two runs of a store have the same name: a folder that exists cannot be put in place again, so whoever comes second waits for the
 * next millisecond.
 */
final class RunId {
    static final Pattern FORM = Pattern.compile("[0-9]{6}-[0-9]{6}-[0-9a-hjkmnp-tv-z]{2}");

    private static final DateTimeFormatter SECONDS = DateTimeFormatter.ofPattern("uuMMdd-HHmmss", Locale.ROOT);
    private static final String DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

    private RunId() {}

    static String of(Instant time) {
        LocalDateTime utc = LocalDateTime.ofInstant(time, ZoneOffset.UTC);
        int milliseconds = Math.floorMod(time.toEpochMilli(), 1000);
        return SECONDS.format(utc) + '-' + DIGITS.charAt(milliseconds / 32) + DIGITS.charAt(milliseconds % 32);
    }
}
