package dev.perch.report.chart;

import dev.perch.report.drawing.Ink;
import java.util.ArrayList;
import java.util.List;

/**
 * From a share to a step of a heat map: bounds at 1, 3, 10, 30, … parts, so that each step is about three times the one below. The same
 * for all maps of a report, so that they can be compared.
 *
 * @param bounds where each step begins, the second to the last; ascending
 * @param top where the last step ends
 */
record HeatSteps(double[] bounds, double top) {
    /** Steps of which the last holds {@code largest}, a share above 0 and up to 1. */
    static HeatSteps upTo(double largest) {
        int thirds = 0;
        while (part(thirds + 1) >= largest * (1 - 1e-12)) {
            thirds++;
        }
        double[] bounds = new double[Ink.HEAT_STEPS - 1];
        for (int i = 0; i < bounds.length; i++) {
            bounds[i] = part(thirds + bounds.length - i);
        }
        return new HeatSteps(bounds, part(thirds));
    }

    /** 1, 0.3, 0.1, 0.03, … */
    private static double part(int index) {
        int exponent = (index + 1) / 2;
        double power = StrictMath.pow(10, exponent);
        return index % 2 == 0 ? 1 / power : 3 / power;
    }

    /** The step of a share above 0. */
    int of(double share) {
        int step = 0;
        while (step < bounds.length && share >= bounds[step]) {
            step++;
        }
        return step;
    }

    /** What each step holds, in words, from the lowest. */
    List<String> labels() {
        List<String> labels = new ArrayList<>();
        labels.add("below " + Numbers.roundPercent(bounds[0]));
        for (int i = 1; i < bounds.length; i++) {
            labels.add("from " + Numbers.roundPercent(bounds[i - 1]));
        }
        labels.add(Numbers.roundPercent(bounds[bounds.length - 1]) + " to " + Numbers.roundPercent(top));
        return labels;
    }
}
