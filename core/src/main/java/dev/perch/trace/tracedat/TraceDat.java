package dev.perch.trace.tracedat;

import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.Topology;
import dev.perch.trace.Clock;
import dev.perch.trace.DefectKind;
import dev.perch.trace.Defects;
import dev.perch.trace.Reading;
import dev.perch.trace.binary.BufferShares;
import dev.perch.trace.binary.ByteCursor;
import dev.perch.trace.binary.DamageException;
import dev.perch.trace.binary.EventMerge;
import dev.perch.trace.binary.RingBufferPage;
import dev.perch.trace.binary.TracingData;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads one trace.dat: finds the buffers and merges the pages of their CPUs by time, a few pages of each in memory.
 *
 * <p>Limitations: recordings of guests are not shifted to the host's time; a recording of the latency tracers is text and is not read.
 */
public final class TraceDat {
    /** With what a trace.dat begins. */
    public static final String MAGIC = TracingData.MAGIC;

    /** How the text begins by which Perch's recorder says that it made a file; the machine's topology follows. */
    public static final String OUR_VERSION = "perch ";

    private static final int MAX_SECTIONS = 10_000;
    private static final int MAX_SECTION = 1 << 26;
    private static final int SECTION_COMPRESSED = 1;
    private static final int MAX_NAME = 4096;
    private static final int TAG = 10;
    private static final int READ_AHEAD = 64 * 1024;
    private static final int READ_AHEAD_OF_ALL = 32 << 20;

    /** Trace clocks that count nanoseconds. */
    private static final Set<String> NANOSECOND_CLOCKS =
            Set.of("local", "global", "perf", "mono", "mono_raw", "boot", "tai", "ppc-tb-ns");

    private final FileChannel file;
    private final String name;
    private final Reading reading;
    private final TraceDatOptions options;
    private final List<Buffer> buffers = new ArrayList<>();
    private Compression compression = Compression.NONE;

    private TraceDat(FileChannel file, String name, Reading reading) {
        this.file = file;
        this.name = name;
        this.reading = reading;
        options = new TraceDatOptions(reading);
    }

    /**
     * Reads all of {@code file} into {@code reading}.
     *
     * @param name what to call the file in messages
     * @throws InputException nothing can be made of the file
     * @throws IOException the file cannot be read
     */
    public static void read(FileChannel file, String name, Reading reading) throws IOException {
        try {
            new TraceDat(file, name, reading).read();
        } catch (DamageException e) {
            throw new InputException(
                    name + " " + e.getMessage() + " (byte " + e.place()
                            + "); record again, or copy the file again if it was cut off",
                    e);
        }
    }

    /** The topology of the machine, if the file tells it; whatever is wrong with the file is left for {@link #read} to say. */
    static @Nullable Topology topology(FileChannel file, String name) throws IOException {
        Reading reading = new Reading(new SchedEvents() {}, new TaskNames(), Defects.Place.BYTE);
        TraceDat found = new TraceDat(file, name, reading);
        try {
            found.readHead();
        } catch (DamageException | InputException _) {
            // what was found before stands
        }
        return found.options.topology();
    }

    private void read() throws IOException {
        TracingData data = readHead();
        if (data.formats().isEmpty()) {
            throw new InputException(name + " has no descriptions of its events; record again with 'trace-cmd record'");
        }
        if (buffers.isEmpty()) {
            throw new InputException(name
                    + (options.hasText()
                            ? " holds text of a latency tracer; record events with 'trace-cmd record -e sched'"
                            : " holds no buffer of events; record with 'trace-cmd record -e sched'"));
        }
        noteClock();
        Topology topology = options.topology();
        if (topology != null) {
            reading.topology(topology);
        }
        merge(data);
        data.formats().reportSkipped(reading);
    }

    /** Reads everything but the pages. */
    private TracingData readHead() throws IOException {
        ByteCursor in = ByteCursor.of(file, 0, file.size());
        TracingData data = TracingData.readStart(in);
        switch (data.version()) {
            case "6" -> readVersion6(in, data);
            case "7" -> readVersion7(in, data);
            default ->
                throw new InputException(name + " is a trace.dat of version " + printable(data.version())
                        + "; versions 6 and 7 are read; 'trace-cmd convert' makes one of them");
        }
        return data;
    }

    private static String printable(String text) {
        return text.replaceAll("[^\\p{Print}]", "?");
    }

