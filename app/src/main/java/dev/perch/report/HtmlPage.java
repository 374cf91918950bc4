package dev.perch.report;

import dev.perch.report.chart.DataTable;
import dev.perch.report.chart.DataTable.Column;
import dev.perch.report.chart.Figure;
import dev.perch.report.drawing.Markup;
import dev.perch.report.drawing.SvgWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * A page under construction: one file that needs nothing else, for eyes, ears, keyboard and paper.
 *
 * <p>It is HTML that is well-formed XML too. It has no script, and its policy forbids it to load anything. Sections have headings of the
 * second level and stand in the contents; figures and tables have headings of the third.
 */
final class HtmlPage {
    private static final String STYLES = "page.css";

    /** Figures up to this width may stand beside each other, pixels. */
    private static final double HALF = 470;

    private final String title;
    private final StringBuilder body = new StringBuilder();
    private final StringBuilder contents = new StringBuilder();
    private String section = "";
    private int parts;
    private boolean open;

    HtmlPage(String title) {
        this.title = title;
    }

    /**
     * Begins a section and ends the one before.
     *
     * @param id letters and hyphens, unique
     */
    void section(String id, String heading) {
        closeSection();
        open = true;
        section = id;
        parts = 0;
        body.append("<section id=\"").append(id).append("\" aria-labelledby=\"").append(id);
        body.append("-heading\">\n<h2 id=\"").append(id).append("-heading\">").append(Markup.escape(heading));
        body.append("</h2>\n");
        contents.append("<li><a href=\"#").append(id).append("\">").append(Markup.escape(heading));
        contents.append("</a></li>\n");
    }

    private void closeSection() {
        if (open) {
            body.append("</section>\n");
            open = false;
        }
    }

    void paragraph(String text) {
        body.append("<p>").append(Markup.escape(text)).append("</p>\n");
    }

    /** A paragraph that answers the question of the page. */
    void lead(String text) {
        body.append("<p class=\"lead\">").append(Markup.escape(text)).append("</p>\n");
    }

    void heading(String text) {
        body.append("<h3>").append(Markup.escape(text)).append("</h3>\n");
    }

    /** Names and what they stand for. */
    void facts(Map<String, String> facts) {
        body.append("<dl>\n");
        facts.forEach((name, value) -> {
            body.append("<dt>").append(Markup.escape(name)).append("</dt>");
            body.append("<dd>").append(Markup.escape(value)).append("</dd>\n");
        });
        body.append("</dl>\n");
    }

    void list(List<String> items) {
        body.append("<ul>\n");
        items.forEach(item -> body.append("<li>").append(Markup.escape(item)).append("</li>\n"));
        body.append("</ul>\n");
    }

    /** Figures, those that are narrow beside each other; one that is alone has the heading of the section. */
    void figures(List<Figure> figures) {
        if (figures.size() == 1) {
            figure(figures.getFirst(), false);
            return;
        }
        body.append("<div class=\"figures\">\n");
        figures.forEach(figure -> figure(figure, true));
        body.append("</div>\n");
    }

    /** A figure under a heading of its own, its data below it. */
    void figure(Figure figure) {
        figure(figure, true);
    }

    private void figure(Figure figure, boolean headed) {
        String id = section + "-" + ++parts;
        String name = Markup.escape(figure.title());
        String labelledBy = headed ? id + "-name" : section + "-heading";
        body.append("<figure class=\"").append(figure.drawing().width() > HALF ? "wide" : "half");
        body.append("\" aria-labelledby=\"").append(labelledBy).append("\">\n");
        if (headed) {
            body.append("<h3 id=\"")
                    .append(labelledBy)
                    .append("\">")
                    .append(name)
                    .append("</h3>\n");
        }
        body.append("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Chart: ");
        body.append(name).append("\">\n");
        body.append(SvgWriter.element(figure.drawing(), id)).append("</div>\n");
        body.append("<figcaption>").append(Markup.escape(figure.sentence())).append("</figcaption>\n");
        body.append("<details><summary>Data: ").append(name).append("</summary>\n");
        table(figure.table());
        body.append("</details>\n</figure>\n");
    }

    /** A table; where it is wider than the page, it can be scrolled. */
    void table(DataTable table) {
        body.append("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table: ");
        body.append(Markup.escape(table.caption())).append("\">\n<table>\n<caption>");
        body.append(Markup.escape(table.caption())).append("</caption>\n<thead><tr>");
        for (Column column : table.columns()) {
            body.append("<th scope=\"col\"").append(column.numeric() ? " class=\"n\">" : ">");
            body.append(Markup.escape(column.name())).append("</th>");
        }
        body.append("</tr></thead>\n<tbody>\n");
        for (List<String> row : table.rows()) {
            row(table.columns(), row);
        }
        body.append("</tbody>\n</table>\n</div>\n");
        if (!table.note().isEmpty()) {
            paragraph(table.note());
        }
    }

    private void row(List<Column> columns, List<String> cells) {
        body.append("<tr>");
        for (int i = 0; i < cells.size(); i++) {
            String tag = i == 0 ? "th" : "td";
            body.append('<').append(tag).append(i == 0 ? " scope=\"row\"" : "");
            body.append(columns.get(i).numeric() ? " class=\"n\">" : ">");
            body.append(Markup.escape(cells.get(i))).append("</").append(tag).append('>');
        }
        body.append("</tr>\n");
    }

    /**
     * The page.
     *
     * @param kind what sort of page it is
     * @param foot what made it
     */
    String finish(String kind, String foot) {
        closeSection();
        return "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                + "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
                + "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n"
                + "<title>" + Markup.escape(title) + "</title>\n<style>\n" + SvgWriter.styles() + styles()
                + "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the results</a>\n"
                + "<header>\n<p class=\"kind\">" + Markup.escape(kind) + "</p>\n<h1>" + Markup.escape(title)
                + "</h1>\n</header>\n<nav aria-label=\"Contents\">\n<ul>\n" + contents + "</ul>\n</nav>\n"
                + "<main id=\"main\" tabindex=\"-1\">\n" + body + "</main>\n<footer>\n<p>" + Markup.escape(foot)
                + "</p>\n</footer>\n</body>\n</html>\n";
    }

    private static String styles() {
        try (InputStream in = HtmlPage.class.getResourceAsStream(STYLES)) {
            if (in == null) {
                throw new IllegalStateException("the style sheet " + STYLES + " is not in the program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
