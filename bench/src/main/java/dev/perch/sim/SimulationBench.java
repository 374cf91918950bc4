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
 * One simulated second. The auxiliary counters are per wall second: events taken from the queue, modelled wakeups, simulated
 * seconds.
 *
 * <p>Run it in the project's root, or give the JVM {@code -Dperch.home=ROOT}: it needs the machine and kernel files.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class SimulationBench {
    @Param({"tcp-rr", "tcp-rr*3", "tcp-rr+hog*2"})
    private String workload;

    @Param({"v3.2-rc1,NO_TTWU_QUEUE", "v3.2-rc1+mikie,NO_TTWU_QUEUE"})
    private String kernel;

    private SimulationSpec spec;

    @Setup
    public void read() {
        Path home = Path.of(System.getProperty("perch.home", "."));
        spec = new SimulationSpec(
                Machines.find("e5620", home),
                Kernels.resolve(kernel, home),
                WorkloadExpression.parse(workload),
                Settings.DEFAULT,
                CpuMask.parse("1-3,5-7"),
                CpuMask.empty(),
                1,
                0,
                1_000_000_000L);
    }

    /** What the benchmark did, per second. */
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    @State(Scope.Thread)
    public static class Counts {
        public long events;
        public long wakeups;
        public long simulatedSeconds;
    }

    @Benchmark
    public long simulate(Counts counts) {
        SimulationResult result = Simulation.run(spec);
        counts.events += result.events();
        counts.wakeups += result.wakeups();
        counts.simulatedSeconds++;
        return result.digest();
    }
}
