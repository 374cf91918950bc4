package dev.perch.lab;

import java.util.ArrayList;
import java.util.List;

/** Lays out rows of text in columns: the first column left, the others right, a last free-text column left and wrapped. */
public final class TextTable {
    /** Lines are never longer, unless the fixed columns alone are. */
    public static final int WIDTH = 140;

    private static final String GAP = "  ";

    private final List<String> header;
    private final boolean freeLast;
    private final List<List<String>> rows = new ArrayList<>();

    /**
     * @param header names of the columns
     * @param freeLast whether the last column is text that may be wrapped
     */
    public TextTable(List<String> header, boolean freeLast) {
        this.header = List.copyOf(header);
        this.freeLast = freeLast;
    }

    /** Adds a row of as many cells as the header has. */
    public void add(List<String> cells) {
        if (cells.size() != header.size()) {
            throw new IllegalArgumentException(cells.size() + " cells for " + header.size() + " columns");
        }
        rows.add(List.copyOf(cells));
    }

    /** The table, header first, without trailing blanks. */
    public List<String> lines() {
        List<List<String>> all = new ArrayList<>();
        all.add(header);
        all.addAll(rows);
        int fixed = freeLast ? header.size() - 1 : header.size();
        int[] widths = new int[fixed];
        for (List<String> cells : all) {
            for (int column = 0; column < fixed; column++) {
                widths[column] = Math.max(widths[column], cells.get(column).length());
            }
        }
        List<String> lines = new ArrayList<>();
        for (List<String> cells : all) {
            addLines(cells, widths, lines);
        }
        return lines;
    }

    private void addLines(List<String> cells, int[] widths, List<String> lines) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            String cell = cells.get(column);
            String blanks = " ".repeat(widths[column] - cell.length());
            line.append(column == 0 ? "" : GAP).append(column == 0 ? cell + blanks : blanks + cell);
        }
        if (!freeLast) {
            lines.add(line.toString().stripTrailing());
            return;
        }
        int indent = line.length() + GAP.length();
        List<String> parts = wrap(cells.getLast(), Math.max(20, WIDTH - indent));
        lines.add((line + GAP + parts.getFirst()).stripTrailing());
        for (String part : parts.subList(1, parts.size())) {
            lines.add(" ".repeat(indent) + part);
        }
    }

    /** Breaks text at blanks into lines of at most {@code width}; at least one line. */
    public static List<String> wrap(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.strip().split("\\s+")) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
