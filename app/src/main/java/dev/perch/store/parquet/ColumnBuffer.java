package dev.perch.store.parquet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The values of one column that wait for their row group to be written. Numbers are kept as bits; texts once each, in a dictionary. */
final class ColumnBuffer {
    final Column column;
    private final long[] values;
    private final int[] present;
    private final Map<String, Integer> dictionary = new HashMap<>();
    private final List<String> texts = new ArrayList<>();
    private int rows;
    private int known;
    private boolean waiting;

    ColumnBuffer(Column column, int capacity) {
        this.column = column;
        values = new long[capacity];
        present = new int[capacity];
    }

    /** The value of the row that is being made. */
    void set(long bits) {
        values[known] = bits;
        waiting = true;
    }

    void set(String text) {
        Integer index = dictionary.get(text);
        if (index == null) {
            index = texts.size();
            dictionary.put(text, index);
            texts.add(text);
        }
        set((long) index);
    }

    /** The row is complete; a column that got no value has none there. */
    void endRow() {
        present[rows++] = waiting ? 1 : 0;
        known += waiting ? 1 : 0;
        waiting = false;
    }

    /** The row group was written. */
    void clear() {
        rows = 0;
        known = 0;
        dictionary.clear();
        texts.clear();
    }

    boolean hasDictionary() {
        return column.type() == Column.Type.VARCHAR;
    }

    int dictionarySize() {
        return texts.size();
    }

    /** The dictionary page's content. */
    void writeDictionary(Bytes page) {
        for (String text : texts) {
            int at = page.size();
            page.addLittleEndian(0, Integer.BYTES);
            page.addUtf8(text);
            page.setInt(at, page.size() - at - Integer.BYTES);
        }
    }

    /** The data page's content: which values there are, then those. */
    void writeData(Bytes page) {
        page.addLittleEndian(0, Integer.BYTES);
        page.addHybrid(present, rows, 1);
        page.setInt(0, page.size() - Integer.BYTES);
        switch (column.type()) {
            case BOOLEAN -> writeBooleans(page);
            case INTEGER -> writePlain(page, Integer.BYTES);
            case BIGINT, DOUBLE -> writePlain(page, Long.BYTES);
            case VARCHAR -> writeIndices(page);
        }
    }

    private void writePlain(Bytes page, int width) {
        for (int i = 0; i < known; i++) {
            page.addLittleEndian(values[i], width);
        }
    }

    private void writeBooleans(Bytes page) {
        for (int i = 0; i < known; i += 8) {
            int bits = 0;
            for (int bit = 0; bit < 8 && i + bit < known; bit++) {
                bits |= (int) values[i + bit] << bit;
            }
            page.add(bits);
        }
    }

    private void writeIndices(Bytes page) {
        int width = Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, texts.size() - 1)));
        int[] indices = new int[known];
        Arrays.setAll(indices, i -> (int) values[i]);
        page.add(width);
        page.addHybrid(indices, known, width);
    }
}
