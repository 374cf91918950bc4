package dev.perch.cli;

import dev.perch.model.InputException;
import dev.perch.model.Nearest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The formats that {@code perch export} writes. */
enum ExportFormat {
    /** A table as comma-separated values. */
    CSV("csv"),
    /** A table as Apache Parquet, compressed. */
    PARQUET("parquet"),
    /** A recording as a Perfetto trace. */
    PERFETTO("pftrace", "perfetto-trace"),
    /** A recording as trace-cmd's file. */
    TRACE_DAT("dat"),
    /** A recording as ftrace text. */
    FTRACE_TEXT("txt");

    /** The first is its name for {@code --format}. */
    private final List<String> endings;

    ExportFormat(String... endings) {
        this.endings = List.of(endings);
    }

    /** Its name for {@code --format}, which is also how its files end. */
    String word() {
        return endings.getFirst();
    }

    /**
     * The format that a user names, or that a file's name tells.
     *
     * @param word what {@code --format} says; empty for nothing
     * @throws InputException no such format, or a file whose name tells none
     */
    static ExportFormat of(String word, String file) {
        for (ExportFormat format : values()) {
            String name = file.toLowerCase(Locale.ROOT);
            boolean named = word.isEmpty()
                    ? format.endings.stream().anyMatch(ending -> name.endsWith("." + ending))
                    : format.endings.contains(word);
            if (named) {
                return format;
            }
        }
        List<String> words = Arrays.stream(values()).map(ExportFormat::word).toList();
        if (word.isEmpty()) {
            throw new InputException("the name " + file + " does not tell a format; end it in ."
                    + String.join(" or .", words) + ", or use --format");
        }
        throw new InputException("there is no format '" + word + "'" + Nearest.hint(word, words));
    }
}
