package dev.perch.report.drawing;

import dev.perch.model.InputException;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.imageio.ImageIO;

/**
 * Paints drawings as PNG, on a light ground, two image pixels for each pixel of the drawing. Needs no screen.
 *
 * <p>Limitation: which glyphs stand where depends on the fonts of the machine, so two machines may give different bytes; SVG does not.
 */
public final class PngWriter {
    private static final int SCALE = 2;
    private static final double MAX_SIDE = 16_384;
    private static final float[] DASHES = {4, 3};

    private PngWriter() {}

    /**
     * The bytes of a PNG file.
     *
     * @throws InputException if the drawing is too large for an image, or this Java finds no fonts
     */
    public static byte[] file(Drawing drawing) {
        if (Math.max(drawing.width(), drawing.height()) * SCALE > MAX_SIDE) {
            throw new InputException("the picture is too large for PNG (" + Math.round(drawing.width()) + " x "
                    + Math.round(drawing.height()) + "); write it as .svg, or run fewer rows");
        }
        System.setProperty("java.awt.headless", "true");
        BufferedImage image = new BufferedImage(
                (int) Math.ceil(drawing.width() * SCALE),
                (int) Math.ceil(drawing.height() * SCALE),
                BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        try {
            graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
            graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
            graphics.setRenderingHint(RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
            graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
            graphics.setColor(color(Ink.GROUND));
            graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
            graphics.scale(SCALE, SCALE);
            drawing.shapes().forEach(shape -> paint(graphics, shape));
        } catch (UnsatisfiedLinkError | NoClassDefFoundError | InternalError | RuntimeException e) {
            throw new InputException(
                    "this Java cannot write text into images (" + e.getMessage()
                            + "); install fontconfig and a font, or write the picture as .svg",
                    e);
        } finally {
            graphics.dispose();
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            ImageIO.write(image, "png", bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void paint(Graphics2D graphics, Shape shape) {
        switch (shape) {
            case Shape.Line line -> {
                graphics.setColor(color(line.ink()));
                float width = (float) line.width();
                graphics.setStroke(
                        line.dashed()
                                ? new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10, DASHES, 0)
                                : new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER));
                graphics.draw(new Line2D.Double(line.x1(), line.y1(), line.x2(), line.y2()));
            }
            case Shape.Box box -> {
                graphics.setColor(color(box.ink()));
                graphics.fill(new Rectangle2D.Double(box.x(), box.y(), box.width(), box.height()));
            }
            case Shape.Dot dot -> {
                graphics.setColor(color(dot.ink()));
                double r = dot.radius();
                Ellipse2D circle = new Ellipse2D.Double(dot.x() - r, dot.y() - r, 2 * r, 2 * r);
                if (dot.filled()) {
                    graphics.fill(circle);
                } else {
                    graphics.setStroke(new BasicStroke(1.5f));
                    graphics.draw(circle);
                }
            }
            case Shape.Diamond diamond -> {
                graphics.setColor(color(diamond.ink()));
                double r = diamond.radius();
                Path2D path = new Path2D.Double();
                path.moveTo(diamond.x(), diamond.y() - r);
                path.lineTo(diamond.x() + r, diamond.y());
                path.lineTo(diamond.x(), diamond.y() + r);
                path.lineTo(diamond.x() - r, diamond.y());
                path.closePath();
                graphics.fill(path);
            }
            case Shape.Text text -> text(graphics, text);
        }
    }

    private static void text(Graphics2D graphics, Shape.Text text) {
        graphics.setColor(color(text.ink()));
        Font font = new Font(Font.SANS_SERIF, text.bold() ? Font.BOLD : Font.PLAIN, 1).deriveFont((float) text.size());
        graphics.setFont(font);
        String line = Markup.oneLine(text.text());
        double width =
                font.getStringBounds(line, graphics.getFontRenderContext()).getWidth();
        double shift = switch (text.align()) {
            case START -> 0;
            case MIDDLE -> -width / 2;
            case END -> -width;
        };
        AffineTransform before = graphics.getTransform();
        graphics.translate(text.x(), text.y());
        if (text.upwards()) {
            graphics.rotate(-Math.PI / 2);
        }
        graphics.drawString(line, (float) shift, 0);
        graphics.setTransform(before);
    }

    private static Color color(Ink ink) {
        return Color.decode(ink.light());
    }
}
