package dev.perch.trace;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Bytes of a file that is being written, in one byte order, and the description blob that trace.dat and perf.data share. */
final class BinaryFile {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteOrder order;

    BinaryFile(ByteOrder order) {
        this.order = order;
    }

    /** An empty one of the same byte order. */
    BinaryFile empty() {
        return new BinaryFile(order);
    }

    BinaryFile u8(int value) {
        out.write(value);
        return this;
    }

    BinaryFile u16(int value) {
        return bytes(ByteBuffer.allocate(2).order(order).putShort((short) value).array());
    }

    BinaryFile u32(long value) {
        return bytes(ByteBuffer.allocate(4).order(order).putInt((int) value).array());
    }

    BinaryFile u64(long value) {
        return bytes(ByteBuffer.allocate(8).order(order).putLong(value).array());
    }

    BinaryFile bytes(byte[] bytes) {
        out.write(bytes, 0, bytes.length);
        return this;
    }

    BinaryFile ascii(String text) {
        return bytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    BinaryFile align(int to) {
        while (out.size() % to != 0) {
            out.write(0);
        }
        return this;
    }

    int size() {
        return out.size();
    }

    byte[] toBytes() {
        return out.toByteArray();
    }

    /** The bytes with the 64-bit number at {@code at} replaced. */
    static void patch(byte[] bytes, ByteOrder order, int at, long value) {
        ByteBuffer.wrap(bytes).order(order).putLong(at, value);
    }

    BinaryFile tracingStart(String version, int longSize, int pageSize) {
        return ascii("\27\10\104tracing")
                .ascii(version + "\0")
                .u8(order == ByteOrder.BIG_ENDIAN ? 1 : 0)
                .u8(longSize)
                .u32(pageSize);
    }

    BinaryFile headerFiles(int longSize, int pageSize) {
        String page = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
                + "\tfield: local_t commit;\toffset:8;\tsize:" + longSize + ";\tsigned:1;\n"
                + "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
                + "\tfield: char data;\toffset:" + (8 + longSize) + ";\tsize:" + (pageSize - 8 - longSize)
                + ";\tsigned:1;\n";
        String event = "# compressed entry header\n";
        return ascii("header_page\0")
                .u64(page.length())
                .ascii(page)
                .ascii("header_event\0")
                .u64(event.length())
                .ascii(event);
    }

    BinaryFile formats(List<String> formats) {
        u32(1).ascii("sched\0").u32(formats.size());
        for (String format : formats) {
            u64(format.length()).ascii(format);
        }
        return this;
    }

    BinaryFile commandLines(String lines) {
        byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
        return u64(bytes.length).bytes(bytes);
    }

    /** All of what perf and version 6 write after the start. */
    BinaryFile tracingRest(RawRecords records, int pageSize, String commandLines) {
        return headerFiles(records.longSize(), pageSize)
                .u32(0)
                .formats(records.formats())
                .u32(4)
                .ascii("ksym")
                .u32(0)
                .commandLines(commandLines);
    }
}
