package dev.perch.bench;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.Kernels;
import dev.perch.kernel.domain.DomainRules;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.kernel.placement.CpuView;
import dev.perch.kernel.placement.Placement;
import dev.perch.kernel.placement.PlacementRules;
import dev.perch.kernel.placement.WakeRequest;
import dev.perch.model.CpuMask;
import dev.perch.model.Topology;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
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
 * One wakeup in a last-level cache none of whose CPUs is idle, with nothing that limits the search: all CPUs are looked at.
 *
 * <p>Run it in the project's root, or give the JVM {@code -Dperch.home=ROOT}: it needs the kernel files.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class IdleSearchBench {
    @Param({"v3.9", "v4.9", "v5.6", "v5.16-rc1", "v6.1.0", "v6.12"})
    private String kernel;

    /** CPUs of the cache, two to a core. */
    @Param({"8", "16", "32", "64", "128"})
    private int cpus;

    /** Whether the cache is marked as having an idle core, so that a search for it is made, in vain. */
    @Param({"false", "true"})
    private boolean marked;

    private final WakeRequest request = new WakeRequest();
    private PlacementRules rules;
    private CpuView view;

    @Setup
    public void prepare() {
        Kernel resolved = Kernels.resolve(kernel, Path.of(System.getProperty("perch.home", ".")));
        Topology topology = topology(cpus);
        SchedDomains domains = SchedDomains.build(
                topology,
                List.of(topology.cpus()),
                DomainRules.named(resolved.rules().schedDomains()));
        rules = Placement.rules(resolved, topology, domains);
        view = Placement.view(resolved, domains);
        Arrays.fill(view.currentIdle, false);
        Arrays.fill(view.nrRunning, 1);
        Arrays.fill(view.avgIdle, 1_000_000);
        Arrays.fill(view.wakeAvgIdle, 1_000_000);
        Arrays.fill(view.nrIdleScan, cpus);
        request.allow(topology.cpus());
    }

    private static Topology topology(int cpus) {
        List<CpuMask> cores = IntStream.range(0, cpus / 2)
                .mapToObj(core -> CpuMask.of(core, core + cpus / 2))
                .toList();
        List<CpuMask> all = List.of(CpuMask.range(0, cpus - 1));
        return new Topology(cpus, cores, null, all, all, all, new int[][] {{10}});
    }

    @Benchmark
    public int search() {
        view.hasIdleCores[0] = marked;
        request.prevCpu = 1;
        request.recentCpu = 2;
        return rules.selectIdleSibling(request, 0, view);
    }
}
