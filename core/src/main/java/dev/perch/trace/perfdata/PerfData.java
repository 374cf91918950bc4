package dev.perch.trace.perfdata;

import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Topology;
import dev.perch.trace.Clock;
import dev.perch.trace.DefectKind;
import dev.perch.trace.Reading;
import dev.perch.trace.binary.ByteCursor;
import dev.perch.trace.binary.ByteOrderReader;
import dev.perch.trace.binary.DamageException;
import dev.perch.trace.binary.EventFormats;
import dev.perch.trace.binary.EventWindow;
import dev.perch.trace.binary.PackedEvents;
import dev.perch.trace.binary.TracingData;
import io.airlift.compress.v3.MalformedInputException;
import io.airlift.compress.v3.zstd.ZstdJavaInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads one perf.data with scheduler tracepoints.
 *
 * <p>perf writes what it finds in the CPUs' buffers one after the other; after each round, nothing older can come any more than the newest
 * event that had been written when the round before it ended ({@code ordered-events.c}). So memory is bounded by what two rounds hold, and
 * beyond that by a temporary file.
 *
 * <p>Limitation: directories ({@code perf record --threads}) are not read.
 */
public final class PerfData {
    /** How a perf.data begins on a little-endian machine; turned round on a big-endian one. */
    public static final String MAGIC = "PERFILE2";

    public static final String MAGIC_BIG = "2ELIFREP";

    private static final int RECORD_LOST = 2;
    private static final int RECORD_COMM = 3;
    static final int RECORD_SAMPLE = 9;
    private static final int RECORD_LOST_SAMPLES = 13;
    private static final int RECORD_ATTR = 64;
    static final int RECORD_TRACING_DATA = 66;
    private static final int RECORD_FINISHED_ROUND = 68;
    private static final int RECORD_AUXTRACE = 71;
    static final int RECORD_FEATURE = 80;
    static final int RECORD_COMPRESSED = 81;
    static final int RECORD_COMPRESSED2 = 83;

    private static final int MISC_LOST_BY_FILTER = 1 << 15;
    private static final long MAX_LOST = 1L << 48;
    private static final int MAX_TRACING_DATA = 1 << 28;

    /** How far the zstd decoder's output can lie behind its input: its largest window and two blocks. */
    private static final long DECODER_LAG = (8 << 20) + (256 << 10);

    private final FileChannel file;
    private final String name;
    private final Reading reading;
    private final PerfAttrs attrs = new PerfAttrs();
    private final PerfFeatures features = new PerfFeatures();
    private final EventWindow window;
    private final ArrayDeque<Round> rounds = new ArrayDeque<>();
    private ByteOrderReader order = ByteOrderReader.LITTLE;
    private @Nullable EventFormats formats;
    private int idOffset = SampleLayout.NONE;
    private boolean started;
    private long newestNs = Long.MIN_VALUE;
    private long roundNewestNs = Long.MIN_VALUE;
    private long otherSamples;
    private final LostCounts lostCounts = new LostCounts();

    /**
     * The end of a round that may not be acted on before everything written up to there has been read.
     *
     * @param readBytes how many unpacked bytes must have been read
     * @param newestNs the newest time that had been read when the end was seen
     */
    private record Round(long readBytes, long newestNs) {}

    private PerfData(FileChannel file, String name, Reading reading, EventWindow window) {
        this.file = file;
        this.name = name;
        this.reading = reading;
        this.window = window;
    }

    /**
     * Reads all of {@code file} into {@code reading}.
     *
     * @param name what to call the file in messages
     * @throws InputException nothing can be made of the file
     * @throws IOException the file cannot be read
     */
    public static void read(FileChannel file, String name, Reading reading) throws IOException {
        try (EventWindow window = new EventWindow(reading)) {
            new PerfData(file, name, reading, window).read();
        } catch (DamageException e) {
            throw new InputException(
                    name + " " + e.getMessage() + (e.place() < 0 ? "" : " (byte " + e.place() + ")")
                            + "; record again, or copy the file again if it was cut off",
                    e);
        }
    }

    private void read() throws IOException {
        reading.clock(new Clock("perf", Clock.Unit.NANOSECONDS, 1));
        PerfHeader header = PerfHeader.read(file);
        order = header.order();
        if (header.piped()) {
            readRecords(PerfHeader.PIPE_SIZE, file.size());
        } else {
            readFile(header);
        }
        finish();
    }

