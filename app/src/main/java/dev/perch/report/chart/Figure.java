package dev.perch.report.chart;

import dev.perch.report.drawing.Drawing;

/**
 * A chart with what belongs to it.
 *
 * @param drawing its title names the chart
 * @param sentence what it shows, for the reader
 * @param table the same data
 */
public record Figure(Drawing drawing, String sentence, DataTable table) {
    public String title() {
        return drawing.title();
    }
}
