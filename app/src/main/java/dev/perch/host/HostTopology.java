package dev.perch.host;

import dev.perch.host.linux.KernelFile;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What this machine says of itself: CPUs, caches, nodes, names. What it does not say is empty, or −1 for a number.
 *
 * <p>Source: Documentation/ABI/testing/sysfs-devices-system-cpu, stable/sysfs-devices-node; proc(5).
 */
public final class HostTopology {
    private final Path system;
    private final Path proc;
    private final CpuMask online;

    /**
     * @param type Data, Instruction or Unified
     * @param size as the kernel writes it: 48K
     * @param cpus those that share it, in the kernel's list format
     */
    public record Cache(int level, int lineSize, int sets, int ways, String type, String size, String cpus) {}

    /**
     * @param system /sys/devices/system
     * @param proc /proc
     */
    public HostTopology(Path system, Path proc) {
        this.system = system;
        this.proc = proc;
        this.online = list(system.resolve("cpu/online"));
        if (online.isEmpty()) {
            throw new InputException(system + "/cpu/online does not tell the CPUs of this machine; is /sys mounted?");
        }
    }

    /** The machine that this program runs on. */
    public static HostTopology live() {
        return new HostTopology(Path.of("/sys/devices/system"), Path.of("/proc"));
    }

    private static CpuMask list(Path file) {
        String text = KernelFile.text(file);
        return text.isEmpty() ? CpuMask.empty() : CpuMask.parse(text);
    }

    public CpuMask online() {
        return online;
    }

    /** How many CPUs there are, those that are offline included. */
    public int presentCpus() {
        return Math.max(list(system.resolve("cpu/present")).last(), online.last()) + 1;
    }

    /** Lists of the CPUs that share a package. */
    public List<String> packages() {
        return siblings("package_cpus_list", "core_siblings_list");
    }

    /** Lists of the CPUs that share a core. */
    public List<String> cores() {
        return siblings("core_cpus_list", "thread_siblings_list");
    }

    private List<String> siblings(String name, String oldName) {
        Set<String> lists = new LinkedHashSet<>();
        for (int cpu = online.first(); cpu >= 0; cpu = online.next(cpu + 1)) {
            Path topology = cpu(cpu).resolve("topology");
            String siblings = KernelFile.firstText(topology.resolve(name), topology.resolve(oldName));
            lists.add(siblings.isEmpty() ? Integer.toString(cpu) : siblings);
        }
        return List.copyOf(lists);
    }

    private Path cpu(int cpu) {
        return system.resolve("cpu/cpu" + cpu);
    }

    /** A number in the CPU's topology: core_id, physical_package_id. */
    public int id(int cpu, String name) {
        return KernelFile.number(cpu(cpu).resolve("topology").resolve(name), -1);
    }

    /** Each cache once. */
    public List<Cache> caches() {
        Set<Cache> found = new LinkedHashSet<>();
        for (int cpu = online.first(); cpu >= 0; cpu = online.next(cpu + 1)) {
            for (int index = 0; ; index++) {
                Path cache = cpu(cpu).resolve("cache/index" + index);
                int level = KernelFile.number(cache.resolve("level"), -1);
                if (level < 0) {
                    break;
                }
                found.add(new Cache(
                        level,
                        KernelFile.number(cache.resolve("coherency_line_size"), 0),
                        KernelFile.number(cache.resolve("number_of_sets"), 0),
                        KernelFile.number(cache.resolve("ways_of_associativity"), 0),
                        KernelFile.text(cache.resolve("type")),
                        KernelFile.text(cache.resolve("size")),
                        KernelFile.text(cache.resolve("shared_cpu_list"))));
            }
        }
        return new ArrayList<>(found);
    }

    /** Numbers of the NUMA nodes. */
    public CpuMask nodes() {
        return list(system.resolve("node/online"));
    }

    /** The node's CPUs, in the kernel's list format. */
    public String nodeCpus(int node) {
        return KernelFile.text(node(node).resolve("cpulist"));
    }

    /** @param what MemTotal or MemFree */
    public long nodeMemoryKb(int node, String what) {
        return kilobytes(node(node).resolve("meminfo"), what);
    }

    private Path node(int node) {
        return system.resolve("node/node" + node);
    }

    public long memoryKb() {
        return kilobytes(proc.resolve("meminfo"), "MemTotal");
    }

    private static long kilobytes(Path file, String what) {
        Matcher line = Pattern.compile(what + ":\\s+(\\d{1,15}) kB").matcher(KernelFile.text(file));
        return line.find() ? Long.parseLong(line.group(1)) : 0;
    }

    /** hostname, osrelease and the like. */
    public String kernel(String name) {
        return KernelFile.text(proc.resolve("sys/kernel").resolve(name));
    }

    /** As uname writes it. */
    public String architecture() {
        String name = System.getProperty("os.arch", "");
        return name.equals("amd64") ? "x86_64" : name;
    }

    /** The processor's name. */
    public String processor() {
        Matcher line =
                Pattern.compile("(?m)^model name\\s*:\\s*(.*)$").matcher(KernelFile.text(proc.resolve("cpuinfo")));
        return line.find() ? line.group(1).strip() : architecture();
    }
}
