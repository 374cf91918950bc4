package dev.perch.trace.perfdata;

import dev.perch.model.Topology;
import dev.perch.trace.binary.ByteCursor;
import dev.perch.trace.binary.ByteOrderReader;
import dev.perch.trace.binary.DamageException;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The header at the start of a perf.data, which says where everything lies ({@code struct perf_file_header}). One that was written through a
 * pipe has almost none: its features come as records.
 *
 * @param piped whether it was written through a pipe; everything below is then 0
 * @param present a bit for each feature that the file has
 */
record PerfHeader(
        ByteOrderReader order,
        boolean piped,
        long attrSize,
        long attrsAt,
        long attrsSize,
        long dataAt,
        long dataSize,
        long[] present) {
    static final int PIPE_SIZE = 16;

    private static final int FILE_SIZE = 104;
    private static final int FEATURE_WORDS = 4;

    /** Takes one feature after the other. */
    interface FeatureReader {
        void read(long number, ByteCursor in) throws IOException;
    }

    static PerfHeader read(FileChannel file) throws IOException {
        ByteCursor in = ByteCursor.of(file, 0, FILE_SIZE);
        String magic =
                new String(in.bytes(PerfData.MAGIC.length(), PerfData.MAGIC.length()), StandardCharsets.ISO_8859_1);
        ByteOrderReader order = ByteOrderReader.of(magic.equals(PerfData.MAGIC_BIG));
        in.order(order);
        if (in.s64() == PIPE_SIZE) {
            return new PerfHeader(order, true, 0, 0, 0, 0, 0, new long[0]);
        }
        long attrSize = in.s64();
        long attrsAt = in.s64();
        long attrsSize = in.s64();
        long dataAt = in.s64();
        long dataSize = in.s64();
        in.skip(2 * Long.BYTES);
        long[] present = new long[FEATURE_WORDS];
        for (int i = 0; i < FEATURE_WORDS; i++) {
            present[i] = in.s64();
        }
        return new PerfHeader(order, false, attrSize, attrsAt, attrsSize, dataAt, dataSize, present);
    }

    /** Where the data ends: perf writes the size last, a recording that was killed says 0. */
    long dataEnd(FileChannel file) throws IOException {
        return dataSize == 0 ? file.size() : Math.min(file.size(), dataAt + dataSize);
    }

    /** Whether the file ends before its data does. */
    boolean isCutOff(FileChannel file) throws IOException {
        return dataSize == 0 || dataAt + dataSize > file.size();
    }

    /** Hands out the features, which follow the data; false if the file ends within their table. */
    boolean features(FileChannel file, FeatureReader reader) throws IOException {
        ByteCursor table = ByteCursor.of(file, dataEnd(file), file.size());
        table.order(order);
        for (int number = 0; number < present.length * Long.SIZE; number++) {
            if ((present[number / Long.SIZE] >>> number & 1) == 0) {
                continue;
            }
            if (table.remaining() < 2 * Long.BYTES) {
                return false;
            }
            long at = table.s64();
            long size = table.s64();
            ByteCursor in = ByteCursor.of(file, at, at + Math.max(0, size));
            in.order(order);
            reader.read(number, in);
        }
        return true;
    }

    /** The topology in the features of {@code file}, or null if it cannot be told before everything is read. */
    static @Nullable Topology topology(FileChannel file) throws IOException {
        PerfFeatures features = new PerfFeatures();
        try {
            PerfHeader header = read(file);
            if (header.piped()) {
                readPiped(file, header.order(), features);
            } else if (header.dataAt() >= 0 && header.dataSize() >= 0 && header.dataAt() <= file.size()) {
                header.features(file, (number, in) -> {
                    if (number != PerfFeatures.TRACING_DATA) {
                        readOne(features, number, in);
                    }
                });
            }
        } catch (DamageException e) {
            return null;
        }
        return features.topology();
    }

    /** perf writes the features before the first sample. */
    private static void readPiped(FileChannel file, ByteOrderReader order, PerfFeatures features) throws IOException {
        file.position(PIPE_SIZE);
        PerfRecords records = new PerfRecords(Channels.newInputStream(file), order, PIPE_SIZE);
        while (records.next()) {
            byte[] bytes = records.bytes();
            int at = records.at();
            int size = records.size();
            switch (records.type()) {
                case PerfData.RECORD_SAMPLE, PerfData.RECORD_COMPRESSED, PerfData.RECORD_COMPRESSED2 -> {
                    return;
                }
                case PerfData.RECORD_TRACING_DATA -> {
                    if (size < 12 || !records.skip(order.u32(bytes, at + 8))) {
                        return;
                    }
                }
                case PerfData.RECORD_FEATURE -> {
                    if (size >= 16) {
                        ByteCursor in = ByteCursor.of(java.util.Arrays.copyOfRange(bytes, at + 16, at + size));
                        in.order(order);
                        readOne(features, order.s64(bytes, at + 8), in);
                    }
                }
                default -> {}
            }
        }
    }

    /** A feature that cannot be read is reported when everything is read. */
    private static void readOne(PerfFeatures features, long number, ByteCursor in) throws IOException {
        try {
            features.read(number, in);
        } catch (DamageException e) {
            return;
        }
    }
}
