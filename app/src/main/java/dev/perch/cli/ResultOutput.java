package dev.perch.cli;

import dev.perch.store.QueryOutput;
import java.io.PrintStream;

/** The forms in which the result of a query is printed. */
enum ResultOutput {
    /** Columns for people. */
    TABLE,
    /** One object a row. */
    JSON,
    /** RFC 4180, with a header. */
    CSV;

    /** Prints to {@code out}. */
    QueryOutput to(PrintStream out) {
        return switch (this) {
            case TABLE -> new TableOutput(out);
            case JSON -> new JsonOutput(out);
            case CSV -> new CsvOutput(out);
        };
    }
}
