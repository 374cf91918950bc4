package dev.perch.store.parquet;

/**
 * A column of a {@link TableFile}; each of its values may be missing.
 *
 * @param name in SQL, so lower case with underscores
 */
public record Column(String name, Type type) {
    /** What a column holds, and the physical type of Parquet that it is written as. */
    public enum Type {
        /** True or false. */
        BOOLEAN(0),
        /** A 32-bit integer. */
        INTEGER(1),
        /** A 64-bit integer. */
        BIGINT(2),
        /** A 64-bit floating-point number. */
        DOUBLE(5),
        /** UTF-8 text; meant for columns in which values come again and again. */
        VARCHAR(6);

        /** Its number in Parquet's enumeration {@code Type}. */
        final int physical;

        Type(int physical) {
            this.physical = physical;
        }
    }
}
