package dev.perch.cli;

import dev.perch.store.QueryOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Rows as CSV (RFC 4180, but lines end as on Unix): a header, empty fields for missing values, quotes where a text needs them. */
final class CsvOutput implements QueryOutput {
    private static final Pattern NEEDS_QUOTES = Pattern.compile("[,\"\\r\\n]");

    private final Appendable out;
    private final StringBuilder line = new StringBuilder(256);

    CsvOutput(Appendable out) {
        this.out = out;
    }

    @Override
    public void begin(List<String> columns) {
        row(columns.toArray());
    }

    @Override
    public void row(@Nullable Object[] cells) {
        line.setLength(0);
        for (int i = 0; i < cells.length; i++) {
            line.append(i == 0 ? "" : ",");
            Object cell = cells[i];
            if (cell != null) {
                field(cell.toString());
            }
        }
        line.append('\n');
        try {
            out.append(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void field(String text) {
        if (text.isEmpty() || NEEDS_QUOTES.matcher(text).find()) {
            line.append('"').append(text.replace("\"", "\"\"")).append('"');
        } else {
            line.append(text);
        }
    }

    @Override
    public void end() {}
}
