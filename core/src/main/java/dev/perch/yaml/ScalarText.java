package dev.perch.yaml;

import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.ScalarStyle;

/**
 * Writes single values such that {@link YamlDocument}, and any other reader of YAML, finds the same text again.
 *
 * <p>What may stand without quotes is decided narrowly: a text that some reader could take for a number, a truth value, a comment or a
 * key is quoted. Limitation: a lone surrogate is not text and does not survive a file.
 */
public final class ScalarText {
    private static final Pattern WORDS = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N} .()/+_-]*");
    private static final Pattern SENTENCE = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N} .,;()/+_-]*");
    private static final Pattern NUMBER = Pattern.compile("[0-9][^ ]*");
    private static final Pattern RESERVED = Pattern.compile("(?i)null|true|false|yes|no|on|off|y|n");

    private ScalarText() {}

    /** The text in double quotes, on one line. */
    public static String quoted(String text) {
        DumpSettings settings = DumpSettings.builder()
                .setDefaultScalarStyle(ScalarStyle.DOUBLE_QUOTED)
                .setSplitLines(false)
                .build();
        return new Dump(settings).dumpToString(text).stripTrailing();
    }

    /** The text as a key, or as a value inside brackets or braces; in quotes if it must be. */
    public static String word(String text) {
        return isPlain(text, WORDS) ? text : quoted(text);
    }

    /** The text as a value on a line of its own; in quotes if it must be. */
    public static String sentence(String text) {
        return isPlain(text, SENTENCE) ? text : quoted(text);
    }

    private static boolean isPlain(String text, Pattern allowed) {
        return allowed.matcher(text).matches()
                && !text.endsWith(" ")
                && !NUMBER.matcher(text).matches()
                && !RESERVED.matcher(text).matches();
    }

    /**
     * Whether the text may be written as a folded block: words with one space between them, nothing else. A folded block joins its lines
     * with one space and knows no escapes.
     */
    public static boolean canBeFolded(String text) {
        return !text.isEmpty()
                && !text.startsWith(" ")
                && !text.endsWith(" ")
                && !text.contains("  ")
                && text.codePoints().allMatch(ScalarText::isPrintable);
    }

    /** Whether YAML allows the character outside quotes, and takes it neither for a line's end nor for a mark of byte order. */
    public static boolean isPrintable(int codePoint) {
        return codePoint >= 0x20 && codePoint < 0x7F
                || codePoint >= 0xA0 && codePoint < 0xD800 && codePoint != 0x2028 && codePoint != 0x2029
                || codePoint >= 0xE000 && codePoint < 0xFFFE && codePoint != 0xFEFF
                || codePoint >= 0x1_0000;
    }
}
