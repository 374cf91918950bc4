package dev.perch.report.chart;

import java.util.ArrayList;
import java.util.List;

/**
 * The data of a chart as a table. The first column names the row.
 *
 * @param caption what the table holds
 * @param columns headings, units included
 * @param rows a cell for each column
 * @param note what is left out, or empty
 */
public record DataTable(String caption, List<Column> columns, List<List<String>> rows, String note) {
    public DataTable {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
    }

    /** A heading; numbers are set to the right. */
    public record Column(String name, boolean numeric) {
        public static Column text(String name) {
            return new Column(name, false);
        }

        public static Column number(String name) {
            return new Column(name, true);
        }
    }

    /** The same table with at most {@code most} rows, and a note if there were more. */
    DataTable shortened(int most, String where) {
        if (rows.size() <= most) {
            return this;
        }
        List<String> notes = new ArrayList<>();
        if (!note.isEmpty()) {
            notes.add(note);
        }
        notes.add("The first " + Numbers.count(most) + " of " + Numbers.count(rows.size()) + " rows; " + where);
        return new DataTable(caption, columns, rows.subList(0, most), String.join(" ", notes));
    }
}