    private void readFile(PerfHeader header) throws IOException {
        readAttrs(header.attrSize(), header.attrsAt(), header.attrsSize());
        long dataAt = header.dataAt();
        if (dataAt < 0 || header.dataSize() < 0 || dataAt > file.size()) {
            throw new DamageException("has its data at byte " + dataAt + ", outside the file", 0);
        }
        if (header.isCutOff(file)) {
            reading.defects().add(DefectKind.TRUNCATED, file.size());
        }
        if (!header.features(file, this::readFeature)) {
            reading.defects().note(DefectKind.TRUNCATED, file.size());
        }
        if (formats == null) {
            throw new InputException(
                    name + " has no descriptions of its events, because it is cut off or has no tracepoints;"
                            + " record with 'perf sched record'");
        }
        readRecords(dataAt, header.dataEnd(file));
    }

    private void readAttrs(long attrSize, long attrsAt, long attrsSize) throws IOException {
        int idsSection = 2 * Long.BYTES;
        if (attrSize < idsSection || attrSize > 4096 || attrsSize < 0 || attrsSize > 1 << 26) {
            throw new DamageException("has a header with sizes that cannot be", 0);
        }
        ByteCursor in = ByteCursor.of(file, attrsAt, attrsAt + attrsSize);
        in.order(order);
        for (long left = attrsSize; left >= attrSize; left -= attrSize) {
            byte[] bytes = in.bytes(attrSize - idsSection, 4096);
            PerfAttrs.Attr attr = attrs.add(order, bytes, 0, bytes.length);
            long idsAt = in.s64();
            long idsSize = in.s64();
            ByteCursor ids = ByteCursor.of(file, idsAt, idsAt + Math.max(0, idsSize));
            ids.order(order);
            while (ids.remaining() >= Long.BYTES) {
                attrs.addId(ids.s64(), attr);
            }
        }
    }

    /** A feature that cannot be read is a defect; without most of them the events can be read all the same. */
    private void readFeature(long number, ByteCursor in) throws IOException {
        in.order(order);
        try {
            if (number == PerfFeatures.TRACING_DATA) {
                readTracingData(in);
            } else {
                features.read(number, in);
            }
        } catch (DamageException e) {
            reading.defects().add(DefectKind.CORRUPT_RECORD, e.place());
        }
    }

    private void readTracingData(ByteCursor in) throws IOException {
        TracingData data = TracingData.readStart(in);
        // Set first: descriptions that come before a damage are worth having.
        formats = data.formats();
        data.readRest(in, reading);
    }

    private void readRecords(long from, long to) throws IOException {
        file.position(from);
        InputStream bytes = new BoundedStream(Channels.newInputStream(file), to - from);
        PerfRecords records = new PerfRecords(bytes, order, from);
        while (records.next()) {
            int type = records.type();
            if (type == RECORD_COMPRESSED || type == RECORD_COMPRESSED2) {
                readCompressed(records);
                break;
            }
            handle(records);
        }
        noteEnd(records);
    }

    private void noteEnd(PerfRecords records) {
        switch (records.ending()) {
            case NOT_YET, WHOLE -> {}
            case CUT_OFF -> reading.defects().note(DefectKind.TRUNCATED, records.place());
            case DAMAGED -> reading.defects().add(DefectKind.CORRUPT_RECORD, records.place());
        }
    }

    /** Everything from the first compressed record on. */
    private void readCompressed(PerfRecords outer) throws IOException {
        long[] readBytes = new long[1];
        CompressedPayloads payloads = new CompressedPayloads(outer, order, RECORD_COMPRESSED2, () -> {
            while (outer.next()) {
                int type = outer.type();
                if (type == RECORD_COMPRESSED || type == RECORD_COMPRESSED2) {
                    return true;
                }
                if (type == RECORD_FINISHED_ROUND) {
                    rounds.add(new Round(readBytes[0] + DECODER_LAG, newestNs));
                } else {
                    handle(outer);
                }
            }
            return false;
        });
        PerfRecords inner = new PerfRecords(new UnpackedRecords(new ZstdJavaInputStream(payloads)), order, 0);
        while (inner.next()) {
            handle(inner);
            readBytes[0] += inner.size();
            while (!rounds.isEmpty() && rounds.getFirst().readBytes() <= readBytes[0]) {
                finishRound(rounds.removeFirst().newestNs());
            }
        }
        noteEnd(inner);
    }