    private void readVersion6(ByteCursor in, TracingData data) throws IOException {
        data.readRest(in, reading);
        long cpus = cpuCount(in);
        readTagged(in, data, "", cpus);
        for (TraceDatOptions.Announced announced : options.buffers()) {
            String bufferName = announced.rest().text(MAX_NAME);
            long ownCpus = announced.rest().remaining() >= Integer.BYTES
                    ? announced.rest().u32()
                    : cpus;
            ByteCursor part = ByteCursor.of(file, announced.offset(), file.size());
            part.order(in.order());
            try {
                readTagged(part, data, bufferName, Math.min(ownCpus, CpuMask.MAX_CPUS));
            } catch (DamageException e) {
                reading.defects().add(DefectKind.CORRUPT_RECORD, e.place());
            }
        }
    }

    private static long cpuCount(ByteCursor in) throws IOException {
        long cpus = in.u32();
        if (cpus > CpuMask.MAX_CPUS) {
            throw new DamageException("says that it has " + cpus + " CPUs", in.position());
        }
        return cpus;
    }

    /** Reads options and the table of CPUs, each after a tag of ten bytes. */
    private void readTagged(ByteCursor in, TracingData data, String bufferName, long cpus) throws IOException {
        while (true) {
            String tag = new String(in.bytes(TAG, TAG), StandardCharsets.ISO_8859_1)
                    .replace("\0", "")
                    .strip();
            switch (tag) {
                case "options" -> {
                    for (int number = in.u16(); number != TraceDatOptions.DONE; number = in.u16()) {
                        readOption(number, in);
                    }
                }
                case "flyrecord" -> {
                    List<Buffer.CpuData> table = new ArrayList<>();
                    for (int cpu = 0; cpu < cpus; cpu++) {
                        addCpu(table, cpu, in.s64(), in.s64(), in.position());
                    }
                    buffers.add(new Buffer(bufferName, "", data.pageSize(), false, table));
                    return;
                }
                case "latency" ->
                    throw new InputException(
                            name + " holds text of a latency tracer; record events with 'trace-cmd record -e sched'");
                default -> throw new DamageException("has no table of CPUs where it should be", in.position());
            }
        }
    }

    private void readOption(int number, ByteCursor in) throws IOException {
        byte[] content = in.bytes(in.u32(), MAX_SECTION);
        ByteCursor option = ByteCursor.of(content);
        option.order(in.order());
        try {
            options.read(number, option);
        } catch (DamageException e) {
            reading.defects().add(DefectKind.CORRUPT_RECORD, in.position());
        }
    }

    private void addCpu(List<Buffer.CpuData> table, int cpu, long offset, long size, long place) {
        if (cpu < 0 || cpu >= CpuMask.MAX_CPUS || offset < 0 || size < 0 || offset > Long.MAX_VALUE - size) {
            reading.defects().add(DefectKind.CORRUPT_RECORD, place);
        } else if (size > 0) {
            table.add(new Buffer.CpuData(cpu, offset, size));
        }
    }

    private void readVersion7(ByteCursor in, TracingData data) throws IOException {
        String compressor = in.text(MAX_NAME);
        in.text(MAX_NAME); // its version
        compression = switch (compressor) {
            case "zstd" -> Compression.ZSTD;
            case "zlib" -> Compression.ZLIB;
            case "none", "" -> Compression.NONE;
            default ->
                throw new InputException(name + " is compressed with " + printable(compressor)
                        + ", which is not read; 'trace-cmd convert --compression none' unpacks it");
        };
        long next = in.s64();
        for (int count = 0; next != 0; count++) {
            if (count > MAX_SECTIONS) {
                throw new DamageException("has a chain of options that does not end", next);
            }
            next = readOptions(section(next, in));
        }
        readSections(in, data);
        for (TraceDatOptions.Announced announced : options.buffers()) {
            try {
                readBuffer(announced, in, data);
            } catch (DamageException e) {
                reading.defects().add(DefectKind.CORRUPT_RECORD, announced.offset());
            }
        }
    }

    /** The content of the section that begins at this byte. */
    private ByteCursor section(long offset, ByteCursor like) throws IOException {
        ByteCursor in = ByteCursor.of(file, offset, file.size());
        in.order(like.order());
        in.u16(); // its number
        int flags = in.u16();
        in.u32(); // its title
        long size = in.length64();
        ByteCursor content = (flags & SECTION_COMPRESSED) != 0
                ? ByteCursor.of(compression.block(in, MAX_SECTION))
                : ByteCursor.of(file, in.position(), in.position() + size);
        content.order(like.order());
        return content;
    }

