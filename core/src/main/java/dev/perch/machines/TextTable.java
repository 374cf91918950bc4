package dev.perch.machines;

import java.util.ArrayList;
import java.util.List;

/** A table in plain text: the first column to the left, the others to the right, the last one to the left if it is a remark. */
final class TextTable {
    private final List<List<String>> rows = new ArrayList<>();
    private final boolean remark;

    /** @param remark whether the last column is text */
    TextTable(boolean remark, String... heading) {
        this.remark = remark;
        rows.add(List.of(heading));
    }

    void row(List<String> cells) {
        rows.add(List.copyOf(cells));
    }

    List<String> lines() {
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int column = 0; column < columns; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < columns; column++) {
                boolean left = column == 0 || (remark && column == columns - 1);
                String blanks = " ".repeat(widths[column] - row.get(column).length());
                line.append("  ").append(left ? row.get(column) + blanks : blanks + row.get(column));
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }
}
