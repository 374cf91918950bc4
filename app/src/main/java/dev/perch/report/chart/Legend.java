package dev.perch.report.chart;

import dev.perch.report.drawing.Canvas;
import dev.perch.report.drawing.Ink;
import dev.perch.report.drawing.Shape.Align;
import dev.perch.report.drawing.TextWidth;

/** What the marks of a chart mean, in lines above it. */
final class Legend {
    private static final double GAP = 18;
    private static final double MARK = 18;
    private static final double LINE = 18;

    private final Canvas canvas;
    private final double left;
    private final double right;
    private double x;
    private double y;

    /** @param y baseline of its first line */
    Legend(Canvas canvas, double left, double right, double y) {
        this.canvas = canvas;
        this.left = left;
        this.right = right;
        this.y = y;
        x = left;
    }

    private double next(String text) {
        double width = MARK + TextWidth.of(text, Canvas.SMALL) + GAP;
        if (x > left && x + width > right) {
            x = left;
            y += LINE;
        }
        double at = x;
        canvas.text(at + MARK, y, text, Align.START, Ink.MUTED, Canvas.SMALL);
        x += width;
        return at;
    }

    void ring(Ink ink, String text) {
        double at = next(text);
        canvas.ring(at + 8, y - 4, 3.5, ink);
    }

    void diamond(Ink ink, String text) {
        double at = next(text);
        canvas.diamond(at + 8, y - 4, 5.5, ink);
    }

    void interval(Ink ink, String text) {
        double at = next(text);
        canvas.line(at, y - 4, at + 14, y - 4, ink, 3);
    }

    void dashed(Ink ink, String text) {
        double at = next(text);
        canvas.dashed(at + 8, y - 11, at + 8, y + 3, ink, 1.5);
    }

    void bar(Ink ink, String text) {
        double at = next(text);
        canvas.line(at + 8, y - 10, at + 8, y + 2, ink, 2);
    }

    void box(Ink ink, String text) {
        double at = next(text);
        canvas.box(at + 1, y - 10, 12, 12, ink);
    }

    void wakeup(Ink ink, String text) {
        double at = next(text);
        canvas.line(at + 2, y - 9, at + 11, y, ink, 1);
        canvas.dot(at + 11, y, 2.2, ink);
    }

    /** Words without a mark. */
    void text(String text) {
        canvas.text(x, y, text, Align.START, Ink.MUTED, Canvas.SMALL);
        x += TextWidth.of(text, Canvas.SMALL) + GAP;
    }

    /** Where what follows may begin. */
    double bottom() {
        return y + 8;
    }
}
