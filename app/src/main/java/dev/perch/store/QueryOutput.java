package dev.perch.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes the result of a query row by row. */
public interface QueryOutput {
    /** The names of the columns, before the first row. */
    void begin(List<String> columns);

    /** A row; null where there is no value. The array is used again. */
    void row(@Nullable Object[] cells);

    /** There are no more rows. */
    void end();
}
