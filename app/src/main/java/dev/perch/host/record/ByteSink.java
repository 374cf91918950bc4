package dev.perch.host.record;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Bytes that grow, in the order of this processor (little-endian on all that Perch records on), as perf writes its headers. */
final class ByteSink {
    /** perf pads texts to a multiple of this (NAME_ALIGN in tools/perf/util/header.c). */
    private static final int TEXT_UNIT = 64;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    int size() {
        return bytes.size();
    }

    byte[] toBytes() {
        return bytes.toByteArray();
    }

    ByteSink u8(int value) {
        bytes.write(value);
        return this;
    }

    ByteSink u16(int value) {
        return u8(value).u8(value >>> Byte.SIZE);
    }

    ByteSink u32(long value) {
        return u16((int) value).u16((int) (value >>> Short.SIZE));
    }

    ByteSink u64(long value) {
        return u32(value).u32(value >>> Integer.SIZE);
    }

    ByteSink raw(byte[] more) {
        bytes.writeBytes(more);
        return this;
    }

    ByteSink zeros(int count) {
        return raw(new byte[count]);
    }

    /** A text with a zero byte behind it. */
    ByteSink terminated(String text) {
        return raw(text.getBytes(StandardCharsets.UTF_8)).u8(0);
    }

    /** A length of four bytes, then the text, padded with zeros to that length. */
    ByteSink text(String text) {
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        int padded = (content.length + TEXT_UNIT) / TEXT_UNIT * TEXT_UNIT;
        return u32(padded).raw(content).zeros(padded - content.length);
    }

    /** The number of texts, then the texts. */
    ByteSink texts(List<String> all) {
        u32(all.size());
        all.forEach(this::text);
        return this;
    }

    /** A length of eight bytes, then the bytes. */
    ByteSink sized(byte[] content) {
        return u64(content.length).raw(content);
    }

    /** A length of four bytes, then the bytes. */
    ByteSink sized32(byte[] content) {
        return u32(content.length).raw(content);
    }
}
