package dev.perch.lab.results;

import dev.perch.model.InputException;
import java.util.Locale;

/** Which way a metric is better. */
public enum Direction {
    /** Rates: more is better. */
    HIGHER,
    /** Times: less is better. */
    LOWER,
    /** Facts that are neither good nor bad by themselves, such as wakeups a second. */
    NEITHER;

    /** The word in files, tables and JSON: {@code higher}, {@code lower}, {@code neither}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The direction of a word.
     *
     * @param where for the message: file and line
     * @throws InputException any other word
     */
    public static Direction parse(String word, String where) {
        for (Direction direction : values()) {
            if (direction.word().equals(word)) {
                return direction;
            }
        }
        throw new InputException(where + ": better cannot be '" + word + "'; write higher, lower or neither");
    }
}
