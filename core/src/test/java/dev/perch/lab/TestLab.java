package dev.perch.lab;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.TestKernels;
import dev.perch.model.Cost;
import dev.perch.model.CostItem;
import dev.perch.model.CpuMask;
import dev.perch.model.Distance;
import dev.perch.model.Frequencies;
import dev.perch.model.HardwareModel;
import dev.perch.model.IdleState;
import dev.perch.model.InputException;
import dev.perch.model.LineTransfer;
import dev.perch.model.Machine;
import dev.perch.model.SmtSpeed;
import dev.perch.model.Topology;
import dev.perch.sim.SimulationResult;
import dev.perch.sim.SimulationSpec;
import dev.perch.sim.workload.WorkloadItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Small parts to run experiments with where no simulation is needed: one package of cores with two threads each, and a formula. */
final class TestLab {
    static final Catalogue CATALOGUE = new Catalogue() {
        @Override
        public Machine machine(String name) {
            if (name.startsWith("no-")) {
                throw new InputException("there is no machine '" + name + "'");
            }
            return TestLab.machine(name, 4);
        }

        @Override
        public Kernel kernel(String expression) {
            if (expression.startsWith("no-")) {
                throw new InputException("there is no kernel '" + expression + "'");
            }
            return TestLab.kernel(expression);
        }
    };

    private TestLab() {}

    /** CPUs n and n + cores are threads of one core, as on the E5620. */
    static Machine machine(String name, int cores) {
        List<CpuMask> coreSets = new ArrayList<>();
        for (int core = 0; core < cores; core++) {
            coreSets.add(CpuMask.of(core, core + cores));
        }
        CpuMask all = CpuMask.range(0, 2 * cores - 1);
        Topology topology =
                new Topology(2 * cores, coreSets, null, List.of(all), List.of(all), List.of(all), new int[][] {{10}});
        Cost[] costs = new Cost[CostItem.all().length];
        java.util.Arrays.fill(costs, Cost.NONE);
        costs[CostItem.IDLE_EXIT.ordinal()] = Cost.core(1007);
        LineTransfer transfer =
                new LineTransfer(0, new long[] {0, 7_100, 37_200, 37_200, 100_000, 0}, new long[][] {{0}});
        HardwareModel model = new HardwareModel(
                costs,
                transfer,
                new SmtSpeed(600, 1000, 0),
                List.of(new IdleState("C1", 3, 6, 750, true)),
                new Frequencies(
                        2_394_000,
                        List.of(1_596_000, 2_394_000),
                        0,
                        List.of(),
                        10,
                        Frequencies.Domain.PACKAGE,
                        Frequencies.Policy.CPU),
                Map.of(
                        "tcp-rr",
                        Map.of("message", Cost.core(2182), "tail", Cost.core(900), "crossing", Cost.core(504))));
        return new Machine(name, "a test machine", "test", topology, List.of(), model, Map.of());
    }

    static Kernel kernel(String expression) {
        Kernel virgin = TestKernels.policy("V");
        return new Kernel(
                expression,
                expression,
                virgin.version(),
                virgin.patches(),
                virgin.rules(),
                virgin.features(),
                virgin.tunables(),
                virgin.notes());
    }

    /**
     * A formula in the place of a simulation. A hop costs the message's work and 1682 ns more; between two CPUs also the idle exit and
     * 10 lines, minus an overlap of 300 ns; a per mille of noise comes from the random seed alone.
     */
    static SimulationResult formula(SimulationSpec spec) {
        SplittableRandom random = new SplittableRandom(spec.randomSeed());
        List<SimulationResult.Instance> instances = new ArrayList<>();
        long wakeups = 0;
        long[] distances = new long[Distance.all().length];
        for (WorkloadItem item : spec.workload()) {
            for (int i = 0; i < item.count(); i++) {
                if (item.name().equals("hog")) {
                    instances.add(new SimulationResult.Instance("hog", 0, 0, "", "", List.of()));
                    continue;
                }
                String[] pin = item.options().getOrDefault("pin", "0/1").split("/");
                Distance distance =
                        spec.machine().topology().distance(Integer.parseInt(pin[0]), Integer.parseInt(pin[1]));
                double rate = rate(spec, distance) * (1 + 0.001 * (random.nextDouble() - 0.5));
                long operations = (long) (rate * spec.durationNs() / 1e9);
                wakeups += 2 * operations;
                distances[distance.ordinal()] += 2 * operations;
                instances.add(new SimulationResult.Instance(
                        item.name(), operations, rate, "transactions/s", distance.word() + ", stays", List.of()));
            }
        }
        return new SimulationResult(
                instances,
                wakeups,
                wakeups / 4,
                0,
                new SimulationResult.Scans(0, 0, 0, 0),
                distances,
                new long[Distance.all().length],
                0,
                8 * wakeups,
                spec.randomSeed());
    }

    private static double rate(SimulationSpec spec, Distance distance) {
        HardwareModel model = spec.machine().requireModel();
        double hop = 1682 + model.workloadCost("test", "tcp-rr", "message").coreNs();
        if (distance != Distance.CPU) {
            hop += model.cost(CostItem.IDLE_EXIT).coreNs() + model.transfer().latencyPs(distance) / 100.0 - 300;
        }
        return 1e9 / (2 * hop);
    }
}