    /** Ends where the compressed data is damaged, after counting that. */
    private final class UnpackedRecords extends InputStream {
        private final InputStream in;
        private boolean ended;

        UnpackedRecords(InputStream in) {
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (ended) {
                return -1;
            }
            try {
                int count = in.read(target, offset, length);
                ended = count < 0;
                return count;
            } catch (DamageException e) {
                throw e;
            } catch (IOException
                    | MalformedInputException
                    | IndexOutOfBoundsException
                    | IllegalArgumentException
                    | IllegalStateException _) {
                reading.defects().add(DefectKind.CUT_OFF_COMPRESSION, -1);
                ended = true;
                return -1;
            }
        }
    }

    private void handle(PerfRecords records) throws IOException {
        byte[] bytes = records.bytes();
        int at = records.at();
        int size = records.size();
        switch (records.type()) {
            case RECORD_SAMPLE -> sample(bytes, at, size, records.place());
            case RECORD_FINISHED_ROUND -> finishRound(newestNs);
            case RECORD_COMM -> comm(bytes, at, size);
            case RECORD_LOST -> {
                if (size >= 24) {
                    lost(bytes, at, size, order.s64(bytes, at + 16));
                }
            }
            case RECORD_LOST_SAMPLES -> {
                // Those that a BPF filter left out are not lost.
                if (size >= 16 && (order.u16(bytes, at + 4) & MISC_LOST_BY_FILTER) == 0) {
                    long count = order.s64(bytes, at + 8);
                    if (count > 0 && count <= MAX_LOST) {
                        lostCounts.count(trailerCpu(bytes, at, size), count);
                    }
                }
            }
            case RECORD_ATTR -> attr(bytes, at, size);
            case RECORD_FEATURE -> {
                if (size >= 16) {
                    byte[] content = Arrays.copyOfRange(bytes, at + 16, at + size);
                    readFeature(order.s64(bytes, at + 8), ByteCursor.of(content));
                }
            }
            case RECORD_TRACING_DATA -> {
                long length = size >= 12 ? order.u32(bytes, at + 8) : 0;
                byte[] content = records.take(length, MAX_TRACING_DATA);
                if (content == null) {
                    throw new DamageException("is cut off within the descriptions of its events", records.place());
                }
                readFeature(PerfFeatures.TRACING_DATA, ByteCursor.of(content));
            }
            case RECORD_AUXTRACE -> {
                if (size >= 16) {
                    long length = order.s64(bytes, at + 8);
                    if (length < 0 || !records.skip(length)) {
                        reading.defects().note(DefectKind.TRUNCATED, records.place());
                    }
                }
            }
            default -> {}
        }
    }

    private void finishRound(long newestAtItsEnd) throws IOException {
        if (roundNewestNs > Long.MIN_VALUE) {
            window.release(roundNewestNs);
        }
        roundNewestNs = newestAtItsEnd;
    }

    private void comm(byte[] bytes, int at, int size) {
        int from = at + 16;
        int to = from;
        while (to < at + size && bytes[to] != 0) {
            to++;
        }
        int tid = size < 16 ? 0 : order.s32(bytes, at + 12);
        if (tid > 0) {
            reading.names().learn(tid, bytes, from, to);
            EventFormats described = formats;
            if (described != null) {
                described.named(tid);
            }
        }
    }

    private void attr(byte[] bytes, int at, int size) throws IOException {
        int start = at + SampleLayout.HEADER;
        int length = size < 16 ? 0 : order.s32(bytes, start + 4);
        if (length < 0 || length > size - SampleLayout.HEADER) {
            throw new DamageException("describes an event in more bytes than there are", -1);
        }
        PerfAttrs.Attr attr = attrs.add(order, bytes, start, length);
        for (int id = start + length; id + Long.BYTES <= at + size; id += Long.BYTES) {
            attrs.addId(order.s64(bytes, id), attr);
        }
    }

