package dev.perch.store;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What DuckDB says is wrong with a statement, in one line. It is asked for errors as JSON, which tell the position. */
final class SqlError {
    private SqlError() {}

    /**
     * For a statement that a user wrote: where the fault is, what it is, and which tables there are, with the columns of those that it names.
     *
     * @param tables columns by table
     */
    static String message(SQLException failure, String sql, Map<String, List<String>> tables) {
        JsonNode json = json(failure);
        String place = json.has("position") ? place(sql, json.path("position").asString()) : "";
        return place + text(failure) + "; there are " + tables(sql.toLowerCase(Locale.ROOT), tables);
    }

    private static String tables(String sql, Map<String, List<String>> tables) {
        return tables.entrySet().stream()
                .map(table -> table.getKey()
                        + (sql.contains(table.getKey()) ? " (" + String.join(", ", table.getValue()) + ")" : ""))
                .collect(Collectors.joining(", "));
    }

    /** The message alone. */
    static String text(SQLException failure) {
        String message = json(failure).path("exception_message").asString("");
        String text = message.isEmpty() ? String.valueOf(failure.getMessage()) : message;
        return text.strip().replaceAll("\\.$", "").replaceAll("\\s*\\R\\s*", " ");
    }

    /** Line and column of a position, which counts bytes. */
    private static String place(String sql, String position) {
        int at;
        try {
            at = Integer.parseInt(position);
        } catch (NumberFormatException e) {
            return "";
        }
        byte[] bytes = sql.getBytes(StandardCharsets.UTF_8);
        String before = new String(bytes, 0, Math.clamp(at, 0, bytes.length), StandardCharsets.UTF_8);
        long line = before.chars().filter(c -> c == '\n').count() + 1;
        int column = before.length() - before.lastIndexOf('\n');
        return sql.contains("\n") ? "line " + line + ", column " + column + ": " : "column " + column + ": ";
    }

    private static JsonNode json(SQLException failure) {
        String message = String.valueOf(failure.getMessage());
        int brace = message.indexOf('{');
        if (brace < 0 || !message.stripTrailing().endsWith("}")) {
            return JsonMapper.shared().missingNode();
        }
        try {
            return JsonMapper.shared().readTree(message.substring(brace));
        } catch (JacksonException e) {
            return JsonMapper.shared().missingNode();
        }
    }
}
