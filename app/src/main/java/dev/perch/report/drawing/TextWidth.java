package dev.perch.report.drawing;

/**
 * How wide a line of text will about be, without a font: layout must not depend on the fonts of the machine, or equal inputs would give
 * different drawings.
 *
 * <p>Widths are typical of sans-serif fonts (Helvetica, Arial, DejaVu Sans), rounded up. Limitation: an estimate, so leave some room.
 */
public final class TextWidth {
    private static final double BOLD = 1.08;

    private TextWidth() {}

    /** Width of {@code text} in pixels at a font size in pixels. */
    public static double of(String text, double size) {
        double width = 0;
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            width += em(text.codePointAt(i));
        }
        return width * size;
    }

    static double bold(String text, double size) {
        return of(text, size) * BOLD;
    }

    /** The text, or its beginning and an ellipsis if it would be wider than {@code width}; empty if not even that fits. */
    public static String fit(String text, double size, double width) {
        if (of(text, size) <= width) {
            return text;
        }
        double room = width - em('…') * size;
        int end = 0;
        while (end < text.length()) {
            int next = end + Character.charCount(text.codePointAt(end));
            room -= em(text.codePointAt(end)) * size;
            if (room < 0) {
                break;
            }
            end = next;
        }
        return end == 0 ? "" : text.substring(0, end) + '…';
    }

    private static double em(int character) {
        if (character > 0x2E80) {
            return 1;
        }
        return switch (character) {
            case 'i', 'j', 'l', '.', ',', ':', ';', '\'', '|', '!' -> 0.30;
            case ' ', '\u00A0', 'f', 't', 'r', 'I', '(', ')', '[', ']', '/', '-' -> 0.38;
            case 'm', 'w', 'M', 'W', '%', '@' -> 0.92;
            case '…', '→' -> 1;
            default -> character >= 'A' && character <= 'Z' ? 0.70 : 0.60;
        };
    }
}
