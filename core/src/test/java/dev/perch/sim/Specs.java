package dev.perch.sim;

import dev.perch.kernel.Kernels;
import dev.perch.machines.Machines;
import dev.perch.model.CpuMask;
import dev.perch.sim.workload.WorkloadExpression;
import java.nio.file.Path;

/** Runs to test with, written as a user would. */
final class Specs {
    static final Path HOME = Path.of(System.getProperty("perch.home"));

    /** A quiet boot: one fixed clock, ticks always on, no idle driver, no noise, no housekeeping, so that costs can be added by hand. */
    static final Settings QUIET =
            new Settings(Settings.Governor.PERFORMANCE, false, false, Settings.IdleRoutine.MWAIT, 0, 100, 0, 0);

    private Specs() {}

    static SimulationSpec spec(String machine, String kernel, String workload, Settings settings, String cpuset) {
        return new SimulationSpec(
                Machines.find(machine, HOME),
                Kernels.resolve(kernel, HOME),
                WorkloadExpression.parse(workload),
                settings,
                CpuMask.parse(cpuset),
                CpuMask.empty(),
                1,
                20_000_000,
                200_000_000);
    }

    static SimulationSpec seeded(SimulationSpec spec, long seed) {
        return with(spec, seed, spec.warmupNs(), spec.durationNs());
    }

    static SimulationSpec lasting(SimulationSpec spec, long durationNs) {
        return with(spec, spec.randomSeed(), 0, durationNs);
    }

    private static SimulationSpec with(SimulationSpec spec, long seed, long warmupNs, long durationNs) {
        return new SimulationSpec(
                spec.machine(),
                spec.kernel(),
                spec.workload(),
                spec.settings(),
                spec.cpuset(),
                spec.taskset(),
                seed,
                warmupNs,
                durationNs);
    }
}
