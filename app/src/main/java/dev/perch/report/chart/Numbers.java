package dev.perch.report.chart;

import dev.perch.lab.ResultTable;
import dev.perch.report.drawing.Ticks;
import java.util.Locale;

/** How numbers are written in reports: thousands in groups, a no-break space before the unit, a true minus sign. */
public final class Numbers {
    private static final char SPACE = '\u00A0';
    private static final char MINUS = '\u2212';

    private Numbers() {}

    /** {@code 12,345}. */
    public static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count).replace('-', MINUS);
    }

    /** A count and what is counted: {@code 1 run}, {@code 1,200 runs}. */
    public static String count(long count, String singular, String plural) {
        return count(count) + SPACE + (count == 1 ? singular : plural);
    }

    /** A value of a metric with the digits that the table of {@code perch run} has. */
    public static String value(double value, String metric) {
        String plain = ResultTable.value(value, metric);
        int point = plain.indexOf('.');
        int decimals = point < 0 ? 0 : plain.length() - point - 1;
        return decimal(value, decimals);
    }

    /** Thousands in groups, {@code decimals} digits after the point. */
    public static String decimal(double value, int decimals) {
        return String.format(Locale.ROOT, "%,." + decimals + "f", value).replace('-', MINUS);
    }

    /** {@code 12.3 %} of a fraction; {@code < 0.1 %} for a little more than nothing. */
    public static String percent(double fraction) {
        if (fraction > 0 && fraction < 0.0005) {
            return "<" + SPACE + "0.1" + SPACE + "%";
        }
        return decimal(100 * fraction, 1) + SPACE + "%";
    }

    /** {@code 12 %} of a fraction. */
    public static String wholePercent(double fraction) {
        return decimal(100 * fraction, 0) + SPACE + "%";
    }

    /** As many digits as a round fraction needs: {@code 0.03 %}, {@code 10 %}. */
    static String roundPercent(double fraction) {
        return decimal(100 * fraction, Ticks.decimals(100 * fraction)) + SPACE + "%";
    }

    /** {@code +1.5 %}, {@code −16.8 %}. */
    public static String signedPercent(double fraction) {
        return String.format(Locale.ROOT, "%+,.1f", 100 * fraction).replace('-', MINUS) + SPACE + "%";
    }

    /** A time in the unit that reads best: {@code 950 ns}, {@code 1.5 µs}, {@code 12.0 ms}, {@code 3.00 s}. */
    public static String time(long ns) {
        long magnitude = Math.abs(ns);
        if (magnitude < 1_000) {
            return count(ns) + SPACE + "ns";
        }
        if (magnitude < 999_950) {
            return decimal(ns / 1e3, 1) + SPACE + "µs";
        }
        return magnitude < 999_950_000 ? decimal(ns / 1e6, 1) + SPACE + "ms" : decimal(ns / 1e9, 2) + SPACE + "s";
    }

    /** A round time of an axis: {@code 1 µs}, {@code 500 ns}. */
    static String roundTime(double ns) {
        double value = ns;
        String unit = "ns";
        if (ns >= 999_999_999) {
            value = ns / 1e9;
            unit = "s";
        } else if (ns >= 999_999) {
            value = ns / 1e6;
            unit = "ms";
        } else if (ns >= 999) {
            value = ns / 1e3;
            unit = "µs";
        }
        return decimal(value, Ticks.decimals(value)) + SPACE + unit;
    }
}
