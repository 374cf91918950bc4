package dev.perch.host.calibrate;

import dev.perch.host.HostBoot;
import dev.perch.host.RunningKernel;
import dev.perch.host.bench.StoppedException;
import dev.perch.lab.Simulator;
import dev.perch.model.CpuMask;
import dev.perch.model.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Makes a machine of the host, and checks one against it.
 *
 * @see HostSurvey what is measured
 * @see HostFit what is found by simulation
 */
public final class HostCalibration {
    private static final long RANDOM_SEED = 1;
    private static final int FIT_REPEATS = 2;
    private static final long WARMUP_NS = 50_000_000;
    private static final long FIT_NS = 150_000_000;
    private static final int CHECK_REPEATS = 5;
    private static final long CHECK_NS = 500_000_000;

    private final Simulator simulator;
    private final RunningKernel kernel;
    private final HostBoot boot;
    private final Consumer<String> progress;
    private volatile boolean stopped;

    /**
     * What came out.
     *
     * @param nearest the machine from which was filled what the host does not show
     * @param machine to simulate the host with
     * @param fitted the rows that were to be hit
     */
    public record Outcome(HostReadings readings, Machine nearest, Machine machine, List<Fitted> fitted) {
        public Outcome {
            fitted = List.copyOf(fitted);
        }
    }

    /**
     * A number that was found by simulation.
     *
     * @param what it is
     * @param value with its unit
     * @param row the pair of tasks that it was found with
     * @param simulated µs an operation takes in the end
     * @param hit whether that is the measured time, within 2 %
     */
    public record Fitted(String what, String value, HostReadings.PinnedRow row, double simulated, boolean hit) {}

    /**
     * @param kernel whose rules the host's kernel has
     * @param progress told in words what is done next
     */
    public HostCalibration(Simulator simulator, RunningKernel kernel, HostBoot boot, Consumer<String> progress) {
        this.simulator = simulator;
        this.kernel = kernel;
        this.boot = boot;
        this.progress = progress;
    }

    /** Asks for an early end, from any thread: what runs ends with {@link StoppedException}. */
    public void stop() {
        stopped = true;
    }

    /**
     * Measures the host.
     *
     * @param host its topology
     * @param cpus where this process may run
     */
    public HostReadings measure(Machine host, CpuMask cpus) throws InterruptedException {
        return new HostSurvey(host, cpus, () -> stopped, progress).measure();
    }

    /**
     * Makes a machine of what was measured.
     *
     * @param nearest fills what was not
     */
    public Outcome machine(HostReadings readings, Machine nearest) {
        Machine measured = MeasuredMachine.of(readings, nearest);
        SimulatedPairs pairs = pairs(CpuMask.empty(), FIT_REPEATS, FIT_NS);
        HostFit fit = new HostFit(readings, pairs, () -> stopped, done -> progress.accept("simulation " + done));
        HostFit.Result result = fit.find(measured);
        List<Fitted> fitted = new ArrayList<>();
        for (HostFit.FittedRow row : result.rows()) {
            fitted.add(new Fitted(
                    row.number().title(), row.number().text(row.value()), row.row(), row.simulated(), row.isHit()));
        }
        return new Outcome(readings, nearest, result.machine(), fitted);
    }

    /** Lays simulations of the machine beside measurements of the host. */
    public List<HostCheck.Row> check(HostCheck.Plan plan) throws InterruptedException {
        CpuMask all = plan.machine().topology().cpus();
        CpuMask taskset =
                plan.cpus().containsAll(all) ? CpuMask.empty() : plan.cpus().and(all);
        return new HostCheck(plan, pairs(taskset, CHECK_REPEATS, CHECK_NS), () -> stopped, progress).run();
    }

    private SimulatedPairs pairs(CpuMask taskset, int repeats, long durationNs) {
        return new SimulatedPairs(
                kernel.kernel(), boot.settings(), taskset, simulator, RANDOM_SEED, repeats, WARMUP_NS, durationNs);
    }
}
