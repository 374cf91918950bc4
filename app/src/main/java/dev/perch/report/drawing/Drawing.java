package dev.perch.report.drawing;

import java.util.ArrayList;
import java.util.List;

/**
 * A finished picture, not yet in any format. Immutable; equal drawings give equal files.
 *
 * @param width in CSS pixels
 * @param height in CSS pixels
 * @param title its name, read out by screen readers
 * @param description what it shows, in words, for those who do not see it
 * @param shapes in the order in which they are painted
 */
public record Drawing(double width, double height, String title, String description, List<Shape> shapes) {
    private static final double HEADING = 30;

    public Drawing {
        shapes = List.copyOf(shapes);
    }

    /** Several drawings below each other, each under its title. */
    public static Drawing stacked(String title, List<Drawing> parts) {
        if (parts.size() == 1) {
            return parts.getFirst().titled();
        }
        Canvas canvas = new Canvas();
        double width = 0;
        double y = 0;
        List<String> descriptions = new ArrayList<>();
        for (Drawing part : parts) {
            Drawing titled = part.titled();
            canvas.add(titled, 0, y);
            y += titled.height();
            width = Math.max(width, titled.width());
            descriptions.add(part.title() + ": " + part.description());
        }
        return canvas.finish(width, y, title, String.join(" ", descriptions));
    }

    /** The drawing with its title above it, for a picture that stands alone. */
    public Drawing titled() {
        Canvas canvas = new Canvas();
        canvas.heading(12, 21, title);
        canvas.add(this, 0, HEADING);
        double wide = Math.max(width, 24 + TextWidth.bold(title, Canvas.HEADING_SIZE));
        return canvas.finish(wide, height + HEADING, title, description);
    }
}