    /** Learns what the first sample needs to be known. */
    private void start() throws IOException {
        started = true;
        if (attrs.isEmpty()) {
            throw new DamageException("has samples, but does not tell what was recorded", -1);
        }
        EventFormats described = formats;
        if (described == null) {
            throw new InputException(name + " has no descriptions of its events; record with 'perf sched record'");
        }
        idOffset = attrs.idOffset();
        SampleLayout layout = attrs.first().layout();
        if (layout.time() == SampleLayout.NONE || layout.cpu() == SampleLayout.NONE) {
            throw new InputException(
                    name + " has samples without time or CPU; record with 'perf sched record', or 'perf record -a'");
        }
        window.states(described.states(features.release()));
    }

    private void sample(byte[] bytes, int at, int size, long place) throws IOException {
        if (!started) {
            start();
        }
        int idAt = idOffset;
        PerfAttrs.Attr attr =
                idAt < 0 || idAt + Long.BYTES > size ? attrs.first() : attrs.of(order.s64(bytes, at + idAt));
        SampleLayout layout = attr.layout();
        EventFormats described = formats;
        if (!attr.tracepoint() || !layout.hasRaw() || described == null) {
            otherSamples++;
            return;
        }
        if (size < layout.fixedSize() || layout.time() < 0 || layout.cpu() < 0) {
            reading.defects().add(DefectKind.CORRUPT_RECORD, place);
            return;
        }
        long ns = order.s64(bytes, at + layout.time());
        int cpu = order.s32(bytes, at + layout.cpu());
        int raw = layout.raw(order, bytes, at, size);
        int length = raw < 0 ? -1 : order.s32(bytes, at + raw);
        if (length < 0
                || length > size - raw - Integer.BYTES
                || cpu < 0
                || cpu >= CpuMask.MAX_CPUS
                || !features.isPlausible(ns)) {
            reading.defects().add(DefectKind.CORRUPT_RECORD, place);
            return;
        }
        described.decode(bytes, at + raw + Integer.BYTES, length, ns, cpu, window.lane(cpu), reading, place);
        newestNs = Math.max(newestNs, ns);
        window.relieve();
    }

    /** Lost events: at the time and on the CPU that the record tells, if it does. */
    private void lost(byte[] bytes, int at, int size, long count) {
        if (count <= 0 || count > MAX_LOST) {
            return;
        }
        reading.defects().add(DefectKind.EVENTS_LOST, count, -1);
        int cpu = trailerCpu(bytes, at, size);
        lostCounts.tell(cpu, count);
        if (cpu == LostCounts.NO_CPU) {
            return;
        }
        SampleLayout layout = attrs.first().layout();
        int end = at + size;
        long ns = layout.trailerTime() < 0 || layout.trailerTime() > size - 16
                ? 0
                : order.s64(bytes, end - layout.trailerTime());
        long when = ns <= 0 || !features.isPlausible(ns) ? newestNs : ns;
        if (when > Long.MIN_VALUE) {
            window.lane(cpu).add(when, PackedEvents.lostMeta(cpu), count, 0, 0);
        }
    }

    /** The CPU in what follows a record other than a sample, or {@link LostCounts#NO_CPU}. */
    private int trailerCpu(byte[] bytes, int at, int size) {
        SampleLayout layout = attrs.isEmpty() ? null : attrs.first().layout();
        if (layout == null || layout.trailerCpu() < 0 || layout.trailerCpu() > size - 16) {
            return LostCounts.NO_CPU;
        }
        int cpu = order.s32(bytes, at + size - layout.trailerCpu());
        return cpu >= 0 && cpu < CpuMask.MAX_CPUS ? cpu : LostCounts.NO_CPU;
    }

    private void finish() throws IOException {
        window.releaseAll();
        long end = Math.max(0, newestNs);
        if (lostCounts.withoutCpu() > 0) {
            reading.events().lost(end, LostCounts.NO_CPU, lostCounts.withoutCpu());
        }
        lostCounts.untold().forEach((cpu, count) -> {
            reading.defects().add(DefectKind.EVENTS_LOST, count, -1);
            reading.events().lost(end, cpu, count);
        });
        String release = features.release();
        if (release != null) {
            reading.kernelRelease(release);
        }
        Topology topology = features.topology();
        if (topology != null) {
            reading.topology(topology);
        }
        EventFormats described = formats;
        if (described != null) {
            described.reportSkipped(reading);
        }
        if (otherSamples > 0) {
            reading.skipped().add("samples of other events", otherSamples);
        }
    }
}
