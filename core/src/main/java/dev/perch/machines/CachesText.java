package dev.perch.machines;

import dev.perch.model.Cache;
import dev.perch.model.CpuMask;
import dev.perch.model.Topology;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The section {@code caches} of a machine file to be written.
 *
 * <p>A file gives one size for all caches of a kind, and says who shares one by the name of a set of the topology. Caches of which it
 * cannot speak so, such as the smaller ones of a machine's smaller cores, or those of single threads of an emulated one, are {@linkplain #leftOut left out}.
 */
final class CachesText {
    /** Caches that differ only in their CPUs. */
    private record Kind(int level, String type, int kib) {}

    /** All caches of a kind, and the name of the sets that share one. */
    private record Entry(Kind kind, String sharers, int count) {}

    private final Topology topology;
    private final List<Entry> entries = new ArrayList<>();
    private final List<String> leftOut = new ArrayList<>();

    CachesText(Topology topology, List<Cache> caches) {
        this.topology = topology;
        Map<Kind, Set<CpuMask>> byKind = new LinkedHashMap<>();
        for (Cache cache : caches) {
            byKind.computeIfAbsent(new Kind(cache.level(), cache.type(), cache.sizeKib()), _ -> new LinkedHashSet<>())
                    .add(cache.shared().and(topology.cpus()));
        }
        byKind.forEach(this::add);
        entries.sort(Comparator.comparingInt((Entry entry) -> entry.kind.level).thenComparingInt(Entry::count));
    }

    private void add(Kind kind, Set<CpuMask> sets) {
        Map<String, List<CpuMask>> named = new LinkedHashMap<>();
        named.put("core", topology.cores());
        if (topology.hasClusters()) {
            named.put("cluster", topology.clusters());
        }
        named.put("llc", topology.llcs());
        named.put("package", topology.packages());
        for (Map.Entry<String, List<CpuMask>> sharers : named.entrySet()) {
            if (kind.kib > 0 && Set.copyOf(sharers.getValue()).equals(sets)) {
                int most = sets.stream().mapToInt(CpuMask::count).max().orElse(1);
                entries.add(new Entry(kind, sharers.getKey(), most));
                return;
            }
        }
        CpuMask cpus = sets.stream().reduce(CpuMask.empty(), CpuMask::or);
        leftOut.add("level " + kind.level + ", " + kind.type + ", " + kind.kib + " KiB, CPUs " + cpus);
    }

    /** In words, one line a kind, what of the caches a file cannot say. */
    List<String> leftOut() {
        return leftOut;
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    SectionDraft section(OriginPaths origins) {
        List<Map<String, FileNode>> list = new ArrayList<>();
        for (Entry entry : entries) {
            Map<String, FileNode> fields = new LinkedHashMap<>();
            fields.put("level", FileNode.number(entry.kind.level));
            fields.put("type", new FileNode.Value(entry.kind.type));
            fields.put("kib", FileNode.number(entry.kind.kib));
            fields.put("shared-by", new FileNode.Value(entry.sharers));
            list.add(fields);
        }
        SectionDraft section = new SectionDraft("caches", origins);
        section.entries("list", list);
        return section;
    }
}
