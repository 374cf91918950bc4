package dev.perch.store.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** DuckDB, which has a reader of its own, finds in the file what was put into it. */
class TableFileTest {
    private static final List<Column> COLUMNS = List.of(
            new Column("flag", Column.Type.BOOLEAN),
            new Column("small", Column.Type.INTEGER),
            new Column("big", Column.Type.BIGINT),
            new Column("real", Column.Type.DOUBLE),
            new Column("word", Column.Type.VARCHAR));

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        // rows, rows a group, share of missing values in percent, different words
        "0, 10, 0, 1",
        "1, 10, 0, 1",
        "1, 10, 100, 1",
        "9, 10, 50, 2",
        "10, 10, 50, 3",
        "11, 10, 30, 300",
        "1000, 64, 0, 17",
        "1000, 64, 100, 17",
        "5000, 1024, 10, 5000",
        "5000, 4999, 1, 257",
    })
    void readsBackWhatWasWritten(int rows, int rowsAGroup, int missing, int words) throws IOException, SQLException {
        List<List<@Nullable Object>> table = table(rows, missing, words);
        Path file = folder.resolve("table.parquet");
        try (TableFile out = new TableFile(Files.newOutputStream(file), COLUMNS, rowsAGroup)) {
            table.forEach(row -> write(out, row));
        }
        assertThat(read("SELECT * FROM '" + file + "'")).isEqualTo(table);
        assertThat(read("SELECT count(*), count(small), sum(small), count(DISTINCT word) FROM '" + file + "'")
                        .getFirst()
                        .getFirst())
                .isEqualTo((long) rows);
    }

    @Test
    void tellsTypesAndNames() throws IOException, SQLException {
        Path file = folder.resolve("table.parquet");
        try (TableFile out = new TableFile(Files.newOutputStream(file), COLUMNS)) {
            out.endRow();
        }
        assertThat(read("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM '" + file + "')"))
                .extracting(row -> row.get(0) + " " + row.get(1))
                .containsExactly("flag BOOLEAN", "small INTEGER", "big BIGINT", "real DOUBLE", "word VARCHAR");
    }

    private static List<List<@Nullable Object>> table(int rows, int missing, int words) {
        SplittableRandom random = new SplittableRandom(rows * 31L + missing);
        List<List<@Nullable Object>> table = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            @Nullable
            Object[] cells = {
                random.nextBoolean(),
                random.nextInt(8) == 0 ? Integer.MIN_VALUE : random.nextInt(),
                random.nextInt(8) == 0 ? Long.MIN_VALUE : random.nextLong(),
                random.nextInt(8) == 0 ? Double.MAX_VALUE : random.nextDouble(-1, 1),
                "wörd, \"" + random.nextInt(words) + '"'
            };
            for (int column = 0; column < cells.length; column++) {
                cells[column] = random.nextInt(100) < missing ? null : cells[column];
            }
            table.add(Arrays.asList(cells));
        }
        return table;
    }

    private static void write(TableFile out, List<@Nullable Object> row) {
        for (int column = 0; column < row.size(); column++) {
            switch (row.get(column)) {
                case null -> {}
                case Boolean flag -> out.set(column, flag.booleanValue());
                case Integer number -> out.set(column, number.longValue());
                case Long number -> out.set(column, number.longValue());
                case Double number -> out.set(column, number.doubleValue());
                case Object text -> out.set(column, text.toString());
            }
        }
        out.endRow();
    }

    private static List<List<@Nullable Object>> read(String sql) throws SQLException {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = database.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                List<@Nullable Object> row = new ArrayList<>();
                for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
                    row.add(result.getObject(column));
                }
                rows.add(row);
            }
        }
        return rows;
    }
}
