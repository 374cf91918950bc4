package dev.perch.host.probe;

import dev.perch.host.linux.KernelFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Clocks of a CPU as its driver declares them, kHz.
 *
 * <p>Source: Documentation/admin-guide/pm/cpufreq.rst, the policy's files in {@code cpufreq}. Limitation: what the driver calls the maximum is with
 * turbo for some drivers and without for others.
 *
 * @param minKhz lowest the hardware can
 * @param maxKhz highest the driver knows of
 * @param governor who chooses; empty if the kernel does not tell
 * @param driver who sets what was chosen; empty if the kernel does not tell
 * @param table clocks to choose from, ascending; empty for drivers that have no table
 */
public record ClockFacts(int minKhz, int maxKhz, String governor, String driver, List<Integer> table) {
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

    public ClockFacts {
        table = List.copyOf(table);
    }

    /** Of a CPU of this machine; nothing where no driver changes clocks, as on most virtual machines. */
    public static Optional<ClockFacts> of(int cpu) {
        return read(CpuFolder.of(cpu));
    }

    /** @param cpu a folder as /sys/devices/system/cpu/cpu0 */
    static Optional<ClockFacts> read(Path cpu) {
        Path policy = cpu.resolve("cpufreq");
        int max = KernelFile.number(policy.resolve("cpuinfo_max_freq"), 0);
        if (max <= 0) {
            return Optional.empty();
        }
        String clocks = KernelFile.text(policy.resolve("scaling_available_frequencies"));
        return Optional.of(new ClockFacts(
                KernelFile.number(policy.resolve("cpuinfo_min_freq"), max),
                max,
                KernelFile.text(policy.resolve("scaling_governor")),
                KernelFile.text(policy.resolve("scaling_driver")),
                Stream.of(clocks.split(" "))
                        .filter(clock -> clock.matches("[0-9]{1,9}"))
                        .map(Integer::valueOf)
                        .distinct()
                        .sorted()
                        .toList()));
    }

    /**
     * The clock that the kernel takes a CPU of this machine to have now, kHz: scaling_cur_freq, else "cpu MHz" of /proc/cpuinfo. On a virtual machine that is
     * what the hypervisor calls nominal.
     */
    public static OptionalInt currentKhz(int cpu) {
        return current(CpuFolder.of(cpu), CPU_INFO, cpu);
    }

    static OptionalInt current(Path folder, Path cpuInfo, int cpu) {
        int khz = KernelFile.number(folder.resolve("cpufreq/scaling_cur_freq"), 0);
        if (khz > 0) {
            return OptionalInt.of(khz);
        }
        Matcher entry = Pattern.compile(
                        "(?m)^processor\\s*:\\s*" + cpu + "$(?:\\n.+)*?\\ncpu MHz\\s*:\\s*([0-9]{1,6}\\.[0-9]{1,6})$")
                .matcher(KernelFile.text(cpuInfo));
        return entry.find()
                ? OptionalInt.of((int) Math.round(Double.parseDouble(entry.group(1)) * 1_000))
                : OptionalInt.empty();
    }
}
