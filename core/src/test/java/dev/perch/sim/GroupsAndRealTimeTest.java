package dev.perch.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.perch.model.CpuMask;
import dev.perch.sim.workload.WorkloadExpression;
import dev.perch.workloads.WorkloadFiles;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs with limited groups and real-time tasks on all CPUs: the hot path allocates nothing, equal runs are equal. */
class GroupsAndRealTimeTest {
    private static final String FILE = """
            title: groups and priorities
            groups:
              a: {quota: 30 ms, period: 20 ms}
              a/b: {weight: 300}
              c: {quota: 15 ms, period: 10 ms}
            tasks:
              plain: {copies: 6, group: a/b, phases: [{compute: 300 us}, {sleep: 50 us}, count]}
              heavy: {copies: 4, group: a, nice: 5, phases: [{compute: {from: 100 us, to: 3 ms}}, {sleep: {mean: 2 ms}}]}
              mover: {copies: 2, group: c, phases: [{compute: 500 us}, {enter: a}, {compute: 500 us}, {enter: c}]}
              one: {copies: 2, policy: fifo, priority: 5, phases: [{compute: 1 ms}, {sleep: 2 ms}]}
              two: {copies: 6, policy: fifo, priority: 9, phases: [{compute: 200 us}, {sleep: {mean: 1 ms}}]}
              turns: {copies: 4, policy: rr, priority: 3, phases: [{compute: 500 us}, {sleep: {mean: 2 ms}}]}
            """;

    private static SimulationSpec spec(String kernel) {
        SimulationSpec spec = Specs.spec("e5620", kernel, "hog:group=c*2", Settings.DEFAULT, "");
        return new SimulationSpec(
                spec.machine(),
                spec.kernel(),
                WorkloadExpression.parse("./x.yaml+hog:group=c*2").stream()
                        .map(item -> item.isFile() ? item.describedBy(WorkloadFiles.parse("x.yaml", FILE)) : item)
                        .toList(),
                spec.settings(),
                CpuMask.empty(),
                CpuMask.empty(),
                1,
                0,
                1_000_000_000);
    }

    /** Scheduler.md 6.7: without utilisation clamps a runnable real-time task means all there is; a light fair task does not. */
    @ParameterizedTest
    @CsvSource({"fifo, v5.16, true", "other, v5.16, false", "fifo, v6.12, true", "other, v6.12, false"})
    void schedutilGivesARealTimeTaskAllThereIs(String policy, String kernel, boolean all) {
        Settings settings = Settings.DEFAULT;
        for (String setting : new String[] {"governor=schedutil", "turbo=off", "housekeeping=0", "noise=0"}) {
            settings = SettingsText.with(settings, setting);
        }
        String text = "title: a light task\ntasks:\n  t: {cpus: 2, policy: " + policy
                + ", phases: [{compute: 200 us}, {sleep: 20 ms}, count]}\n";
        SimulationSpec spec = Specs.spec("e5620", kernel, "./x.yaml", settings, "");
        SimulationSpec light = new SimulationSpec(
                spec.machine(),
                spec.kernel(),
                spec.workload().stream()
                        .map(item -> item.describedBy(WorkloadFiles.parse("x.yaml", text)))
                        .toList(),
                settings,
                CpuMask.empty(),
                CpuMask.empty(),
                1,
                0,
                1_000_000_000);
        Run run = new Run(light, Simulation.NO_LISTENER);
        run.begin();
        run.advance(500_000_000);
        // at its lowest clock the e5620 has 1596 of 2394 MHz; the request stays after the task has gone to sleep
        assertThat(run.clocks.effectiveKhz(2)).isEqualTo(all ? 2_394_000 : 1_596_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v3.2", "v3.9", "v4.9", "v5.4", "v5.16", "v6.1", "v6.6", "v6.12", "v6.18"})
    void nothingIsAllocatedAfterWarmUpAndEqualRunsAreEqual(String kernel) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        SimulationSpec spec = spec(kernel);
        Run run = new Run(spec, Simulation.NO_LISTENER);
        run.begin();
        run.advance(500_000_000);
        long before = threads.getCurrentThreadAllocatedBytes();
        long events = run.queue.taken();
        run.advance(1_000_000_000);

        // what the compiler's deoptimisations and the measurement itself take does not grow with the events
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(20_000);
        assertThat(run.queue.taken() - events).isGreaterThan(20_000);
        assertThat(run.limits.throttledNs(1)).isPositive();
        Run again = new Run(spec, Simulation.NO_LISTENER);
        again.begin();
        again.advance(1_000_000_000);
        assertThat(again.digest.value()).isEqualTo(run.digest.value());
    }
}
