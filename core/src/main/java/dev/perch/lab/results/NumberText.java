package dev.perch.lab.results;

import java.util.Locale;

/** Numbers for tables: decimals by unit as the publications print them. */
final class NumberText {
    private NumberText() {}

    /** Digits behind the point: four for times of a whole run, three for times of an operation, two for all else. */
    static int decimals(String unit) {
        return unit.equals("s") ? 4 : unit.endsWith("/op") ? 3 : 2;
    }

    static String value(double value, String unit) {
        return String.format(Locale.ROOT, "%." + decimals(unit) + "f", value);
    }

    /** {@code ±1.2%}; an en dash where there is none. */
    static String plusMinus(double fraction) {
        return Double.isFinite(fraction) ? String.format(Locale.ROOT, "±%.1f%%", 100 * fraction) : "–";
    }

    static String ratio(double ratio) {
        return String.format(Locale.ROOT, "%.3f", ratio);
    }

    static String probability(double p) {
        return p < 0.0001 ? "<0.0001" : String.format(Locale.ROOT, "%.4f", p);
    }

    static String effect(double effect) {
        return String.format(Locale.ROOT, "%+.2f", effect);
    }
}
