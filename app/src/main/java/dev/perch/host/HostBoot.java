package dev.perch.host;

import dev.perch.host.linux.KernelFile;
import dev.perch.sim.Settings;
import dev.perch.sim.SettingsText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * How the host's kernel was booted, in the words of the simulator's settings ({@code --set KEY=VALUE}).
 *
 * <p>Source: {@code /proc/cmdline}, sysfs (cpuidle, cpufreq), {@code /proc/sys/kernel/sched_autogroup_enabled}, {@code /proc/timer_list} where it may be
 * read. What the files do not tell stays as the simulator has it: no noise and no kernel threads of the host are measured.
 *
 * @param assignments each {@code KEY=VALUE}, in the order of {@link SettingsText#KEYS}
 * @param notes what the simulator has no setting for
 */
public record HostBoot(List<String> assignments, List<String> notes) {
    private static final Set<Integer> KNOWN_HZ = Set.of(100, 250, 300, 1000);
    private static final Set<String> GOVERNORS =
            Set.of("performance", "powersave", "userspace", "ondemand", "conservative", "schedutil");
    private static final Set<String> IDLE_GOVERNORS = Set.of("menu", "teo", "ladder");

    /** Older kernels: 0 none, 1 without, 2 with high resolution; newer ones: 0 or 1. */
    private static final Pattern TICK_MODE = Pattern.compile("\\.nohz(?:_mode)?\\s*:\\s*(\\d)");

    public HostBoot {
        assignments = List.copyOf(assignments);
        notes = List.copyOf(notes);
    }

    /** The host's own. */
    public static HostBoot read(int tickHz) {
        return read(Path.of("/proc"), Path.of("/sys/devices/system/cpu"), tickHz);
    }

    /** From files as proc and {@code /sys/devices/system/cpu} have them. */
    static HostBoot read(Path proc, Path cpus, int tickHz) {
        List<String> all = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        List<String> options =
                Arrays.asList(KernelFile.text(proc.resolve("cmdline")).split("\\s+"));
        String driver = KernelFile.text(cpus.resolve("cpuidle/current_driver"));
        boolean hasDriver = !driver.isEmpty() && !driver.equals("none");
        all.add("governor=" + governor(KernelFile.text(cpus.resolve("cpu0/cpufreq/scaling_governor")), notes));
        all.add("turbo=off"); // costs are stated at the clock that was measured
        all.add("nohz=" + (hasDynamicTicks(options, KernelFile.text(proc.resolve("timer_list"))) ? "on" : "off"));
        all.add("idle=" + idle(options, driver, KernelFile.text(proc.resolve("cpuinfo"))));
        if (hasDriver) {
            idleGovernor(KernelFile.text(cpus.resolve("cpuidle/current_governor")), all, notes);
        } else {
            all.add("max_cstate=0");
        }
        if (KNOWN_HZ.contains(tickHz)) {
            all.add("hz=" + tickHz);
        } else {
            notes.add("this kernel ticks " + tickHz + " times a second, which the simulator does not offer; it takes "
                    + Settings.DEFAULT.hz());
        }
        if (KernelFile.text(proc.resolve("sys/kernel/sched_autogroup_enabled")).equals("1")) {
            all.add("autogroup=on");
        }
        return new HostBoot(all, notes);
    }

    private static String governor(String name, List<String> notes) {
        if (name.isEmpty()) {
            return "performance";
        }
        if (GOVERNORS.contains(name)) {
            return name;
        }
        notes.add("the frequency governor '" + name + "' is not modelled; performance is taken");
        return "performance";
    }

    /** Off by a boot option, or because the list of timers says so of all CPUs. */
    private static boolean hasDynamicTicks(List<String> options, String timers) {
        List<String> modes =
                TICK_MODE.matcher(timers).results().map(mode -> mode.group(1)).toList();
        return !options.contains("nohz=off")
                && (modes.isEmpty() || modes.stream().anyMatch(mode -> !mode.equals("0")));
    }

    /** How a CPU waits: by MWAIT where the processor has it and an idle driver or the kernel uses it; else until an interrupt. */
    private static String idle(List<String> options, String driver, String cpuinfo) {
        if (options.contains("idle=poll")) {
            return "poll";
        }
        boolean hasMonitor = cpuinfo.lines()
                .filter(line -> line.startsWith("flags"))
                .findFirst()
                .map(line -> Arrays.asList(line.split("\\s+")).contains("monitor"))
                .orElse(false);
        return hasMonitor && !options.contains("idle=halt") && !driver.equals("haltpoll") ? "mwait" : "halt";
    }

    private static void idleGovernor(String name, List<String> all, List<String> notes) {
        if (IDLE_GOVERNORS.contains(name)) {
            all.add("idle_governor=" + name);
        } else if (!name.isEmpty()) {
            notes.add("the idle governor '" + name + "' is not modelled; the kernel's usual one is taken");
        }
    }

    /** The settings of a simulation of this host. */
    public Settings settings() {
        Settings settings = Settings.DEFAULT;
        for (String assignment : assignments) {
            settings = SettingsText.with(settings, assignment);
        }
        return settings;
    }

    /** As options of the command line. */
    public String options() {
        return String.join(
                " ", assignments.stream().map(each -> "--set " + each).toList());
    }
}
