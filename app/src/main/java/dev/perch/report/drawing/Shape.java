package dev.perch.report.drawing;

/** What drawings are made of. Coordinates are CSS pixels, x to the right and y downwards. */
public sealed interface Shape {
    /** The same shape elsewhere. */
    Shape moved(double dx, double dy);

    /** A straight line. */
    record Line(double x1, double y1, double x2, double y2, Ink ink, double width, boolean dashed) implements Shape {
        @Override
        public Shape moved(double dx, double dy) {
            return new Line(x1 + dx, y1 + dy, x2 + dx, y2 + dy, ink, width, dashed);
        }
    }

    /**
     * A filled rectangle.
     *
     * @param tip what a pointer that rests on it is told; empty for nothing
     */
    record Box(double x, double y, double width, double height, Ink ink, String tip) implements Shape {
        @Override
        public Shape moved(double dx, double dy) {
            return new Box(x + dx, y + dy, width, height, ink, tip);
        }
    }

    /** A circle, filled or (with a line of 1.5) only its edge. */
    record Dot(double x, double y, double radius, Ink ink, boolean filled) implements Shape {
        @Override
        public Shape moved(double dx, double dy) {
            return new Dot(x + dx, y + dy, radius, ink, filled);
        }
    }

    /** A filled square that stands on a corner; {@code radius}: from its middle to a corner. */
    record Diamond(double x, double y, double radius, Ink ink) implements Shape {
        @Override
        public Shape moved(double dx, double dy) {
            return new Diamond(x + dx, y + dy, radius, ink);
        }
    }

    /**
     * A line of text.
     *
     * @param x where it begins, has its middle or ends, as {@code align} says
     * @param y its baseline
     * @param size of the font, pixels
     * @param upwards turned to the left by a right angle, about its point
     */
    record Text(double x, double y, String text, Align align, Ink ink, double size, boolean bold, boolean upwards)
            implements Shape {
        @Override
        public Shape moved(double dx, double dy) {
            return new Text(x + dx, y + dy, text, align, ink, size, bold, upwards);
        }
    }

    /** What of a text lies at its point. */
    enum Align {
        START,
        MIDDLE,
        END
    }
}
