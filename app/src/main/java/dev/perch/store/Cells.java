package dev.perch.store;

import dev.perch.store.parquet.TableFile;

/** Fills the rows of a table from left to right. */
final class Cells {
    private final TableFile table;
    private int column;

    Cells(TableFile table) {
        this.table = table;
    }

    void set(long value) {
        table.set(column++, value);
    }

    void set(double value) {
        table.set(column++, value);
    }

    void set(boolean value) {
        table.set(column++, value);
    }

    /** Leaves a cell empty. */
    void skip() {
        column++;
    }

    /** A number that is negative if it is not known. */
    void known(long value) {
        if (value >= 0) {
            table.set(column, value);
        }
        column++;
    }

    /** A share that is negative if it is not known. */
    void knownShare(double value) {
        if (value >= 0) {
            table.set(column, value);
        }
        column++;
    }

    /** A text that is empty if there is none. */
    void word(String word) {
        if (!word.isEmpty()) {
            table.set(column, word);
        }
        column++;
    }

    void endRow() {
        table.endRow();
        column = 0;
    }
}
