package dev.perch.store.parquet;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a table as a Parquet file, row by row: set the columns that have a value, then end the row.
 *
 * <p>Memory depends on the number of columns, not of rows: after {@value #ROWS_A_GROUP} rows a row group is written. Numbers are not
 * compressed, texts are put into a dictionary.
 *
 * <p>Source: the Parquet format, version 2.10 (parquet.thrift, Encodings.md): data pages of version 1, encodings PLAIN, RLE and
 * RLE_DICTIONARY. Limitations: flat tables, no statistics, no page index; whoever filters reads every page.
 */
public final class TableFile implements Closeable {
    static final int ROWS_A_GROUP = 120_000;

    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
    private static final int DATA_PAGE = 0;
    private static final int DICTIONARY_PAGE = 2;
    private static final int PLAIN = 0;
    private static final int RLE = 3;
    private static final int RLE_DICTIONARY = 8;
    private static final int UNCOMPRESSED = 0;
    private static final int OPTIONAL = 1;
    private static final int UTF8 = 0;
    private static final int NO_DICTIONARY = -1;

    private final OutputStream out;
    private final ColumnBuffer[] columns;
    private final int rowsAGroup;
    private final List<Group> groups = new ArrayList<>();
    private final Bytes page = new Bytes();
    private final Bytes head = new Bytes();
    private long position;
    private int waiting;
    private long rows;

    /** A row group that was written. */
    private record Group(int rows, List<Chunk> chunks) {}

    /** A column's part of a row group. */
    private record Chunk(long dictionaryAt, long dataAt, long size) {}

    /**
     * Begins a file.
     *
     * @param out gets the bytes; {@link #close} completes the table and closes it
     * @throws UncheckedIOException {@code out} fails; likewise every method
     */
    public TableFile(OutputStream out, List<Column> columns) {
        this(out, columns, ROWS_A_GROUP);
    }

    TableFile(OutputStream out, List<Column> columns, int rowsAGroup) {
        this.out = out;
        this.rowsAGroup = rowsAGroup;
        this.columns = columns.stream()
                .map(column -> new ColumnBuffer(column, rowsAGroup))
                .toArray(ColumnBuffer[]::new);
        write(MAGIC, MAGIC.length);
    }

    /** The value of an INTEGER or BIGINT column in the current row; columns are numbered from 0. */
    public void set(int column, long value) {
        columns[column].set(value);
    }

    /** The value of a DOUBLE column. */
    public void set(int column, double value) {
        columns[column].set(Double.doubleToRawLongBits(value));
    }

    /** The value of a BOOLEAN column. */
    public void set(int column, boolean value) {
        columns[column].set(value ? 1L : 0L);
    }

    /** The value of a VARCHAR column. */
    public void set(int column, String value) {
        columns[column].set(value);
    }

    /** The current row is complete; columns that were not set have no value in it. */
    public void endRow() {
        for (ColumnBuffer column : columns) {
            column.endRow();
        }
        rows++;
        if (++waiting == rowsAGroup) {
            writeGroup();
        }
    }

    private void writeGroup() {
        List<Chunk> chunks = new ArrayList<>();
        for (ColumnBuffer column : columns) {
            chunks.add(writeChunk(column));
            column.clear();
        }
        groups.add(new Group(waiting, chunks));
        waiting = 0;
    }

    private Chunk writeChunk(ColumnBuffer column) {
        long start = position;
        long dictionaryAt = NO_DICTIONARY;
        if (column.hasDictionary()) {
            dictionaryAt = position;
            page.clear();
            column.writeDictionary(page);
            writePage(DICTIONARY_PAGE, column.dictionarySize(), PLAIN);
        }
        long dataAt = position;
        page.clear();
        column.writeData(page);
        writePage(DATA_PAGE, waiting, column.hasDictionary() ? RLE_DICTIONARY : PLAIN);
        return new Chunk(dictionaryAt, dataAt, position - start);
    }

    private void writePage(int type, int values, int encoding) {
        head.clear();
        CompactThrift header = new CompactThrift(head);
        header.begin();
        header.i32(1, type);
        header.i32(2, page.size());
        header.i32(3, page.size());
        header.begin(type == DATA_PAGE ? 5 : 7);
        header.i32(1, values);
        header.i32(2, encoding);
        if (type == DATA_PAGE) {
            header.i32(3, RLE);
            header.i32(4, RLE);
        }
        header.end();
        header.end();
        write(head.array(), head.size());
        write(page.array(), page.size());
    }

    private void writeFooter() {
        head.clear();
        CompactThrift footer = new CompactThrift(head);
        footer.begin();
        footer.i32(1, 2);
        footer.structList(2, columns.length + 1);
        footer.begin();
        footer.string(4, "table");
        footer.i32(5, columns.length);
        footer.end();
        for (ColumnBuffer each : columns) {
            schema(footer, each.column);
        }
        footer.i64(3, rows);
        footer.structList(4, groups.size());
        for (Group group : groups) {
            group(footer, group);
        }
        footer.string(6, "perch");
        footer.end();
        write(head.array(), head.size());
        int length = head.size();
        head.clear();
        head.addLittleEndian(length, Integer.BYTES);
        head.addAll(MAGIC);
        write(head.array(), head.size());
    }

    private static void schema(CompactThrift footer, Column column) {
        footer.begin();
        footer.i32(1, column.type().physical);
        footer.i32(3, OPTIONAL);
        footer.string(4, column.name());
        if (column.type() == Column.Type.VARCHAR) {
            footer.i32(6, UTF8);
        }
        footer.end();
    }

    private void group(CompactThrift footer, Group group) {
        footer.begin();
        footer.structList(1, columns.length);
        long size = 0;
        for (int i = 0; i < columns.length; i++) {
            chunk(footer, columns[i].column, group.chunks.get(i), group.rows);
            size += group.chunks.get(i).size;
        }
        footer.i64(2, size);
        footer.i64(3, group.rows);
        footer.end();
    }

    private static void chunk(CompactThrift footer, Column column, Chunk chunk, int values) {
        boolean dictionary = chunk.dictionaryAt != NO_DICTIONARY;
        footer.begin();
        footer.i64(2, dictionary ? chunk.dictionaryAt : chunk.dataAt);
        footer.begin(3);
        footer.i32(1, column.type().physical);
        if (dictionary) {
            footer.i32List(2, PLAIN, RLE, RLE_DICTIONARY);
        } else {
            footer.i32List(2, PLAIN, RLE);
        }
        footer.stringList(3, column.name());
        footer.i32(4, UNCOMPRESSED);
        footer.i64(5, values);
        footer.i64(6, chunk.size);
        footer.i64(7, chunk.size);
        footer.i64(9, chunk.dataAt);
        if (dictionary) {
            footer.i64(11, chunk.dictionaryAt);
        }
        footer.end();
        footer.end();
    }

    private void write(byte[] bytes, int count) {
        try {
            out.write(bytes, 0, count);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        position += count;
    }

    /** Writes what waits and the table of contents. */
    @Override
    public void close() {
        try (out) {
            if (waiting > 0) {
                writeGroup();
            }
            writeFooter();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
