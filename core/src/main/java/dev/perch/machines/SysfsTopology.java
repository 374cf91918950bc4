package dev.perch.machines;

import dev.perch.model.Cache;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Machine;
import dev.perch.model.Topology;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Reads a machine from the files of {@code /sys/devices/system}: the live host, a copy of that folder, or a recording's dump of it.
 *
 * <p>Old and new names of the files are understood ({@code thread_siblings_list} and {@code core_cpus_list}). Containers and virtual
 * machines leave things out; {@link DiscoveredMachine} says what is assumed then.
 */
final class SysfsTopology {
    private static final Path LIVE = Path.of("/sys/devices/system");

    private final String source;
    private final SysfsTree tree;

    private SysfsTopology(String source, SysfsTree tree) {
        this.source = source;
        this.tree = tree;
    }

    /** The machine that this program runs on. */
    static Machine host() {
        return folder("host", LIVE);
    }

    /**
     * A folder that holds {@code devices/system/cpu}, {@code cpu} or {@code cpu0}, or a dump ({@code topology.txt}, also under {@code machine}).
     *
     * @throws InputException if it is none of these
     */
    static Machine folder(String name, Path folder) {
        for (Path dump : List.of(folder.resolve("topology.txt"), folder.resolve("machine/topology.txt"))) {
            if (Files.isRegularFile(dump)) {
                return dump(name, dump);
            }
        }
        for (String inside : List.of("", "cpu", "devices/system/cpu", "sys/devices/system/cpu")) {
            Path cpu = folder.resolve(inside);
            if (Files.isDirectory(cpu.resolve("cpu0"))) {
                Path node = cpu.toAbsolutePath().normalize().resolveSibling("node");
                return new SysfsTopology(folder.toString(), new SysfsTree.Folder(cpu, node)).machine(name);
            }
        }
        throw new InputException(
                folder
                        + " holds no machine: neither cpu0, cpu or devices/system/cpu of a /sys, nor topology.txt of a recording");
    }

    /** A file {@code topology.txt}, with {@code nodes.txt} beside it. */
    static Machine dump(String name, Path file) {
        return new SysfsTopology(file.toString(), SysfsDump.read(file, file.resolveSibling("nodes.txt")))
                .machine(name);
    }

    private Machine machine(String name) {
        SortedMap<Integer, DiscoveredMachine.CpuFacts> cpus = new TreeMap<>();
        for (int cpu : online()) {
            cpus.put(cpu, cpu(cpu));
        }
        SortedMap<Integer, DiscoveredMachine.NodeFacts> nodes = new TreeMap<>();
        for (int node : tree.numbers("", "node")) {
            nodes.put(node, node(node));
        }
        return DiscoveredMachine.make(name, source, cpus, nodes);
    }

    /** The CPUs that are online; where the list is missing, those that have a topology, or else all there are. */
    private List<Integer> online() {
        CpuMask listed = mask("online");
        if (!listed.isEmpty()) {
            return java.util.Arrays.stream(listed.toArray()).boxed().toList();
        }
        List<Integer> all = List.copyOf(tree.numbers("", "cpu"));
        List<Integer> described =
                all.stream().filter(cpu -> !siblings(cpu).isEmpty()).toList();
        return described.isEmpty() ? all : described;
    }

    private CpuMask siblings(int cpu) {
        return first("cpu" + cpu + "/topology/core_cpus_list", "cpu" + cpu + "/topology/thread_siblings_list");
    }

    private DiscoveredMachine.CpuFacts cpu(int cpu) {
        String topology = "cpu" + cpu + "/topology/";
        List<Cache> caches = new ArrayList<>();
        for (int index : tree.numbers("cpu" + cpu + "/cache", "index")) {
            cache("cpu" + cpu + "/cache/index" + index + "/").ifPresent(caches::add);
        }
        return new DiscoveredMachine.CpuFacts(
                siblings(cpu),
                mask(topology + "cluster_cpus_list"),
                first(topology + "package_cpus_list", topology + "core_siblings_list"),
                caches,
                capacity("cpu" + cpu + "/cpu_capacity"));
    }

    private int capacity(String name) {
        int capacity =
                tree.read(name).map(text -> number(name, text)).orElse(Topology.FULL_CAPACITY);
        if (capacity < 1 || capacity > Topology.FULL_CAPACITY) {
            throw new InputException("capacity " + capacity + " is not in 1.." + Topology.FULL_CAPACITY + at(name));
        }
        return capacity;
    }

    private String at(String name) {
        return " (" + tree.where(name).orElse(name + " of " + source) + ")";
    }

    private Optional<Cache> cache(String folder) {
        CpuMask shared = mask(folder + "shared_cpu_list");
        Optional<String> level = tree.read(folder + "level");
        Optional<String> type = tree.read(folder + "type");
        if (shared.isEmpty() || level.isEmpty() || type.isEmpty()) {
            return Optional.empty();
        }
        int kib = tree.read(folder + "size")
                .map(size -> kib(folder + "size", size))
                .orElse(0);
        return Optional.of(
                new Cache(number(folder + "level", level.get()), type.get().toLowerCase(Locale.ROOT), kib, shared));
    }

    private DiscoveredMachine.NodeFacts node(int node) {
        String name = "node" + node + "/distance";
        List<Integer> distances = tree.read(name)
                .map(text -> Stream.of(text.split("\\s+"))
                        .filter(word -> !word.isEmpty())
                        .map(word -> number(name, word))
                        .toList())
                .orElse(List.of());
        return new DiscoveredMachine.NodeFacts(mask("node" + node + "/cpulist"), distances);
    }

    private CpuMask first(String name, String older) {
        CpuMask mask = mask(name);
        return mask.isEmpty() ? mask(older) : mask;
    }

    private CpuMask mask(String name) {
        try {
            return CpuMask.parse(tree.read(name).orElse(""));
        } catch (InputException e) {
            throw new InputException(e.getMessage() + at(name), e);
        }
    }

    private int kib(String name, String text) {
        String digits = text.replaceFirst("[KMG]$", "");
        int unit = text.endsWith("M") ? 1024 : text.endsWith("G") ? 1024 * 1024 : 1;
        return (int) Math.min(Integer.MAX_VALUE, (long) number(name, digits) * unit);
    }

    private int number(String name, String text) {
        if (!text.matches("[0-9]{1,7}")) {
            throw new InputException("'" + text + "' is not a number" + at(name));
        }
        return Integer.parseInt(text);
    }
}
