package dev.perch.lab.elsewhere;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Orders names with numbers in them by the numbers: {@code run-2} before {@code run-10}. */
final class NaturalOrder {
    private static final Pattern DIGITS = Pattern.compile("\\d+");
    private static final int LONGEST = 20;

    /** By the last part of the path. */
    static final Comparator<Path> OF_FILE_NAMES =
            Comparator.comparing(path -> sortKey(path.getFileName().toString()));

    private NaturalOrder() {}

    private static String sortKey(String name) {
        Matcher digits = DIGITS.matcher(name);
        return digits.replaceAll(match ->
                "0".repeat(Math.max(0, LONGEST - match.group().length())) + match.group());
    }
}
