package dev.perch.sim.random;

import dev.perch.kernel.Kernel;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Machine;
import dev.perch.sim.Settings;
import dev.perch.sim.SettingsText;
import dev.perch.sim.Simulation;
import dev.perch.sim.SimulationSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The run of a seed. */
final class RandomRun {
    private static final Path HOME = Path.of(System.getProperty("perch.home"));
    private static final RandomMachines MACHINES = new RandomMachines(HOME);
    private static final RandomKernels KERNELS = new RandomKernels(HOME);

    private RandomRun() {}

    static SimulationSpec of(long seed) {
        Draws draws = new Draws(seed);
        Machine machine = MACHINES.draw(draws);
        Kernel kernel = KERNELS.draw(draws);
        CpuMask all = machine.topology().cpus();
        CpuMask cpuset = draws.once(3) ? draws.subset(all) : CpuMask.empty();
        CpuMask home = cpuset.isEmpty() ? all : cpuset;
        CpuMask taskset = draws.once(4) ? draws.subset(home) : CpuMask.empty();
        SimulationSpec spec = new SimulationSpec(
                machine,
                kernel,
                RandomWorkloads.draw(draws, home),
                Settings.DEFAULT,
                cpuset,
                taskset,
                draws.below(Integer.MAX_VALUE),
                draws.logBetween(100_000, 1_000_000),
                draws.logBetween(1_000_000, 12_000_000));
        return settled(draws, spec);
    }

    /** With settings, each taken if the kernel has what it asks for. */
    private static SimulationSpec settled(Draws draws, SimulationSpec plain) {
        List<String> wishes = new ArrayList<>(List.of(
                "hz=" + draws.of(100, 250, 300, 1000),
                "nohz=" + draws.of("on", "on", "off"),
                "idle=" + draws.of("mwait", "mwait", "halt", "poll"),
                "turbo=" + draws.of("on", "off"),
                "max_cstate=" + draws.of(0, 1, 2, 9),
                "housekeeping=" + draws.of(0, 200, 20_000),
                "noise=" + draws.of(0, 20, 200)));
        if (draws.once(2)) {
            wishes.add("idle_governor=" + draws.of("menu", "teo", "ladder"));
        }
        wishes.add("governor="
                + draws.of("performance", "powersave", "userspace", "ondemand", "conservative", "schedutil"));
        SimulationSpec spec = plain;
        for (String wish : wishes) {
            SimulationSpec changed = with(spec, SettingsText.with(spec.settings(), wish));
            try {
                Simulation.check(changed);
                spec = changed;
            } catch (InputException refused) {
                // this kernel has no such governor
            }
        }
        return spec;
    }

    private static SimulationSpec with(SimulationSpec spec, Settings settings) {
        return new SimulationSpec(
                spec.machine(),
                spec.kernel(),
                spec.workload(),
                settings,
                spec.cpuset(),
                spec.taskset(),
                spec.randomSeed(),
                spec.warmupNs(),
                spec.durationNs());
    }

    /** What the run of a seed is, for people. */
    static String describe(long seed) {
        SimulationSpec spec = of(seed);
        return "seed " + seed + ": " + spec.machine().topology().cpuCount() + " CPUs, "
                + spec.kernel().expression() + ", " + spec.workload() + ", " + SettingsText.describe(spec.settings())
                + ", cpuset [" + spec.cpuset() + "], taskset [" + spec.taskset() + "], "
                + (spec.warmupNs() + spec.durationNs()) / 1000 + " us";
    }
}
