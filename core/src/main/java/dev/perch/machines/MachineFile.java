package dev.perch.machines;

import dev.perch.model.Cache;
import dev.perch.model.CpuMask;
import dev.perch.model.HardwareModel;
import dev.perch.model.InputException;
import dev.perch.model.Machine;
import dev.perch.model.Origin;
import dev.perch.model.Topology;
import dev.perch.yaml.YamlDocument;
import dev.perch.yaml.YamlMap;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a machine file (docs/machine-file.md; machines/machine.schema.json). What a schema can say is checked here too, with what it
 * cannot say: that the numbers make sense together.
 */
final class MachineFile {
    /** The sections of the hardware model; a file with none of them describes a topology only. */
    private static final List<String> MODEL = List.of("costs", "transfer", "smt", "idle", "frequencies", "workloads");

    private enum Sharers {
        CORE,
        CLUSTER,
        LLC,
        PACKAGE
    }

    private enum CacheType {
        DATA,
        INSTRUCTION,
        UNIFIED
    }

    private MachineFile() {}

    /**
     * Reads a file. The machine is called as the file, without the ending.
     *
     * @throws InputException one line with file and line number
     */
    static Machine read(Path file) {
        String fileName = String.valueOf(file.getFileName());
        String name = fileName.replaceFirst("\\.ya?ml$", "");
        return read(name, file.toString(), YamlDocument.read(file));
    }

    /**
     * Reads a document.
     *
     * @param name what the machine is called
     * @param source where the document is from, for people
     * @throws InputException one line with the document's name and line number
     */
    static Machine read(String name, String source, YamlMap root) {
        Map<String, Origin> origins = new LinkedHashMap<>();
        Sourced sourced = Sourced.root(root, origins);
        String title = root.string("title");
        Topology topology = TopologySection.read(sourced.section("topology"));
        List<Cache> caches = sourced.has("caches") ? caches(sourced.section("caches"), topology) : List.of();
        boolean modelled = MODEL.stream().anyMatch(sourced::has);
        HardwareModel model = modelled ? ModelSections.read(sourced, topology) : null;
        root.refuseOthers();
        return new Machine(name, title, source, topology, caches, model, origins);
    }

    /** Only the title of a file. */
    static String title(Path file) {
        return YamlDocument.read(file).string("title");
    }

    private static List<Cache> caches(Sourced section, Topology topology) {
        List<Cache> caches = new ArrayList<>();
        int level = 1;
        int sharers = 1;
        for (YamlMap item : section.map().list("list").maps()) {
            Sourced entry = section.entry(item);
            int itemLevel = entry.scalar("level").integer(1, 9);
            CacheType type = entry.scalar("type").choice(CacheType.class);
            int kib = entry.scalar("kib").integer(1, Integer.MAX_VALUE);
            List<CpuMask> sets = sets(topology, entry.scalar("shared-by").choice(Sharers.class));
            item.refuseOthers();
            int itemSharers = sets.stream().mapToInt(CpuMask::count).max().orElse(1);
            if (itemLevel < level || itemSharers < sharers) {
                throw item.error(
                        item.path() + " comes after a cache of a higher level or with more CPUs",
                        "; write them from near to far");
            }
            level = itemLevel;
            sharers = itemSharers;
            for (CpuMask set : sets) {
                caches.add(new Cache(level, type.name().toLowerCase(java.util.Locale.ROOT), kib, set));
            }
        }
        section.map().refuseOthers();
        return caches;
    }

    private static List<CpuMask> sets(Topology topology, Sharers sharers) {
        return switch (sharers) {
            case CORE -> topology.cores();
            case CLUSTER -> topology.clusters();
            case LLC -> topology.llcs();
            case PACKAGE -> topology.packages();
        };
    }
}