    /** Reads a section of options; returns where the next one begins, 0 if there is none. */
    private long readOptions(ByteCursor in) throws IOException {
        while (in.remaining() > 0) {
            int number = in.u16();
            if (number == TraceDatOptions.DONE) {
                return in.length32() >= Long.BYTES ? in.s64() : 0;
            }
            readOption(number, in);
        }
        return 0;
    }

    private void readSections(ByteCursor like, TracingData data) throws IOException {
        long headers = options.section(TraceDatOptions.HEADER_INFO);
        if (headers != 0) {
            data.readHeaderFiles(section(headers, like));
        }
        long ftrace = options.section(TraceDatOptions.FTRACE_EVENTS);
        if (ftrace != 0) {
            data.readFtraceFormats(section(ftrace, like), reading);
        }
        long events = options.section(TraceDatOptions.EVENT_FORMATS);
        if (events != 0) {
            data.readEventFormats(section(events, like), reading);
        }
        long commandLines = options.section(TraceDatOptions.COMMAND_LINES);
        if (commandLines != 0) {
            try {
                ByteCursor in = section(commandLines, like);
                TracingData.readCommandLines(in, in.length64(), reading.names());
            } catch (DamageException e) {
                reading.defects().add(DefectKind.CORRUPT_RECORD, e.place());
            }
        }
    }

    private void readBuffer(TraceDatOptions.Announced announced, ByteCursor like, TracingData data) throws IOException {
        ByteCursor in = announced.rest();
        String bufferName = in.text(MAX_NAME);
        String clock = in.text(MAX_NAME);
        long pageSize = in.u32();
        long cpus = cpuCount(in);
        List<Buffer.CpuData> table = new ArrayList<>();
        for (long i = 0; i < cpus; i++) {
            addCpu(table, (int) in.u32(), in.s64(), in.s64(), announced.offset());
        }
        ByteCursor header = ByteCursor.of(file, announced.offset(), file.size());
        header.order(like.order());
        header.u16(); // its number
        boolean compressed = (header.u16() & SECTION_COMPRESSED) != 0;
        int size = pageSize >= 64 && pageSize <= MAX_SECTION ? (int) pageSize : data.pageSize();
        buffers.add(new Buffer(bufferName, clock, size, compressed, table));
    }

    private void noteClock() {
        String clock = options.clock();
        for (Buffer buffer : buffers) {
            if (!buffer.clock().isEmpty() && !buffer.cpus().isEmpty()) {
                clock = buffer.clock();
                break;
            }
        }
        for (Buffer buffer : buffers) {
            if (!buffer.clock().isEmpty()
                    && !buffer.cpus().isEmpty()
                    && !buffer.clock().equals(clock)) {
                reading.defects().note(DefectKind.MIXED_CLOCKS, -1);
            }
        }
        boolean nanoseconds = options.isScaled() || clock.isEmpty() || NANOSECOND_CLOCKS.contains(clock);
        if (!nanoseconds) {
            reading.defects().note(DefectKind.UNKNOWN_CLOCK_UNIT, -1);
        }
        reading.clock(new Clock(
                clock.isEmpty() ? Clock.UNKNOWN_NAME : printable(clock),
                nanoseconds ? Clock.Unit.NANOSECONDS : Clock.Unit.TICKS,
                1));
    }

    private void merge(TracingData data) throws IOException {
        int cpus = 0;
        for (Buffer buffer : buffers) {
            cpus += buffer.cpus().size();
        }
        int room = Math.min(READ_AHEAD, READ_AHEAD_OF_ALL / Math.max(1, cpus));
        EventMerge merge = new EventMerge(reading);
        merge.states(data.formats().states(reading.kernelRelease()));
        BufferShares shares = new BufferShares(buffers.size());
        int rank = 0;
        for (int i = 0; i < buffers.size(); i++) {
            Buffer buffer = buffers.get(i);
            RingBufferPage pages = new RingBufferPage(data, buffer.pageSize(), reading, options.scale(), shares, i);
            for (Buffer.CpuData cpu : buffer.cpus()) {
                merge.addLane(new CpuPages(rank++, file, buffer, cpu, compression, pages, reading, room));
            }
        }
        merge.run(Long.MAX_VALUE);
    }
}
