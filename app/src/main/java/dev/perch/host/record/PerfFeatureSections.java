package dev.perch.host.record;

import dev.perch.host.HostTopology;
import dev.perch.model.CpuMask;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a perf.data tells of the machine and of the recorded events beside the records: its features.
 *
 * <p>Source: tools/perf/Documentation/perf.data-file-format.txt; tools/perf/util/header.c (write_*) and trace-event-info.c.
 */
final class PerfFeatureSections {
    private static final int TRACING_DATA = 1;
    private static final int HOSTNAME = 3;
    private static final int OSRELEASE = 4;
    private static final int VERSION = 5;
    private static final int ARCH = 6;
    private static final int NRCPUS = 7;
    private static final int CPUDESC = 8;
    private static final int TOTAL_MEM = 10;
    private static final int CMDLINE = 11;
    private static final int EVENT_DESC = 12;
    private static final int CPU_TOPOLOGY = 13;
    private static final int NUMA_TOPOLOGY = 14;
    private static final int CACHE = 20;
    private static final int SAMPLE_TIME = 21;

    /** The version of the descriptions of events from which on names of tasks follow them. */
    private static final String TRACING_VERSION = "0.6";

    private static final int CACHE_VERSION = 1;

    private final SortedMap<Integer, byte[]> sections = new TreeMap<>();

    private PerfFeatureSections() {}

    /**
     * All features but the time of the samples.
     *
     * @param note what the file tells of its making
     */
    static PerfFeatureSections of(
            Tracefs tracefs,
            List<RecordedEvent> events,
            List<PerfEvents.Source> sources,
            int pageSize,
            RecordingNote note) {
        PerfFeatureSections features = new PerfFeatureSections();
        features.sections.put(
                TRACING_DATA,
                new EventDescriptions(tracefs, events)
                        .toBytes(TRACING_VERSION, pageSize, tracefs.bytes("saved_cmdlines")));
        features.sections.put(EVENT_DESC, descriptions(sources));
        features.sections.put(CMDLINE, new ByteSink().texts(note.command()).toBytes());
        features.addText(VERSION, note.version());
        features.addMachine(HostTopology.live());
        return features;
    }

    /** Only those that tell of a machine. */
    static PerfFeatureSections ofMachine(HostTopology host) {
        PerfFeatureSections features = new PerfFeatureSections();
        features.addMachine(host);
        return features;
    }

    private void addText(int number, String text) {
        sections.put(number, new ByteSink().text(text).toBytes());
    }

    private void addMachine(HostTopology host) {
        addText(HOSTNAME, host.kernel("hostname"));
        addText(OSRELEASE, host.kernel("osrelease"));
        addText(ARCH, host.architecture());
        addText(CPUDESC, host.processor());
        sections.put(
                NRCPUS,
                new ByteSink()
                        .u32(host.presentCpus())
                        .u32(host.online().count())
                        .toBytes());
        sections.put(TOTAL_MEM, new ByteSink().u64(host.memoryKb()).toBytes());
        sections.put(CPU_TOPOLOGY, cpuTopology(host));
        sections.put(NUMA_TOPOLOGY, numaTopology(host));
        sections.put(CACHE, caches(host));
    }

    /** When the first and the last sample were. */
    void sampleTime(long firstNs, long lastNs) {
        sections.put(SAMPLE_TIME, new ByteSink().u64(firstNs).u64(lastNs).toBytes());
    }

    SortedMap<Integer, byte[]> sections() {
        return sections;
    }

    private static byte[] descriptions(List<PerfEvents.Source> sources) {
        ByteSink all = new ByteSink().u32(sources.size()).u32(PerfAttribute.SIZE);
        for (PerfEvents.Source source : sources) {
            all.raw(source.attribute()).u32(source.ids().size()).text(source.name());
            source.ids().forEach(all::u64);
        }
        return all.toBytes();
    }

    private static byte[] cpuTopology(HostTopology host) {
        ByteSink all = new ByteSink().texts(host.packages()).texts(host.cores());
        for (int cpu = 0; cpu < host.presentCpus(); cpu++) {
            all.u32(host.id(cpu, "core_id")).u32(host.id(cpu, "physical_package_id"));
        }
        return all.toBytes();
    }

    private static byte[] numaTopology(HostTopology host) {
        CpuMask nodes = host.nodes();
        ByteSink all = new ByteSink().u32(nodes.count());
        for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
            all.u32(node).u64(host.nodeMemoryKb(node, "MemTotal")).u64(host.nodeMemoryKb(node, "MemFree"));
            all.text(host.nodeCpus(node));
        }
        return all.toBytes();
    }

    private static byte[] caches(HostTopology host) {
        List<HostTopology.Cache> caches = host.caches();
        ByteSink all = new ByteSink().u32(CACHE_VERSION).u32(caches.size());
        for (HostTopology.Cache cache : caches) {
            all.u32(cache.level()).u32(cache.lineSize()).u32(cache.sets()).u32(cache.ways());
            all.text(cache.type()).text(cache.size()).text(cache.cpus());
        }
        return all.toBytes();
    }
}
