package dev.perch.audit;

import java.util.Locale;

/** Lines of text under construction, and how shares and names are written in them. */
final class TextTable {
    private final StringBuilder out = new StringBuilder();

    /** One line; blanks at its end are cut. */
    void line(String format, Object... arguments) {
        out.append(String.format(Locale.ROOT, format, arguments).stripTrailing())
                .append('\n');
    }

    static String percent(long part, long whole) {
        return whole == 0 ? "-" : String.format(Locale.ROOT, "%.1f %%", 100.0 * part / whole);
    }

    /** As {@link #percent}, finer. */
    static String percentOf(long part, long whole) {
        return whole == 0 ? "-" : String.format(Locale.ROOT, "%.2f %%", 100.0 * part / whole);
    }

    /** A share of 1; negative is not known. */
    static String share(double value) {
        return value < 0 ? "-" : String.format(Locale.ROOT, "%.0f %%", 100 * value);
    }

    /** The first {@code length} characters of a name, fit for a terminal. */
    static String clip(String name, int length) {
        StringBuilder clean = new StringBuilder();
        name.codePoints().limit(length).forEach(c -> clean.appendCodePoint(Character.isISOControl(c) ? '\uFFFD' : c));
        return clean.toString();
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
