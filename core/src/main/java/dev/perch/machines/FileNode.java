package dev.perch.machines;

import dev.perch.model.Origin;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A part of a machine file that is about to be written: values as they stand in YAML, and how they are grouped. */
sealed interface FileNode {
    /** A single value, quoted already if it must be. */
    record Value(String yaml) implements FileNode {}

    /** Where numbers come from. */
    record Source(Origin origin) implements FileNode {}

    /** A list in brackets, {@code [a, b]}. */
    record Row(List<String> items) implements FileNode {
        public Row {
            items = List.copyOf(items);
        }
    }

    /** A list with one item a line. */
    record Rows(List<FileNode> items) implements FileNode {
        public Rows {
            items = List.copyOf(items);
        }
    }

    /**
     * A map in the order given.
     *
     * @param open always one key a line; otherwise in braces if that fits
     */
    record Fields(Map<String, FileNode> byKey, boolean open) implements FileNode {
        public Fields {
            byKey = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(byKey));
        }
    }

    static FileNode number(long value) {
        return new Value(Long.toString(value));
    }

    /** The value with an origin of its own: a single value before it, a list behind it. */
    static Fields withOrigin(FileNode value, Origin origin) {
        boolean list = value instanceof Row || value instanceof Rows;
        Map<String, FileNode> fields = new LinkedHashMap<>();
        if (list) {
            fields.put("origin", new Source(origin));
        }
        fields.put("value", value);
        fields.putIfAbsent("origin", new Source(origin));
        return new Fields(fields, list);
    }
}
