package dev.perch.store.parquet;

import java.nio.charset.StandardCharsets;

/**
 * Structures in Thrift's compact protocol, the form of Parquet's page headers and footer. Only what those need: integers, strings, lists
 * of them and nested structures. Fields must be written in the order of their numbers.
 */
final class CompactThrift {
    private static final int I32 = 5;
    private static final int I64 = 6;
    private static final int BINARY = 8;
    private static final int LIST = 9;
    private static final int STRUCT = 12;
    private static final int DEEPEST = 8;

    private final Bytes out;
    private final int[] lastField = new int[DEEPEST];
    private int depth;

    CompactThrift(Bytes out) {
        this.out = out;
    }

    void i32(int field, int value) {
        head(field, I32);
        zigzag(value);
    }

    void i64(int field, long value) {
        head(field, I64);
        zigzag(value);
    }

    void string(int field, String value) {
        head(field, BINARY);
        binary(value);
    }

    /** A structure as a field; {@link #end} closes it. */
    void begin(int field) {
        head(field, STRUCT);
        begin();
    }

    /** A structure as an element of a list, or the outermost one. */
    void begin() {
        lastField[++depth] = 0;
    }

    void end() {
        out.add(0);
        depth--;
    }

    void i32List(int field, int... values) {
        list(field, I32, values.length);
        for (int value : values) {
            zigzag(value);
        }
    }

    void stringList(int field, String value) {
        list(field, BINARY, 1);
        binary(value);
    }

    /** A list of structures: each follows between {@link #begin()} and {@link #end}. */
    void structList(int field, int count) {
        list(field, STRUCT, count);
    }

    private void list(int field, int type, int count) {
        head(field, LIST);
        if (count < 15) {
            out.add(count << 4 | type);
        } else {
            out.add(0xf0 | type);
            out.addVarint(count);
        }
    }

    private void head(int field, int type) {
        int delta = field - lastField[depth];
        if (delta < 1 || delta > 15) {
            throw new IllegalStateException("field " + field + " after " + lastField[depth]);
        }
        out.add(delta << 4 | type);
        lastField[depth] = field;
    }

    private void binary(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        out.addVarint(utf8.length);
        out.addAll(utf8);
    }

    private void zigzag(long value) {
        out.addVarint(value << 1 ^ value >> 63);
    }
}
