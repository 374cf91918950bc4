package dev.perch.host.calibrate;

import dev.perch.kernel.Kernel;
import dev.perch.lab.RandomSeeds;
import dev.perch.lab.Simulator;
import dev.perch.lab.statistics.Sample;
import dev.perch.model.CpuMask;
import dev.perch.model.Machine;
import dev.perch.sim.Settings;
import dev.perch.sim.SimulationResult;
import dev.perch.sim.SimulationSpec;
import dev.perch.sim.workload.WorkloadExpression;

/**
 * Pairs of tasks on a machine under test, simulated under one kernel and boot.
 *
 * @param taskset where tasks that are not bound may run; empty: everywhere
 * @param repeats runs with seeds of their own
 * @param warmupNs simulated time before measuring
 * @param durationNs simulated time that is measured
 */
record SimulatedPairs(
        Kernel kernel,
        Settings settings,
        CpuMask taskset,
        Simulator simulator,
        long randomSeed,
        int repeats,
        long warmupNs,
        long durationNs) {
    private static final double US = 1e6;

    /** µs an operation takes, a value a run. */
    Sample microseconds(Machine machine, String workload) {
        double[] values = new double[repeats];
        for (int repeat = 0; repeat < repeats; repeat++) {
            values[repeat] = microseconds(simulator.run(new SimulationSpec(
                    machine,
                    kernel,
                    WorkloadExpression.parse(workload),
                    settings,
                    CpuMask.empty(),
                    taskset,
                    RandomSeeds.of(randomSeed, 0, repeat),
                    warmupNs,
                    durationNs)));
        }
        return new Sample(values);
    }

    private static double microseconds(SimulationResult result) {
        SimulationResult.Instance pair = result.instances().getFirst();
        return pair.metric().equals("us/op") ? pair.value() : US / pair.value();
    }
}
