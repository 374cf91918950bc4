package dev.perch.sim;

import dev.perch.kernel.Kernels;
import dev.perch.machines.Machines;
import dev.perch.model.CpuMask;
import dev.perch.model.Machine;
import dev.perch.model.Topology;
import dev.perch.sim.workload.WorkloadExpression;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * How the cost of an event grows with the machine: ns of processor time per event on 8, 32 and 128 CPUs, each with the same load a CPU.
 *
 * <p>The machines are one family: dies of the Kunpeng 920 with its costs, one of 8 CPUs, one of 32, four of 32. No JMH benchmark, since it
 * must divide by the number of events of each run and compare within one process, alternating, so that other load of the machine
 * hits all sizes. Each number is the least of several runs. Run it in the project's root: {@code java -cp bench/target/benchmarks.jar
 * dev.perch.sim.ScalingBench [ROUNDS]}.
 */
public final class ScalingBench {
    private static final int[] SIZES = {8, 32, 128};
    private static final int LARGEST = SIZES[SIZES.length - 1];

    /** Workloads for 128 CPUs; a number after {@code @} is divided by how much smaller the machine is. */
    private static final List<String> WORKLOADS = List.of(
            "hackbench:groups=@64,loops=100,channel=pipe",
            "tcp-rr*@32",
            "tcp-rr*@64+hog*@32",
            "semaphore:threads=@256,tokens=@64",
            "oltp:threads=@128",
            "schbench:messages=@16,workers=8",
            "periodic*@128");

    private static final List<String> KERNELS = List.of("v3.8", "v6.12");

    private ScalingBench() {}

    public static void main(String[] arguments) {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 4;
        Path home = Path.of(System.getProperty("perch.home", "."));
        Machine whole = Machines.find("kunpeng-920", home);
        for (String kernel : KERNELS) {
            for (String workload : WORKLOADS) {
                double[] least = new double[SIZES.length];
                java.util.Arrays.fill(least, Double.MAX_VALUE);
                for (int round = 0; round < rounds; round++) {
                    for (int size = 0; size < SIZES.length; size++) {
                        SimulationSpec spec = spec(whole, kernel, workload, SIZES[size], home);
                        least[size] = Math.min(least[size], nsPerEvent(spec));
                    }
                }
                print(kernel, workload, least);
            }
        }
    }

    private static void print(String kernel, String workload, double[] ns) {
        System.out.printf(
                Locale.ROOT,
                "%-6s %-46s %6.1f %6.1f %6.1f ns/event, from 8 to 128 CPUs x %.2f%n",
                kernel,
                workload,
                ns[0],
                ns[1],
                ns[2],
                ns[2] / ns[0]);
    }

    /** The same number of CPU seconds is simulated on all sizes; workloads that end do so before. */
    private static SimulationSpec spec(Machine whole, String kernel, String workload, int cpus, Path home) {
        StringBuilder scaled = new StringBuilder();
        String[] parts = workload.split("@", -1);
        scaled.append(parts[0]);
        for (int part = 1; part < parts.length; part++) {
            String digits = parts[part].replaceFirst("[^0-9].*", "");
            scaled.append(Integer.parseInt(digits) * cpus / LARGEST).append(parts[part].substring(digits.length()));
        }
        long seconds = workload.startsWith("periodic") || workload.startsWith("schbench") ? 64 : 4;
        boolean ends = workload.startsWith("hackbench");
        return new SimulationSpec(
                part(whole, cpus),
                Kernels.resolve(kernel, home),
                WorkloadExpression.parse(scaled.toString()),
                Settings.DEFAULT,
                CpuMask.empty(),
                CpuMask.empty(),
                1,
                0,
                ends ? Long.MAX_VALUE >> 20 : seconds * 1_000_000_000 / cpus);
    }

    private static double nsPerEvent(SimulationSpec spec) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Run run = new Run(spec, Simulation.NO_LISTENER);
        long before = threads.getCurrentThreadCpuTime();
        run.begin();
        run.advance(spec.durationNs());
        return (double) (threads.getCurrentThreadCpuTime() - before) / run.queue.taken();
    }

    private static Machine part(Machine whole, int cpus) {
        int nodes = Math.max(1, cpus / 32);
        int[][] distances = new int[nodes][nodes];
        for (int from = 0; from < nodes; from++) {
            for (int to = 0; to < nodes; to++) {
                distances[from][to] = whole.topology().nodeDistance(from, to);
            }
        }
        Topology topology = new Topology(
                cpus, every(1, cpus), every(4, cpus), every(32, cpus), every(64, cpus), every(32, cpus), distances);
        return new Machine(
                whole.name(),
                whole.title(),
                whole.source(),
                topology,
                whole.caches(),
                whole.requireModel(),
                whole.origins());
    }

    private static List<CpuMask> every(int count, int cpus) {
        int size = Math.min(count, cpus);
        return IntStream.range(0, cpus / size)
                .mapToObj(set -> CpuMask.range(set * size, (set + 1) * size - 1))
                .toList();
    }
}
