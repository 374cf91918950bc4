package dev.perch.trace.perfdata;

import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Topology;
import dev.perch.trace.ListedTopology;
import dev.perch.trace.binary.ByteCursor;
import dev.perch.trace.binary.DamageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What perf notes about the machine: kernel release and topology, and when the first and the last sample were. */
final class PerfFeatures {
    static final int TRACING_DATA = 1;
    static final int OSRELEASE = 4;
    static final int CPU_TOPOLOGY = 13;
    static final int NUMA_TOPOLOGY = 14;
    static final int CACHE = 20;
    static final int SAMPLE_TIME = 21;

    private static final int MAX_TEXT = 1 << 16;
    private static final int MAX_ENTRIES = 1 << 16;
    private static final long HOUR_NS = 3_600_000_000_000L;

    private @Nullable String release;
    private List<CpuMask> packages = List.of();
    private List<CpuMask> cores = List.of();
    private List<CpuMask> nodes = List.of();
    private final List<ListedTopology.SharedCache> caches = new ArrayList<>();
    private long earliestNs = Long.MIN_VALUE;
    private long latestNs = Long.MAX_VALUE;

    /** Reads the feature with this number; others are left alone. */
    void read(long number, ByteCursor in) throws IOException {
        switch ((int) number) {
            case OSRELEASE -> release = text(in);
            case CPU_TOPOLOGY -> {
                packages = masks(in);
                cores = masks(in);
            }
            case NUMA_TOPOLOGY -> readNodes(in);
            case CACHE -> readCaches(in);
            case SAMPLE_TIME -> {
                long first = in.s64();
                long last = in.s64();
                if (first > 0 && first <= last) {
                    earliestNs = Math.max(0, first - HOUR_NS);
                    latestNs = last > Long.MAX_VALUE - HOUR_NS ? Long.MAX_VALUE : last + HOUR_NS;
                }
            }
            default -> {}
        }
    }

    private void readNodes(ByteCursor in) throws IOException {
        long count = count(in);
        List<CpuMask> found = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            in.u32(); // number
            in.s64(); // memory
            in.s64(); // free memory
            found.add(mask(in));
        }
        nodes = found;
    }

    private void readCaches(ByteCursor in) throws IOException {
        long version = in.u32();
        if (version != 1) {
            throw new DamageException("describes caches in version " + version, in.position());
        }
        long count = count(in);
        for (long i = 0; i < count; i++) {
            int level = (int) in.u32();
            in.u32(); // line size
            in.u32(); // sets
            in.u32(); // ways
            String type = text(in);
            text(in); // size
            CpuMask cpus = mask(in);
            if (!type.equals("Instruction")) {
                caches.add(new ListedTopology.SharedCache(level, cpus));
            }
        }
    }

    private static long count(ByteCursor in) throws IOException {
        long count = in.u32();
        if (count > MAX_ENTRIES) {
            throw new DamageException("says that it has " + count + " entries in a table", in.position());
        }
        return count;
    }

    private static String text(ByteCursor in) throws IOException {
        byte[] bytes = in.bytes(in.u32(), MAX_TEXT);
        int length = 0;
        while (length < bytes.length && bytes[length] != 0) {
            length++;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    private static List<CpuMask> masks(ByteCursor in) throws IOException {
        long count = count(in);
        List<CpuMask> masks = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            masks.add(mask(in));
        }
        return masks;
    }

    private static CpuMask mask(ByteCursor in) throws IOException {
        String list = text(in);
        try {
            return CpuMask.parse(list);
        } catch (InputException e) {
            throw new DamageException("has a CPU list that is none: " + e.getMessage(), in.position());
        }
    }

    /** What {@code uname -r} said, or null. */
    @Nullable
    String release() {
        return release;
    }

    /** The machine's topology, or null if the recording does not tell it. */
    @Nullable
    Topology topology() {
        return new ListedTopology(cores, packages, nodes, caches).topology();
    }

    /** Whether a sample can be of that time: within an hour of what perf noted. */
    boolean isPlausible(long ns) {
        return ns >= earliestNs && ns <= latestNs;
    }
}
