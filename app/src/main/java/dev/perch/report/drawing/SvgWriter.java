package dev.perch.report.drawing;

import dev.perch.report.drawing.Shape.Align;

/**
 * Writes drawings as SVG 1.1: text stays text, colours are classes that a style sheet fills in for light and dark grounds.
 *
 * <p>Inside a page, the page's {@link #styles} hold for all drawings. A file of its own brings its style sheet along, and each shape also
 * its colour as an attribute, for programs that know no style sheets.
 */
public final class SvgWriter {
    private static final String FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif";

    private final StringBuilder out = new StringBuilder();
    private final boolean alone;

    private SvgWriter(boolean alone) {
        this.alone = alone;
    }

    /**
     * An element for a page.
     *
     * @param id unique in the page; title and description get names from it
     */
    public static String element(Drawing drawing, String id) {
        SvgWriter writer = new SvgWriter(false);
        writer.open(drawing, id, "");
        writer.shapes(drawing);
        writer.out.append("</svg>\n");
        return writer.out.toString();
    }

    /** A file of its own. */
    public static String file(Drawing drawing) {
        SvgWriter writer = new SvgWriter(true);
        writer.out.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        writer.open(drawing, "drawing", " font-family=\"" + FONT + "\"");
        writer.out
                .append("<style>text{font-variant-numeric:tabular-nums}@media (prefers-color-scheme:dark){")
                .append(darkRules())
                .append("}</style>\n");
        writer.box(new Shape.Box(0, 0, drawing.width(), drawing.height(), Ink.GROUND, ""));
        writer.shapes(drawing);
        writer.out.append("</svg>\n");
        return writer.out.toString();
    }

    /** The rules that a page with drawings needs: variables of both grounds, and the classes that use them. */
    public static String styles() {
        StringBuilder css = new StringBuilder();
        css.append(":root{").append(variables(false)).append("}\n");
        css.append("@media screen and (prefers-color-scheme:dark){:root{")
                .append(variables(true))
                .append("}}\n");
        for (Ink ink : Ink.values()) {
            String name = ink.word();
            css.append(".f-").append(name).append("{fill:var(--").append(name).append(")}");
            css.append(".s-").append(name).append("{stroke:var(--").append(name).append(")}\n");
        }
        css.append("svg text{font-variant-numeric:tabular-nums}\n");
        return css.toString();
    }

    private static String variables(boolean dark) {
        StringBuilder css = new StringBuilder();
        for (Ink ink : Ink.values()) {
            css.append("--").append(ink.word()).append(':').append(dark ? ink.dark() : ink.light());
            css.append(';');
        }
        return css.toString();
    }

    private static String darkRules() {
        StringBuilder css = new StringBuilder();
        for (Ink ink : Ink.values()) {
            if (!ink.light().equals(ink.dark())) {
                css.append(".f-").append(ink.word()).append("{fill:").append(ink.dark());
                css.append("}.s-").append(ink.word()).append("{stroke:").append(ink.dark());
                css.append('}');
            }
        }
        return css.toString();
    }

    private void open(Drawing drawing, String id, String more) {
        String width = number(drawing.width());
        String height = number(drawing.height());
        out.append("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"")
                .append(width)
                .append("\" height=\"")
                .append(height)
                .append("\" viewBox=\"0 0 ")
                .append(width)
                .append(' ')
                .append(height)
                .append("\" aria-labelledby=\"")
                .append(id)
                .append("-title ")
                .append(id)
                .append("-desc\"")
                .append(more)
                .append(">\n<title id=\"")
                .append(id)
                .append("-title\">")
                .append(Markup.escape(drawing.title()))
                .append("</title>\n<desc id=\"")
                .append(id)
                .append("-desc\">")
                .append(Markup.escape(drawing.description()))
                .append("</desc>\n");
    }

    private void shapes(Drawing drawing) {
        for (Shape shape : drawing.shapes()) {
            switch (shape) {
                case Shape.Line line -> line(line);
                case Shape.Box box -> box(box);
                case Shape.Dot dot -> dot(dot);
                case Shape.Diamond diamond -> diamond(diamond);
                case Shape.Text text -> text(text);
            }
        }
    }

    private void line(Shape.Line line) {
        out.append("<line");
        number("x1", line.x1());
        number("y1", line.y1());
        number("x2", line.x2());
        number("y2", line.y2());
        stroke(line.ink());
        number("stroke-width", line.width());
        out.append(line.dashed() ? " stroke-dasharray=\"4 3\"/>\n" : "/>\n");
    }

    private void box(Shape.Box box) {
        out.append("<rect");
        number("x", box.x());
        number("y", box.y());
        number("width", box.width());
        number("height", box.height());
        fill(box.ink());
        if (box.tip().isEmpty()) {
            out.append("/>\n");
        } else {
            out.append("><title>").append(Markup.escape(box.tip())).append("</title></rect>\n");
        }
    }

    private void dot(Shape.Dot dot) {
        out.append("<circle");
        number("cx", dot.x());
        number("cy", dot.y());
        number("r", dot.radius());
        if (dot.filled()) {
            fill(dot.ink());
        } else {
            stroke(dot.ink());
            out.append(" stroke-width=\"1.5\" fill=\"none\"");
        }
        out.append("/>\n");
    }

    private void diamond(Shape.Diamond diamond) {
        double r = diamond.radius();
        out.append("<path d=\"M")
                .append(number(diamond.x()))
                .append(' ')
                .append(number(diamond.y() - r))
                .append('l')
                .append(number(r))
                .append(' ')
                .append(number(r))
                .append('l')
                .append(number(-r))
                .append(' ')
                .append(number(r))
                .append('l')
                .append(number(-r))
                .append(' ')
                .append(number(-r))
                .append("z\"");
        fill(diamond.ink());
        out.append("/>\n");
    }

    private void text(Shape.Text text) {
        out.append("<text");
        if (text.upwards()) {
            out.append(" transform=\"translate(")
                    .append(number(text.x()))
                    .append(' ')
                    .append(number(text.y()))
                    .append(") rotate(-90)\"");
        } else {
            number("x", text.x());
            number("y", text.y());
        }
        fill(text.ink());
        number("font-size", text.size());
        if (text.align() != Align.START) {
            out.append(text.align() == Align.MIDDLE ? " text-anchor=\"middle\"" : " text-anchor=\"end\"");
        }
        out.append(text.bold() ? " font-weight=\"600\">" : ">")
                .append(Markup.escape(text.text()))
                .append("</text>\n");
    }

    private void fill(Ink ink) {
        out.append(" class=\"f-").append(ink.word()).append('"');
        if (alone) {
            out.append(" fill=\"").append(ink.light()).append('"');
        }
    }

    private void stroke(Ink ink) {
        out.append(" class=\"s-").append(ink.word()).append('"');
        if (alone) {
            out.append(" stroke=\"").append(ink.light()).append('"');
        }
    }

    private void number(String attribute, double value) {
        out.append(' ').append(attribute).append("=\"").append(number(value)).append('"');
    }

    /** At most two digits after the point, none that are zero. */
    static String number(double value) {
        long hundredths = Math.round(value * 100);
        String sign = hundredths < 0 ? "-" : "";
        long whole = Math.abs(hundredths) / 100;
        long rest = Math.abs(hundredths) % 100;
        if (rest == 0) {
            return sign + whole;
        }
        return sign + whole + "." + (rest % 10 == 0 ? Long.toString(rest / 10) : rest < 10 ? "0" + rest : rest);
    }
}
