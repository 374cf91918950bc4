package dev.perch.report.drawing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Texts of any kind in drawings, and the two formats of drawings. */
class MarkupTest {
    /** What a task may be called: markup, line breaks, control characters, half a surrogate pair, a turn of direction. */
    private static final String NASTY = "a<b>&\"'\n\t\u0000\u001b[31m\ud800]]>\u202e\ufffe\u00e9";

    private static Drawing drawing(String text) {
        Canvas canvas = new Canvas();
        canvas.box(0, 0, 50, 50, Ink.heat(3), text);
        canvas.text(5, 20, text, Shape.Align.START, Ink.TEXT);
        canvas.upwards(90, 40, text, Ink.MUTED);
        canvas.dot(60, 60, 3, Ink.BLUE);
        canvas.ring(60, 60, 3, Ink.BLUE);
        canvas.diamond(70, 70, 5, Ink.VERMILLION);
        canvas.dashed(0, 0, 10, 10, Ink.AXIS, 1);
        canvas.line(0, 0, 10, 10, Ink.AXIS, 1);
        return canvas.finish(100, 80, text, text);
    }

    private static Document parse(String xml) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        return factory.newDocumentBuilder().parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void whatXmlDoesNotAllowIsReplaced() {
        assertThat(Markup.escape(NASTY))
                .isEqualTo("a&lt;b&gt;&amp;&quot;&#39;\u240a\u2409\ufffd\ufffd[31m\ufffd]]&gt;\ufffd\ufffd\u00e9");
    }

    @Test
    void aDrawingWithAnyTextIsWellFormedAndItsTextStaysText() throws Exception {
        Document file = parse(SvgWriter.file(drawing(NASTY)));
        Element text = (Element) file.getElementsByTagName("text").item(0);
        assertThat(text.getTextContent()).isEqualTo(Markup.oneLine(NASTY));
        Element root = file.getDocumentElement();
        assertThat(root.getAttribute("role")).isEqualTo("img");
        String[] ids = root.getAttribute("aria-labelledby").split(" ");
        assertThat(file.getElementsByTagName("title").item(0).getTextContent()).isEqualTo(Markup.oneLine(NASTY));
        assertThat(ids).containsExactly("drawing-title", "drawing-desc");
    }

    @Test
    void aFileOfItsOwnBringsItsColoursAndAnElementTakesThoseOfThePage() throws Exception {
        Document file = parse(SvgWriter.file(drawing("x")));
        assertThat(((Element) file.getElementsByTagName("rect").item(1)).getAttribute("fill"))
                .isEqualTo(Ink.heat(3).light());
        Document element = parse(SvgWriter.element(drawing("x"), "c-1"));
        Element box = (Element) element.getElementsByTagName("rect").item(0);
        assertThat(box.hasAttribute("fill")).isFalse();
        assertThat(SvgWriter.styles()).contains("." + box.getAttribute("class") + "{fill:var(--heat-4)}");
    }

    @Test
    void numbersHaveTwoDigitsAtMost() {
        assertThat(SvgWriter.number(1)).isEqualTo("1");
        assertThat(SvgWriter.number(-0.5)).isEqualTo("-0.5");
        assertThat(SvgWriter.number(2.0 / 3)).isEqualTo("0.67");
        assertThat(SvgWriter.number(10.049)).isEqualTo("10.05");
        assertThat(SvgWriter.number(-0.001)).isEqualTo("0");
    }

    @Test
    void aPngIsPaintedFromTheSameShapes() throws Exception {
        var image = ImageIO.read(new ByteArrayInputStream(PngWriter.file(drawing(NASTY))));
        assertThat(image.getWidth()).isEqualTo(200);
        assertThat(image.getHeight()).isEqualTo(160);
        assertThat(image.getRGB(90, 90) & 0xffffff)
                .isEqualTo(Integer.decode(Ink.heat(3).light()));
        assertThat(image.getRGB(198, 2) & 0xffffff).isEqualTo(0xffffff);
        assertThat(image.getRGB(140, 140) & 0xffffff).isEqualTo(Integer.decode(Ink.VERMILLION.light()));
    }

    @Test
    void textIsCutToTheWidthThatThereIs() {
        assertThat(TextWidth.fit("short", 12, 100)).isEqualTo("short");
        String cut = TextWidth.fit("a name that is far too long", 12, 80);
        assertThat(cut).endsWith("…").hasSizeLessThan(16);
        assertThat(TextWidth.of(cut, 12)).isLessThanOrEqualTo(80);
        assertThat(TextWidth.fit("any", 12, 5)).isEmpty();
    }
}
