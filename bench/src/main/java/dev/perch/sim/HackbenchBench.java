package dev.perch.sim;

import dev.perch.kernel.Kernels;
import dev.perch.machines.Machines;
import dev.perch.model.CpuMask;
import dev.perch.sim.workload.WorkloadExpression;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Hackbench with 64 groups, 2560 tasks, on the 128 CPUs of the Kunpeng 920, in a heap of 512 MB. The auxiliary counter is events taken from
 * the queue per wall second.
 *
 * <p>Run it in the project's root, or give the JVM {@code -Dperch.home=ROOT}: it needs the machine and kernel files.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx512m")
@Warmup(iterations = 2, time = 5)
@Measurement(iterations = 3, time = 5)
public class HackbenchBench {
    @Param({"pipe", "socket"})
    private String channel;

    private SimulationSpec spec;

    @Setup
    public void read() {
        Path home = Path.of(System.getProperty("perch.home", "."));
        spec = new SimulationSpec(
                Machines.find("kunpeng-920", home),
                Kernels.resolve("v3.8", home),
                WorkloadExpression.parse("hackbench:groups=64,loops=100,channel=" + channel),
                Settings.DEFAULT,
                CpuMask.empty(),
                CpuMask.empty(),
                1,
                0,
                10_000_000_000L);
    }

    /** What the benchmark did, per second. */
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    @State(Scope.Thread)
    public static class Counts {
        public long events;
    }

    @Benchmark
    public long simulate(Counts counts) {
        SimulationResult result = Simulation.run(spec);
        counts.events += result.events();
        return result.digest();
    }
}
