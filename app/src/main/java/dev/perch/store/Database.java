package dev.perch.store;

import dev.perch.model.InputException;
import dev.perch.store.parquet.Column;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * SQL over Parquet files: a DuckDB database in memory whose tables are views of files. To open one takes most of a second.
 *
 * <p>It loads no extensions from the network. Larger intermediate results go to a temporary folder, which is deleted in the end, also when the program
 * is interrupted.
 */
public final class Database implements AutoCloseable {
    private final Connection connection;
    private final Path scratch;
    private final Thread cleaner;
    private final Map<String, List<String>> tables = new LinkedHashMap<>();

    private Database(Connection connection, Path scratch) {
        this.connection = connection;
        this.scratch = scratch;
        cleaner = new Thread(() -> deleteQuietly(scratch));
        Runtime.getRuntime().addShutdownHook(cleaner);
    }

    /** Opens one without tables. */
    public static Database open() {
        Path scratch;
        try {
            scratch = Files.createTempDirectory("perch-query-");
        } catch (IOException e) {
            throw StoreException.failed("cannot make a temporary folder", e);
        }
        Properties settings = new Properties();
        settings.setProperty("errors_as_json", "true");
        settings.setProperty("autoinstall_known_extensions", "false");
        settings.setProperty("autoload_known_extensions", "false");
        settings.setProperty("temp_directory", scratch.resolve("spill").toString());
        try {
            Connection connection = DriverManager.getConnection("jdbc:duckdb:", settings);
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET TimeZone = 'UTC'");
            }
            return new Database(connection, scratch);
        } catch (SQLException e) {
            deleteQuietly(scratch);
            throw new IllegalStateException("cannot start DuckDB: " + SqlError.text(e), e);
        }
    }

    /** A folder for files that are not needed longer than the database. */
    public Path scratch() {
        return scratch;
    }

    /** All runs of a store as tables. The id of a run, taken from its folder, is their first column, the time it was stored the second. */
    public void addStore(Store store, List<String> ids) {
        RunTables.COLUMNS.forEach((table, columns) -> {
            List<Path> files = ids.stream().map(id -> store.table(id, table)).toList();
            String identified = "regexp_extract(filename, '([^/]+)/[^/]+$', 1)";
            String select = files.isEmpty()
                    ? "SELECT NULL::VARCHAR AS run, NULL::TIMESTAMP AS stored, " + nothing(columns)
                    : "SELECT " + identified + " AS run, strptime(left(" + identified
                            + ", 13), '%y%m%d-%H%M%S') AS stored, * EXCLUDE (filename) FROM read_parquet("
                            + list(files) + ", filename = true, union_by_name = true)";
            view(table, select);
        });
    }

    /** The tables that were made of a recording. */
    public void addRecording(RecordingTables recording) {
        recording.written().forEach((table, file) -> view(table, "SELECT * FROM read_parquet(" + literal(file) + ")"));
    }

    private static String nothing(List<Column> columns) {
        return columns.stream()
                        .map(column -> "NULL::" + column.type().name() + " AS " + quoted(column.name()))
                        .collect(Collectors.joining(", "))
                + " WHERE false";
    }

    private static String list(List<Path> files) {
        return files.stream().map(Database::literal).collect(Collectors.joining(", ", "[", "]"));
    }

    private static String literal(Path file) {
        return "'" + file.toAbsolutePath().toString().replace("'", "''") + "'";
    }

    private static String quoted(String name) {
        return '"' + name + '"';
    }

    private void view(String table, String select) {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE VIEW " + quoted(table) + " AS " + select);
            try (ResultSet described = statement.executeQuery("DESCRIBE " + quoted(table))) {
                List<String> names = new ArrayList<>();
                while (described.next()) {
                    names.add(described.getString(1));
                }
                tables.put(table, names);
            }
        } catch (SQLException e) {
            throw new InputException("table " + table + " cannot be read: " + SqlError.text(e), e);
        }
    }

    /**
     * Runs a query and passes on what it gives, row by row.
     *
     * @throws InputException the statement is wrong, or gives no table; the message says where, and which tables there are
     */
    public void query(String sql, QueryOutput output) {
        try (Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                throw new InputException("the statement gives no table; write a SELECT");
            }
            try (ResultSet result = statement.getResultSet()) {
                int columns = result.getMetaData().getColumnCount();
                String[] names = new String[columns];
                for (int i = 0; i < columns; i++) {
                    names[i] = result.getMetaData().getColumnLabel(i + 1);
                }
                output.begin(List.of(names));
                @Nullable Object[] row = new Object[columns];
                while (result.next()) {
                    for (int i = 0; i < columns; i++) {
                        row[i] = plain(result.getObject(i + 1));
                    }
                    output.row(row);
                }
                output.end();
            }
        } catch (SQLException e) {
            throw new InputException(SqlError.message(e, sql, tables), e);
        }
    }

    /** Times of day without the zone of the JVM, which {@code java.sql.Timestamp} has. */
    private static @Nullable Object plain(@Nullable Object value) {
        return value instanceof Timestamp time ? time.toLocalDateTime() : value;
    }

    /**
     * Copies what a query gives to a Parquet file.
     *
     * @throws InputException the file cannot be written
     */
    public void copyToParquet(String sql, Path file) {
        try (Statement statement = connection.createStatement()) {
            statement.execute("COPY (" + sql + ") TO " + literal(file) + " (FORMAT parquet, COMPRESSION zstd)");
        } catch (SQLException e) {
            throw new InputException("cannot write " + file + ": " + SqlError.text(e), e);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException("cannot close DuckDB: " + SqlError.text(e), e);
        } finally {
            deleteQuietly(scratch);
            try {
                Runtime.getRuntime().removeShutdownHook(cleaner);
            } catch (IllegalStateException e) {
                // the program is ending, and the hook does the same once more
            }
        }
    }

    private static void deleteQuietly(Path folder) {
        try {
            Leftovers.delete(folder);
        } catch (IOException e) {
            // a temporary folder; the system clears it away
        }
    }
}
