package dev.perch.host.probe;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.statistics.descriptive.Quantile;

/**
 * What repeated measurements of one number gave, in ns or in the unit that the measurement says.
 *
 * <p>Quartiles lie between order statistics, as R's type 7 and numpy have them. They are a spread, not an error: the median is known better.
 *
 * @param values how many there were, 1 or more: each the mean of a block of operations, or a single event such as a wakeup, as the measurement says
 */
public record Reading(double median, double lowerQuartile, double upperQuartile, int values) {
    private static final Quantile QUANTILE = Quantile.withDefaults().with(Quantile.EstimationMethod.HF7);

    /** Of the values measured, one or more. */
    public static Reading of(double[] values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("nothing was measured");
        }
        double[] quartiles = QUANTILE.evaluate(values.clone(), 0.5, 0.25, 0.75);
        return new Reading(quartiles[0], quartiles[1], quartiles[2], values.length);
    }

    /** Of the values measured, each put through a function. */
    static Reading of(double[] values, DoubleUnaryOperator function) {
        return of(Arrays.stream(values).map(function).toArray());
    }

    /** In words, of nanoseconds: 1137 ns (1120-1180). */
    public String text() {
        return text("ns");
    }

    /** In words, with a unit. */
    public String text(String unit) {
        return number(median) + ' ' + unit + " (" + number(lowerQuartile) + '-' + number(upperQuartile) + ')';
    }

    private static String number(double value) {
        double size = Math.abs(value);
        int digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }
}
