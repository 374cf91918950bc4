package dev.perch.machines;

import dev.perch.yaml.ScalarText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Lays a machine file out in lines: maps and lists in braces and brackets where they fit, one entry a line where they do not, long
 * origins folded.
 *
 * <p>At most {@value #WIDTH} columns, unless a word, a title or an origin that cannot be folded is longer.
 */
final class FileLayout {
    static final int WIDTH = 130;

    private static final int STEP = 2;

    private final List<String> lines = new ArrayList<>();

    List<String> lines() {
        return lines;
    }

    void line(String line) {
        lines.add(line);
    }

    /** One key with what stands behind it. */
    void field(String key, FileNode node, int indent) {
        String head = " ".repeat(indent) + key + ":";
        switch (node) {
            case FileNode.Value value -> lines.add(head + " " + value.yaml());
            case FileNode.Source source -> source(head, source.origin().toString(), indent);
            case FileNode.Row row -> row(head, row.items(), indent);
            case FileNode.Rows rows -> {
                lines.add(head);
                rows(rows.items(), indent + STEP);
            }
            case FileNode.Fields fields -> {
                if (fits(head, fields) || fields.byKey().isEmpty()) {
                    lines.add(head + " " + flow(fields));
                } else {
                    lines.add(head);
                    fields(fields.byKey(), indent + STEP);
                }
            }
        }
    }

    void fields(Map<String, FileNode> byKey, int indent) {
        byKey.forEach((key, node) -> field(key, node, indent));
    }

    private static boolean fits(String head, FileNode.Fields fields) {
        return !fields.open() && head.length() + 1 + flow(fields).length() <= WIDTH;
    }

    /** The items one below the other, maps among them all in braces or all one key a line. */
    private void rows(List<FileNode> items, int indent) {
        String dash = " ".repeat(indent) + "-";
        boolean open = items.stream().anyMatch(item -> item instanceof FileNode.Fields fields && !fits(dash, fields));
        for (FileNode item : items) {
            if (open && item instanceof FileNode.Fields fields) {
                int first = lines.size();
                fields(fields.byKey(), indent + STEP);
                lines.set(first, dash + " " + lines.get(first).substring(indent + STEP));
            } else {
                lines.add(dash + " " + flow(item));
            }
        }
    }

    /** Everything on one line. */
    private static String flow(FileNode node) {
        return switch (node) {
            case FileNode.Value value -> value.yaml();
            case FileNode.Source source -> ScalarText.quoted(source.origin().toString());
            case FileNode.Row row -> "[" + String.join(", ", row.items()) + "]";
            case FileNode.Rows rows ->
                "["
                        + String.join(
                                ", ",
                                rows.items().stream().map(FileLayout::flow).toList()) + "]";
            case FileNode.Fields fields ->
                "{"
                        + String.join(
                                ", ",
                                fields.byKey().entrySet().stream()
                                        .map(field -> field.getKey() + ": " + flow(field.getValue()))
                                        .toList())
                        + "}";
        };
    }

    private void source(String head, String text, int indent) {
        String line = head + " " + ScalarText.quoted(text);
        if (line.length() <= WIDTH || !ScalarText.canBeFolded(text)) {
            lines.add(line);
            return;
        }
        lines.add(head + " >-");
        String margin = " ".repeat(indent + STEP);
        StringBuilder folded = new StringBuilder(margin);
        for (String word : text.split(" ")) {
            if (folded.length() > margin.length() && folded.length() + 1 + word.length() > WIDTH) {
                lines.add(folded.toString());
                folded.setLength(margin.length());
            }
            folded.append(folded.length() > margin.length() ? " " : "").append(word);
        }
        lines.add(folded.toString());
    }

    /** A long list goes on below its key, in lines of 8, 16, … or 4 items where as many fit. */
    private void row(String head, List<String> items, int indent) {
        String line = head + " [" + String.join(", ", items) + "]";
        if (line.length() <= WIDTH) {
            lines.add(line);
            return;
        }
        String margin = " ".repeat(indent + STEP);
        int width = items.stream().mapToInt(String::length).max().orElse(1) + ", ".length();
        int fitting = Math.max(1, (WIDTH - margin.length() - "[]".length()) / width);
        int each = fitting >= 8 ? fitting / 8 * 8 : fitting >= 4 ? 4 : fitting;
        if (line.length() - head.length() + margin.length() <= WIDTH + 1) {
            each = items.size();
        }
        lines.add(head);
        for (int from = 0; from < items.size(); from += each) {
            int to = Math.min(items.size(), from + each);
            lines.add(margin
                    + (from == 0 ? "[" : " ")
                    + String.join(", ", items.subList(from, to))
                    + (to == items.size() ? "]" : ","));
        }
    }
}
