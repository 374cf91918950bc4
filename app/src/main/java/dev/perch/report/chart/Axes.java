package dev.perch.report.chart;

import dev.perch.report.drawing.Canvas;
import dev.perch.report.drawing.Ink;
import dev.perch.report.drawing.Scale;
import dev.perch.report.drawing.Shape.Align;
import dev.perch.report.drawing.TextWidth;
import java.util.Collection;
import java.util.function.DoubleFunction;

/** Horizontal axes below charts. */
final class Axes {
    /** Room that an axis with its title takes. */
    static final double HEIGHT = 46;

    private Axes() {}

    /** Grid lines from {@code top} to {@code bottom}, tick labels and the title below. */
    static void horizontal(
            Canvas canvas,
            Scale scale,
            double left,
            double right,
            double top,
            double bottom,
            String title,
            DoubleFunction<String> label) {
        double free = Double.NEGATIVE_INFINITY;
        for (double tick : scale.ticks()) {
            double x = scale.at(tick);
            canvas.line(x, top, x, bottom, Ink.GRID, 1);
            canvas.line(x, bottom, x, bottom + 4, Ink.AXIS, 1);
            String text = label.apply(tick);
            double half = TextWidth.of(text, Canvas.SMALL) / 2;
            if (x - half >= free) {
                canvas.text(x, bottom + 17, text, Align.MIDDLE, Ink.MUTED, Canvas.SMALL);
                free = x + half + 8;
            }
        }
        canvas.line(left, bottom, right, bottom, Ink.AXIS, 1);
        canvas.text((left + right) / 2, bottom + 36, title, Align.MIDDLE, Ink.TEXT);
    }

    /** Width of the widest of some labels, but not above {@code most}. */
    static double labelWidth(Collection<String> labels, double most) {
        double width = 0;
        for (String label : labels) {
            width = Math.max(width, TextWidth.of(label, Canvas.SIZE));
        }
        return Math.min(width, most);
    }
}
