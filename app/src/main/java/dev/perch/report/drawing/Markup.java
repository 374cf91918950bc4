package dev.perch.report.drawing;

/**
 * Text fit for XML and HTML, whatever it holds: names of tasks are any bytes.
 *
 * <p>Characters that XML 1.0 does not allow (control characters, halves of surrogate pairs) become U+FFFD; line breaks and tabs become
 * visible signs, since names are shown in one line.
 */
public final class Markup {
    private static final int REPLACEMENT = 0xFFFD;

    private Markup() {}

    /** The text with the characters that have a meaning in markup written as references; good for content and for quoted attributes. */
    public static String escape(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(character -> append(out, character));
        return out.toString();
    }

    private static void append(StringBuilder out, int character) {
        switch (character) {
            case '<' -> out.append("&lt;");
            case '>' -> out.append("&gt;");
            case '&' -> out.append("&amp;");
            case '"' -> out.append("&quot;");
            case '\'' -> out.append("&#39;");
            default -> out.appendCodePoint(visible(character));
        }
    }

    /** The text in one line: as {@link #escape}, without references. For back ends that are no markup. */
    public static String oneLine(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().forEach(character -> out.appendCodePoint(visible(character)));
        return out.toString();
    }

    private static int visible(int character) {
        return switch (character) {
            case '\n' -> 0x240A;
            case '\r' -> 0x240D;
            case '\t' -> 0x2409;
            default -> isAllowed(character) ? character : REPLACEMENT;
        };
    }

    /** Char of XML 1.0, less line breaks and tabs, and less what would turn the direction of the text around it. */
    private static boolean isAllowed(int character) {
        boolean control = character < 0x20 || character >= 0x7F && character < 0xA0;
        boolean surrogate = character >= 0xD800 && character <= 0xDFFF;
        boolean direction = character >= 0x202A && character <= 0x202E || character >= 0x2066 && character <= 0x2069;
        return !control && !surrogate && !direction && character != 0xFFFE && character != 0xFFFF;
    }
}
