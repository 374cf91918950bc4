package dev.perch.host.record;

import dev.perch.host.HostTopology;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.trace.ListedTopology;
import dev.perch.trace.tracedat.TraceDat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A trace.dat of version 6 around pages as the kernel gave them: descriptions of the events, options, table of CPUs, pages.
 *
 * <p>No option of the format is for the machine's topology; it stands in the text of the one that names the program and its version, behind them.
 *
 * <p>Source: trace-cmd.dat.v6(5), include/trace-cmd/trace-cmd-private.h (numbers of options).
 */
final class TraceDatFile {
    private static final String FORMAT_VERSION = "6";
    private static final int TABLE_ENTRY = 2 * Long.BYTES;

    private static final int OPTION_DONE = 0;
    private static final int CPU_STATISTICS = 2;
    private static final int TRACE_CLOCK = 4;
    private static final int UNAME = 5;
    private static final int CPU_COUNT = 8;
    private static final int VERSION = 9;

    private final ByteSink options = new ByteSink();

    private void option(int number, byte[] content) {
        options.u16(number).sized32(content);
    }

    private void option(int number, String text) {
        option(number, new ByteSink().terminated(text).toBytes());
    }

    /** What the kernel counted on a CPU. */
    TraceDatFile statistics(int cpu, String text) {
        option(CPU_STATISTICS, "CPU: " + cpu + "\n" + text);
        return this;
    }

    /** The clock of the times: all there are, it in brackets. */
    TraceDatFile clock(String clocks) {
        option(TRACE_CLOCK, clocks);
        return this;
    }

    /** Kernel, topology, and how many CPUs have pages. */
    TraceDatFile machine(HostTopology host, int cpus, RecordingNote note) {
        option(
                UNAME,
                String.join(" ", "Linux", host.kernel("hostname"), host.kernel("osrelease"), "-", host.architecture()));
        option(CPU_COUNT, new ByteSink().u32(cpus).toBytes());
        option(VERSION, TraceDat.OUR_VERSION + note.version() + "\n" + topology(host));
        return this;
    }

    private static String topology(HostTopology host) {
        List<String> nodes = new ArrayList<>();
        CpuMask numbers = host.nodes();
        for (int node = numbers.first(); node >= 0; node = numbers.next(node + 1)) {
            nodes.add(host.nodeCpus(node));
        }
        try {
            List<ListedTopology.SharedCache> caches = host.caches().stream()
                    .filter(cache -> !cache.type().equals("Instruction"))
                    .map(cache -> new ListedTopology.SharedCache(cache.level(), CpuMask.parse(cache.cpus())))
                    .toList();
            return new ListedTopology(
                            masks(host.cores().stream()),
                            masks(host.packages().stream()),
                            masks(nodes.stream().filter(list -> !list.isEmpty())),
                            caches)
                    .text();
        } catch (InputException e) {
            return ""; // a list that is none: nothing is told rather than something wrong
        }
    }

    private static List<CpuMask> masks(Stream<String> lists) {
        return lists.map(CpuMask::parse).toList();
    }

    /**
     * Writes the file.
     *
     * @param path is overwritten
     * @param cpus of whom there are pages, by index in {@code pages}, ascending
     * @return its size
     */
    long write(Path path, byte[] descriptions, List<Integer> cpus, PageSpill pages, int pageSize) throws IOException {
        int cpuCount = cpus.isEmpty() ? 0 : cpus.getLast() + 1;
        ByteSink head = new ByteSink().raw(descriptions).u32(cpuCount);
        head.raw(tag("options  ")).raw(options.toBytes()).u16(OPTION_DONE);
        head.raw(tag("flyrecord"));
        long start = (head.size() + (long) TABLE_ENTRY * cpuCount + pageSize - 1) / pageSize * pageSize;
        long at = start;
        for (int cpu = 0; cpu < cpuCount; cpu++) {
            int index = cpus.indexOf(cpu);
            long bytes = index < 0 ? 0 : pages.bytes(index);
            head.u64(at).u64(bytes);
            at += bytes;
        }
        head.zeros((int) (start - head.size()));
        try (FileChannel file = FileChannel.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer bytes = ByteBuffer.wrap(head.toBytes());
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
            for (int index = 0; index < cpus.size(); index++) {
                pages.copy(index, file);
            }
            return file.size();
        }
    }

    /** What begins a part of the file, in ten bytes. */
    private static byte[] tag(String nine) {
        return (nine + "\0").getBytes(StandardCharsets.US_ASCII);
    }

    /** The descriptions that the file begins with. */
    static byte[] descriptions(EventDescriptions events, int pageSize, byte[] names) {
        return events.toBytes(FORMAT_VERSION, pageSize, names);
    }
}
