package dev.perch.yaml;

import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Nearest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** A single value: its text, read as what the caller expects it to be. So {@code 3.10} is the version 3.10 where a text is expected. */
public final class YamlScalar extends YamlNode {
    private static final Pattern INTEGER = Pattern.compile("-?[0-9]{1,18}");
    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]{1,3})?");

    private final String text;
    private final boolean plain;

    YamlScalar(String file, int line, String path, String text, boolean plain) {
        super(file, line, path);
        this.text = text;
        this.plain = plain;
    }

    /** Whether nothing, {@code ~} or {@code null} stands there, without quotes. */
    boolean isAbsent() {
        return plain && (text.isEmpty() || text.equals("~") || text.equalsIgnoreCase("null"));
    }

    /** The text as written, without quotes. */
    public String string() {
        return text;
    }

    /**
     * The whole number that stands there.
     *
     * @throws InputException if there is none in the range of int
     */
    public int integer() {
        return integer(Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    /**
     * The whole number that stands there.
     *
     * @throws InputException if there is none from {@code min} to {@code max}
     */
    public int integer(int min, int max) {
        return (int) longInteger(min, max);
    }

    /**
     * The whole number that stands there.
     *
     * @throws InputException if there is none from {@code min} to {@code max}
     */
    public long longInteger(long min, long max) {
        if (!INTEGER.matcher(text).matches()) {
            throw error(subject() + " must be a whole number, not '" + text + "'");
        }
        long value = Long.parseLong(text);
        if (value < min || value > max) {
            throw error(subject() + " is " + value + ", but must be "
                    + (value < min ? "at least " + min : "at most " + max));
        }
        return value;
    }

    /**
     * The number that stands there, with or without decimals.
     *
     * @throws InputException if there is none
     */
    public double decimal() {
        if (!DECIMAL.matcher(text).matches()) {
            throw error(subject() + " must be a number, not '" + text + "'");
        }
        return Double.parseDouble(text);
    }

    /**
     * The truth value that stands there.
     *
     * @throws InputException if it is neither {@code true} nor {@code false}
     */
    public boolean bool() {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw error(subject() + " must be true or false, not '" + text + "'");
        };
    }

    /**
     * The CPU set that stands there as a list such as {@code 0-3,8}.
     *
     * @throws InputException if there is none
     */
    public CpuMask cpuMask() {
        try {
            return CpuMask.parse(text);
        } catch (InputException e) {
            throw error(subject() + ": " + e.getMessage());
        }
    }

    /**
     * One of the constants of an enum, written in lower case with hyphens.
     *
     * @throws InputException if it is none of them
     */
    public <E extends Enum<E>> E choice(Class<E> type) {
        List<String> words = new ArrayList<>();
        for (E constant : type.getEnumConstants()) {
            String word = constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
            if (word.equals(text)) {
                return constant;
            }
            words.add(word);
        }
        throw error(subject() + " cannot be '" + text + "'", Nearest.hint(text, words));
    }

    @Override
    String kind() {
        return isAbsent() ? "empty" : "'" + text + "'";
    }

    @Override
    public String toString() {
        return text;
    }
}
