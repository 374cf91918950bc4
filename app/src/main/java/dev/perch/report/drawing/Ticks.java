package dev.perch.report.drawing;

import java.util.ArrayList;
import java.util.List;

/**
 * Round numbers for axes: multiples of 1, 2 or 5 times a power of ten.
 *
 * <p>The step is the one nearest to the wanted one in proportion: a wanted step between 1 and 2 counts as 2 from √2 on, between 2 and 5
 * as 5 from √10 on, between 5 and 10 as 10 from √50 on. That is also what D3 and R's relatives do, so an axis looks as people know it.
 */
public final class Ticks {
    private Ticks() {}

    /** The round step that divides a range into about {@code count} parts; {@code high} must be above {@code low}. */
    public static double step(double low, double high, int count) {
        double wanted = (high - low) / count;
        double power = power(wanted);
        double rest = wanted / power;
        double factor = rest >= Math.sqrt(50) ? 10 : rest >= Math.sqrt(10) ? 5 : rest >= Math.sqrt(2) ? 2 : 1;
        return factor * power;
    }

    /** The multiples of {@link #step} from {@code low} to {@code high}, both included if they are such. */
    public static List<Double> linear(double low, double high, int count) {
        double step = step(low, high, count);
        long first = (long) Math.ceil(low / step - 1e-9);
        long last = (long) Math.floor(high / step + 1e-9);
        List<Double> ticks = new ArrayList<>();
        for (long i = first; i <= last; i++) {
            ticks.add(times(i, step));
        }
        return ticks;
    }

    /** {@code i} steps, without the rounding error that a product with 0.1 would have. */
    private static double times(long i, double step) {
        return step >= 1 ? i * step : i / (double) Math.round(1 / step);
    }

    /** The powers of ten from {@code low} to {@code high}, and their doubles and fives where there are fewer than three powers. */
    public static List<Double> logarithmic(double low, double high) {
        List<Double> powers = new ArrayList<>();
        List<Double> all = new ArrayList<>();
        for (double power = power(low); power <= high * (1 + 1e-9); power *= 10) {
            for (int factor : new int[] {1, 2, 5}) {
                double tick = factor * power;
                if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) {
                    all.add(tick);
                    if (factor == 1) {
                        powers.add(tick);
                    }
                }
            }
        }
        return powers.size() < 3 ? all : powers;
    }

    /** How many digits after the point multiples of a step need. */
    public static int decimals(double step) {
        int decimals = 0;
        double rest = step;
        while (decimals < 12 && Math.abs(rest - Math.rint(rest)) > 1e-6 * rest) {
            rest *= 10;
            decimals++;
        }
        return decimals;
    }

    /** The largest power of ten that is not above {@code value}, which is above 0. */
    static double power(double value) {
        int exponent = (int) Math.floor(StrictMath.log10(value) + 1e-12);
        return exponent >= 0 ? StrictMath.pow(10, exponent) : 1 / StrictMath.pow(10, -exponent);
    }
}
