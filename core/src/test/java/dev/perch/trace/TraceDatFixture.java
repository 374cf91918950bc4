package dev.perch.trace;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.Deflater;

/** Writes a trace.dat of version 6 or 7. */
final class TraceDatFixture {
    private static final int PADDING = 29;
    private static final int TIME_EXTEND = 30;
    private static final int TIME_STAMP = 31;
    private static final int DELTA_BITS = 27;
    private static final int LOST = 1 << 31;
    private static final int LOST_STORED = 1 << 30;

    private final RawRecords records;
    private final int pageSize;
    private final int cpus;

    TraceDatFixture(RawRecords records, int pageSize, int cpus) {
        this.records = records;
        this.pageSize = pageSize;
        this.cpus = cpus;
    }

    /** The pages of one CPU. */
    private byte[] pages(int cpu) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Page page = null;
        int count = 0;
        for (RawRecords.Raw raw : records.all()) {
            if (raw.cpu() != cpu) {
                continue;
            }
            if (page == null || !page.holds(raw.bytes().length)) {
                if (page != null) {
                    out.writeBytes(page.bytes(0, 0));
                }
                page = new Page(raw.ns());
            }
            page.add(raw.ns(), raw.bytes(), count++);
        }
        if (page != null) {
            out.writeBytes(page.bytes(0, 0));
        }
        return out.toByteArray();
    }

    /** One ring-buffer page. */
    final class Page {
        private final ByteBuffer data = ByteBuffer.allocate(pageSize).order(records.order());
        private final long startNs;
        private long ns;

        Page(long startNs) {
            this.startNs = startNs;
            ns = startNs;
        }

        boolean holds(int length) {
            return data.position() + length + 48 < pageSize;
        }

        private void header(int type, long delta) {
            data.putInt((int)
                    (records.order() == ByteOrder.BIG_ENDIAN ? (long) type << DELTA_BITS | delta : delta << 5 | type));
        }

        /** {@code count} varies how it is written: with an absolute time, after a discarded event, with a length of its own. */
        void add(long eventNs, byte[] record, int count) {
            long delta = eventNs - ns;
            ns = eventNs;
            if (count % 7 == 3) {
                header(TIME_STAMP, eventNs & (1 << DELTA_BITS) - 1);
                data.putInt((int) (eventNs >>> DELTA_BITS));
                delta = 0;
            } else if (delta >>> DELTA_BITS != 0) {
                header(TIME_EXTEND, delta & (1 << DELTA_BITS) - 1);
                data.putInt((int) (delta >>> DELTA_BITS));
                delta = 0;
            }
            if (count % 5 == 2 && delta > 0) {
                header(PADDING, 1);
                data.putInt(8);
                data.putInt(0xdeadbeef);
                delta--;
            }
            int words = (record.length + 3) / 4;
            if (words <= 28 && count % 3 != 1) {
                header(words, delta);
            } else {
                header(0, delta);
                data.putInt(record.length + 4);
            }
            data.put(record);
            while (data.position() % 4 != 0) {
                data.put((byte) 0);
            }
        }

        /** @param lost 0: none; −1: some; else how many events were lost before the page */
        byte[] bytes(long lost, int commitFlags) {
            int length = data.position();
            long commit = length | commitFlags | (lost == 0 ? 0 : lost < 0 ? LOST : LOST | LOST_STORED);
            ByteBuffer page = ByteBuffer.allocate(pageSize).order(records.order());
            page.putLong(startNs);
            if (records.longSize() == 8) {
                page.putLong(commit & 0xffffffffL);
            } else {
                page.putInt((int) commit);
            }
            page.put(data.array(), 0, length);
            if (lost > 0 && records.longSize() == 8) {
                page.putLong(lost);
            } else if (lost > 0) {
                page.putInt((int) lost);
            }
            return page.array();
        }
    }

    private static BinaryFile option(BinaryFile file, int number, byte[] content) {
        return file.u16(number).u32(content.length).bytes(content);
    }

    byte[] version6() {
        List<byte[]> pages = new ArrayList<>();
        for (int cpu = 0; cpu < cpus; cpu++) {
            pages.add(pages(cpu));
        }
        return version6(pages);
    }

    byte[] version6(List<byte[]> pages) {
        BinaryFile file = new BinaryFile(records.order());
        file.tracingStart("6", records.longSize(), pageSize).tracingRest(records, pageSize, "77 from a list\n");
        file.u32(pages.size()).ascii("options  \0");
        option(file, 4, "local [mono] boot\0".getBytes(StandardCharsets.UTF_8));
        option(file, 5, "Linux box 6.9.1-test sparc64".getBytes(StandardCharsets.UTF_8));
        file.u16(0).ascii("flyrecord\0");
        int table = file.size();
        pages.forEach(page -> file.u64(0).u64(page.length));
        List<Integer> starts = new ArrayList<>();
        for (byte[] page : pages) {
            file.align(64);
            starts.add(file.size());
            file.bytes(page);
        }
        byte[] bytes = file.toBytes();
        for (int cpu = 0; cpu < pages.size(); cpu++) {
            BinaryFile.patch(bytes, records.order(), table + 16 * cpu, starts.get(cpu));
        }
        return bytes;
    }

    /** Version 7 with a top buffer without CPUs and one named buffer for each of {@code buffers} that holds everything. */
    byte[] version7(boolean packed, int buffers) {
        ByteOrder order = records.order();
        BinaryFile file = new BinaryFile(order);
        file.tracingStart("7", records.longSize(), pageSize)
                .ascii(packed ? "zlib\0" : "none\0")
                .ascii("1.2\0");
        int firstOptions = file.size();
        file.u64(0);
        long headers = section(file, 16, packed, new BinaryFile(order).headerFiles(records.longSize(), pageSize));
        long ftrace = section(file, 17, packed, new BinaryFile(order).u32(0));
        long formats = section(file, 18, packed, new BinaryFile(order).formats(records.formats()));
        long lines = section(file, 21, packed, new BinaryFile(order).commandLines("77 from a list\n"));
        List<byte[]> announced = new ArrayList<>();
        announced.add(buffer(file, "", packed, List.of()));
        for (int i = 0; i < buffers; i++) {
            List<byte[]> pages = new ArrayList<>();
            for (int cpu = 0; cpu < cpus; cpu++) {
                pages.add(pages(cpu));
            }
            announced.add(buffer(file, "buffer" + i, packed, pages));
        }
        // Two sections of options, so that the chain has a link.
        BinaryFile second = new BinaryFile(order);
        announced.forEach(content -> option(second, 3, content));
        option(second, 0, new BinaryFile(order).u64(0).toBytes());
        long secondAt = section(file, 0, packed, second);
        BinaryFile first = new BinaryFile(order);
        option(first, 16, new BinaryFile(order).u64(headers).toBytes());
        option(first, 17, new BinaryFile(order).u64(ftrace).toBytes());
        option(first, 18, new BinaryFile(order).u64(formats).toBytes());
        option(first, 21, new BinaryFile(order).u64(lines).toBytes());
        option(first, 5, "Linux box 6.9.1-test sparc64".getBytes(StandardCharsets.UTF_8));
        option(first, 99, new byte[] {1, 2, 3});
        option(first, 0, new BinaryFile(order).u64(secondAt).toBytes());
        long firstAt = section(file, 0, packed, first);
        byte[] bytes = file.toBytes();
        BinaryFile.patch(bytes, order, firstOptions, firstAt);
        return bytes;
    }

    private byte[] buffer(BinaryFile file, String name, boolean packed, List<byte[]> pages) {
        ByteOrder order = records.order();
        long at = file.size();
        int header = 16;
        BinaryFile content = new BinaryFile(order);
        BinaryFile option = new BinaryFile(order)
                .u64(at)
                .ascii(name + "\0")
                .ascii("mono\0")
                .u32(pageSize)
                .u32(pages.size());
        for (int cpu = 0; cpu < pages.size(); cpu++) {
            byte[] data = packed ? blocks(pages.get(cpu)) : pages.get(cpu);
            option.u32(cpu).u64(at + header + content.size()).u64(data.length - (packed ? 4 : 0));
            content.bytes(data);
        }
        file.u16(3).u16(packed ? 1 : 0).u32(0).u64(content.size()).bytes(content.toBytes());
        return option.toBytes();
    }

    private byte[] blocks(byte[] pages) {
        int block = 3 * pageSize;
        int count = (pages.length + block - 1) / block;
        BinaryFile file = new BinaryFile(records.order()).u32(count);
        for (int i = 0; i < count; i++) {
            pack(file, java.util.Arrays.copyOfRange(pages, i * block, Math.min(pages.length, (i + 1) * block)));
        }
        return file.toBytes();
    }

    private static void pack(BinaryFile file, byte[] content) {
        Deflater deflater = new Deflater();
        deflater.setInput(content);
        deflater.finish();
        byte[] packed = new byte[content.length + 100];
        int length = deflater.deflate(packed);
        deflater.end();
        file.u32(length).u32(content.length).bytes(java.util.Arrays.copyOf(packed, length));
    }

    private static long section(BinaryFile file, int number, boolean packed, BinaryFile content) {
        long at = file.size();
        BinaryFile body = content;
        if (packed) {
            body = file.empty();
            pack(body, content.toBytes());
        }
        file.u16(number).u16(packed ? 1 : 0).u32(0).u64(body.size()).bytes(body.toBytes());
        return at;
    }
}
