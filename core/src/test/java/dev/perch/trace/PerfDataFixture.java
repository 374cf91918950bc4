package dev.perch.trace;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Writes a perf.data, as a file or as through a pipe. */
final class PerfDataFixture {
    /** Two ways of writing samples: which parts they have. */
    enum Parts {
        /** IDENTIFIER, IP, TID, TIME, CPU, PERIOD, CALLCHAIN, RAW. */
        AS_PERF_SCHED(1 << 16 | 1 | 2 | 4 | 1 << 7 | 1 << 8 | 1 << 5 | 1 << 10, 4),
        /** IP, TID, TIME, ADDR, ID, STREAM_ID, CPU, PERIOD, READ of a group with times, RAW. */
        WITH_GROUP(1 | 2 | 4 | 8 | 1 << 6 | 1 << 9 | 1 << 7 | 1 << 8 | 1 << 4 | 1 << 10, 1 | 2 | 4 | 8 | 16);

        private final long sampleType;
        private final long readFormat;

        Parts(long sampleType, long readFormat) {
            this.sampleType = sampleType;
            this.readFormat = readFormat;
        }
    }

    private static final int ATTR_SIZE = 128;
    private static final int PAGE = 4096;

    private final RawRecords records;
    private final Parts parts;
    private final int cpus;
    private final ByteArrayOutputStream end = new ByteArrayOutputStream();

    PerfDataFixture(RawRecords records, Parts parts, int cpus) {
        this.records = records;
        this.parts = parts;
        this.cpus = cpus;
    }

    private BinaryFile file() {
        return new BinaryFile(records.order());
    }

    private byte[] attr(int type, long sampleType) {
        byte[] attr = file().u32(type)
                .u32(ATTR_SIZE)
                .u64(300)
                .u64(1)
                .u64(sampleType)
                .u64(parts.readFormat)
                .toBytes();
        return Arrays.copyOf(attr, ATTR_SIZE);
    }

    private byte[] sample(RawRecords.Raw raw) {
        BinaryFile body = file();
        if (parts == Parts.AS_PERF_SCHED) {
            body.u64(11).u64(0xffff_ffff_8100_0000L).u32(1).u32(1).u64(raw.ns());
            body.u32(raw.cpu()).u32(0).u64(1).u64(2).u64(7).u64(8);
        } else {
            body.u64(0xffff_ffff_8100_0000L)
                    .u32(1)
                    .u32(1)
                    .u64(raw.ns())
                    .u64(0)
                    .u64(11)
                    .u64(12);
            body.u32(raw.cpu()).u32(0).u64(1);
            body.u64(2).u64(100).u64(100);
            for (int i = 0; i < 2; i++) {
                body.u64(i).u64(i).u64(0);
            }
        }
        // The raw data with its length is a multiple of eight.
        int length = (raw.bytes().length + 4 + 7) / 8 * 8 - 4;
        body.u32(length).bytes(Arrays.copyOf(raw.bytes(), length));
        return record(9, body);
    }

    private byte[] record(int type, BinaryFile body) {
        return file().u32(type)
                .u16(1)
                .u16(8 + body.size())
                .bytes(body.toBytes())
                .toBytes();
    }

    /**
     * All samples, round by round. In a round the CPUs come one after the other, and each is read a little later than the one before, so that
     * a round has events that are newer than some of the next.
     */
    private byte[] data(int perRound) {
        BinaryFile data = file();
        List<RawRecords.Raw> left = new ArrayList<>(records.all());
        for (int to = perRound; !left.isEmpty(); to += perRound) {
            List<RawRecords.Raw> written = new ArrayList<>();
            for (int cpu = 0; cpu < cpus; cpu++) {
                int limit = Math.min(records.all().size(), to + cpu * perRound / (2 * cpus)) - 1;
                long until = records.all().get(limit).ns();
                for (RawRecords.Raw raw : left) {
                    if (raw.cpu() == cpu && raw.ns() <= until) {
                        data.bytes(sample(raw));
                        written.add(raw);
                    }
                }
            }
            left.removeAll(written);
            data.bytes(record(68, file()));
        }
        return data.bytes(end.toByteArray()).toBytes();
    }

    /** PERF_RECORD_LOST behind all other records: the kernel dropped events. */
    PerfDataFixture thenLost(long count, int cpu, long ns) {
        end.writeBytes(record(2, trailer(file().u64(11).u64(count), cpu, ns)));
        return this;
    }

    /** PERF_RECORD_LOST_SAMPLES likewise: so many of an event's samples were dropped in all. */
    PerfDataFixture thenLostSamples(long count, int cpu) {
        end.writeBytes(record(13, trailer(file().u64(count), cpu, 0)));
        return this;
    }

    /** What follows other records where samples are as perf sched writes them: TID, TIME, CPU, IDENTIFIER. */
    private static BinaryFile trailer(BinaryFile body, int cpu, long ns) {
        return body.u32(0).u32(0).u64(ns).u32(cpu).u32(0).u64(11);
    }

    private byte[] tracingData() {
        return file().tracingStart("0.6", records.longSize(), PAGE)
                .tracingRest(records, PAGE, "77 from a list\n")
                .toBytes();
    }

    private byte[] text(String text) {
        return file().u32(16)
                .bytes(Arrays.copyOf(text.getBytes(StandardCharsets.UTF_8), 16))
                .toBytes();
    }

    /** What {@code perf record -o FILE} writes. */
    byte[] asFile(int perRound) {
        byte[] data = data(perRound);
        byte[] tracing = tracingData();
        byte[] release = text("6.9.1-test");
        BinaryFile file = file().ascii(isBig() ? "2ELIFREP" : "PERFILE2");
        int idsAt = 104;
        int attrsAt = idsAt + 16;
        int dataAt = attrsAt + 2 * (ATTR_SIZE + 16);
        file.u64(104).u64(ATTR_SIZE + 16).u64(attrsAt).u64(2 * (ATTR_SIZE + 16));
        file.u64(dataAt).u64(data.length).u64(0).u64(0);
        file.u64(1 << 1 | 1 << 4).u64(0).u64(0).u64(0);
        file.u64(11).u64(12);
        file.bytes(attr(2, parts.sampleType)).u64(idsAt).u64(8);
        file.bytes(attr(1, parts.sampleType & ~(1 << 8))).u64(idsAt + 8).u64(8);
        file.bytes(data);
        int table = file.size() + 32;
        file.u64(table).u64(tracing.length).u64(table + tracing.length).u64(release.length);
        return file.bytes(tracing).bytes(release).toBytes();
    }

    /** What {@code perf record -o -} writes. */
    byte[] asPipe(int perRound) {
        BinaryFile file = file().ascii(isBig() ? "2ELIFREP" : "PERFILE2").u64(16);
        file.bytes(record(64, file().bytes(attr(2, parts.sampleType)).u64(11)));
        file.bytes(record(64, file().bytes(attr(1, parts.sampleType)).u64(12)));
        byte[] tracing = file().bytes(tracingData()).align(8).toBytes();
        file.bytes(record(80, file().u64(4).bytes(text("6.9.1-test")).align(8)));
        file.bytes(record(66, file().u32(tracing.length).u32(0))).bytes(tracing);
        return file.bytes(data(perRound)).toBytes();
    }

    private boolean isBig() {
        return records.order() == java.nio.ByteOrder.BIG_ENDIAN;
    }
}
