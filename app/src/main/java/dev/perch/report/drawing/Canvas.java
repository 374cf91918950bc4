package dev.perch.report.drawing;

import dev.perch.report.drawing.Shape.Align;
import java.util.ArrayList;
import java.util.List;

/** Where a drawing is made, shape by shape; later ones lie on top. */
public final class Canvas {
    /** Font size of labels. */
    public static final double SIZE = 12;

    /** Font size of the smallest labels. */
    public static final double SMALL = 11;

    static final double HEADING_SIZE = 14;

    private final List<Shape> shapes = new ArrayList<>();

    public void line(double x1, double y1, double x2, double y2, Ink ink, double width) {
        shapes.add(new Shape.Line(x1, y1, x2, y2, ink, width, false));
    }

    public void dashed(double x1, double y1, double x2, double y2, Ink ink, double width) {
        shapes.add(new Shape.Line(x1, y1, x2, y2, ink, width, true));
    }

    public void box(double x, double y, double width, double height, Ink ink) {
        shapes.add(new Shape.Box(x, y, width, height, ink, ""));
    }

    /** A box that tells {@code tip} to a pointer that rests on it. */
    public void box(double x, double y, double width, double height, Ink ink, String tip) {
        shapes.add(new Shape.Box(x, y, width, height, ink, tip));
    }

    public void dot(double x, double y, double radius, Ink ink) {
        shapes.add(new Shape.Dot(x, y, radius, ink, true));
    }

    public void ring(double x, double y, double radius, Ink ink) {
        shapes.add(new Shape.Dot(x, y, radius, ink, false));
    }

    public void diamond(double x, double y, double radius, Ink ink) {
        shapes.add(new Shape.Diamond(x, y, radius, ink));
    }

    /** Text of the usual size, its baseline at {@code y}. */
    public void text(double x, double y, String text, Align align, Ink ink) {
        text(x, y, text, align, ink, SIZE);
    }

    public void text(double x, double y, String text, Align align, Ink ink, double size) {
        shapes.add(new Shape.Text(x, y, text, align, ink, size, false, false));
    }

    public void bold(double x, double y, String text, Align align, Ink ink) {
        shapes.add(new Shape.Text(x, y, text, align, ink, SIZE, true, false));
    }

    public void heading(double x, double y, String text) {
        shapes.add(new Shape.Text(x, y, text, Align.START, Ink.TEXT, HEADING_SIZE, true, false));
    }

    /** Text that runs upwards, its middle at the point. */
    public void upwards(double x, double y, String text, Ink ink) {
        shapes.add(new Shape.Text(x, y, text, Align.MIDDLE, ink, SIZE, false, true));
    }

    /** All of another drawing, its corner at the point. */
    public void add(Drawing drawing, double x, double y) {
        drawing.shapes().forEach(shape -> shapes.add(shape.moved(x, y)));
    }

    /** The drawing as it is now. */
    public Drawing finish(double width, double height, String title, String description) {
        return new Drawing(width, height, title, description, shapes);
    }
}
