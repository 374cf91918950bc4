package dev.perch.report.drawing;

import java.util.List;

/** From values to places on an axis. */
public sealed interface Scale {
    /** The place of a value, pixels. */
    double at(double value);

    /** Values worth a label. */
    List<Double> ticks();

    /**
     * Equal differences are equal lengths.
     *
     * @param low value at {@code from}
     * @param high value at {@code to}, above {@code low}
     * @param count about how many ticks
     */
    record Linear(double low, double high, double from, double to, int count) implements Scale {
        /** A scale that begins and ends at a tick and holds {@code low} and {@code high}, which may be the same. */
        public static Linear nice(double low, double high, double from, double to, int count) {
            double bottom = low;
            double top = high;
            if (top <= bottom) {
                double room = bottom == 0 ? 1 : Math.abs(bottom) * 0.05;
                bottom -= room;
                top += room;
            }
            double step = Ticks.step(bottom, top, count);
            return new Linear(
                    Math.floor(bottom / step + 1e-9) * step, Math.ceil(top / step - 1e-9) * step, from, to, count);
        }

        @Override
        public double at(double value) {
            return from + (value - low) / (high - low) * (to - from);
        }

        @Override
        public List<Double> ticks() {
            return Ticks.linear(low, high, count);
        }

        /** Digits after the point that the ticks need. */
        public int decimals() {
            return Ticks.decimals(Ticks.step(low, high, count));
        }
    }

    /** Equal ratios are equal lengths; values are above 0. */
    record Logarithmic(double low, double high, double from, double to) implements Scale {
        @Override
        public double at(double value) {
            return from + StrictMath.log(value / low) / StrictMath.log(high / low) * (to - from);
        }

        @Override
        public List<Double> ticks() {
            return Ticks.logarithmic(low, high);
        }
    }
}
