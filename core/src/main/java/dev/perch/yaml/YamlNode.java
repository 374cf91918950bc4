package dev.perch.yaml;

import dev.perch.model.InputException;

/** A value in a YAML document that knows its file, its line and its path from the root ({@code costs.enqueue}, {@code nodes[2]}). */
public abstract sealed class YamlNode permits YamlMap, YamlList, YamlScalar {
    private final String file;
    private final int line;
    private final String path;

    YamlNode(String file, int line, String path) {
        this.file = file;
        this.line = line;
        this.path = path;
    }

    /** The file as it was given to {@link YamlDocument}. */
    public String file() {
        return file;
    }

    /** The line of the value's key, or of the value where it has none, from 1. */
    public int line() {
        return line;
    }

    /** The keys that lead here; empty for the root. */
    public String path() {
        return path;
    }

    /** {@code file:line}. */
    public String where() {
        return file + ":" + line;
    }

    /**
     * An error about this value.
     *
     * @param problem what is wrong
     * @param remedy what would mend it, beginning with its own {@code "; "}; or empty
     */
    public InputException error(String problem, String remedy) {
        return new InputException(problem + " (" + where() + ")" + remedy);
    }

    /** An error whose remedy is obvious. */
    public InputException error(String problem) {
        return error(problem, "");
    }

    /**
     * This value as a map.
     *
     * @throws InputException if it is something else
     */
    public YamlMap asMap() {
        if (this instanceof YamlMap map) {
            return map;
        }
        throw error(subject() + " must be a map of keys and values, not " + kind());
    }

    /**
     * This value as a list.
     *
     * @throws InputException if it is something else
     */
    public YamlList asList() {
        if (this instanceof YamlList list) {
            return list;
        }
        throw error(subject() + " must be a list, not " + kind(), "; write [a, b] or one '- item' a line");
    }

    /**
     * This value as a single value.
     *
     * @throws InputException if it is something else, or nothing stands there
     */
    public YamlScalar asScalar() {
        if (this instanceof YamlScalar scalar && !scalar.isAbsent()) {
            return scalar;
        }
        throw error(subject() + " must be a single value, not " + kind());
    }

    /** How messages name this value: its path. */
    String subject() {
        return path.isEmpty() ? "the document" : path;
    }

    /** What this is, in words. */
    abstract String kind();
}
