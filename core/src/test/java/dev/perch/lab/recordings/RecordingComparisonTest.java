package dev.perch.lab.recordings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.perch.audit.Audit;
import dev.perch.audit.AuditOptions;
import dev.perch.audit.AuditResult;
import dev.perch.audit.Verdict;
import dev.perch.kernel.Kernels;
import dev.perch.lab.recordings.RecordingComparison.Line;
import dev.perch.lab.results.Contrast;
import dev.perch.machines.Machines;
import dev.perch.model.CpuMask;
import dev.perch.model.Machine;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import dev.perch.sim.Settings;
import dev.perch.sim.Simulation;
import dev.perch.sim.SimulationSpec;
import dev.perch.sim.workload.WorkloadExpression;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class RecordingComparisonTest {
    private static final Path HOME = Path.of(System.getProperty("perch.home"));
    private static final Machine MACHINE = Machines.find("e5620", HOME);
    private static final int PRIO = 120;

    /** A profile and what the audit itself counted. */
    private record Recorded(RecordingBlocks blocks, AuditResult result) {}

    /** Task 10 on CPU 0 wakes task 20 on CPU 1 at random times, so many a second on average; it runs after a random delay. */
    private static Recorded randomWakeups(long seed, double perSecond, double meanDelayNs, double seconds) {
        SplittableRandom random = new SplittableRandom(seed);
        TaskNames names = new TaskNames();
        Audit audit = new Audit(AuditOptions.of(MACHINE.topology()), names);
        RecordingProfile profile = new RecordingProfile();
        audit.addConsumer(profile);
        SchedEvents events = audit.events();
        long ns = 7_000_000_000L;
        long end = ns + (long) (seconds * 1e9);
        events.switched(ns, 0, 0, PRIO, TaskState.RUNNABLE, 10, PRIO);
        events.switched(ns, 1, 20, PRIO, TaskState.SLEEPING, 0, PRIO);
        while (true) {
            ns += 20_000 + (long) (random.nextExponential() * (1e9 / perSecond - 20_000));
            if (ns >= end) {
                break;
            }
            long delay = 1000 + (long) (random.nextDouble() * 2 * (meanDelayNs - 1000));
            events.waking(ns, 0, 10, SchedEvents.IN_TASK, 20, PRIO, 1);
            events.wakeup(ns + 100, 0, 10, SchedEvents.IN_TASK, 20, PRIO, 1);
            events.switched(ns + delay, 1, 0, PRIO, TaskState.RUNNABLE, 20, PRIO);
            events.switched(ns + delay + 2000, 1, 20, PRIO, TaskState.SLEEPING, 0, PRIO);
        }
        events.switched(end, 0, 10, PRIO, TaskState.RUNNABLE, 0, PRIO);
        AuditResult result = audit.finish();
        return new Recorded(profile.finish("seed " + seed, result), result);
    }

    private static Line line(RecordingComparison comparison, String metric) {
        return comparison.whole().stream()
                .filter(each -> each.metric().name().equals(metric))
                .findFirst()
                .orElseThrow();
    }

    private static RecordingComparison compare(Recorded first, Recorded second) {
        return new RecordingComparison(first.blocks(), second.blocks(), 0.95, 1);
    }

    @Test
    void findsTheDifferenceThatThereIs() {
        RecordingComparison comparison = compare(randomWakeups(1, 2000, 6000, 2), randomWakeups(2, 2400, 9000, 2));
        Line wakeups = line(comparison, "wakeups");
        assertThat(wakeups.interval().orElseThrow().contains(1.2)).isTrue();
        assertThat(wakeups.interval().orElseThrow().halfWidth()).isBetween(0.02, 0.10);
        assertThat(wakeups.verdict()).isEqualTo(Contrast.Verdict.MORE);
        // uniform from 1 to 11 µs, and to 17: medians of 6 and 9 µs
        Line latency = line(comparison, "latency p50");
        assertThat(latency.first()).isCloseTo(6, within(0.3));
        assertThat(latency.second()).isCloseTo(9, within(0.4));
        assertThat(latency.interval().orElseThrow().contains(1.5)).isTrue();
        assertThat(latency.verdict()).isEqualTo(Contrast.Verdict.WORSE);
        assertThat(comparison.pairs()).hasSize(2);
        assertThat(comparison.pairs().getLast().verdict()).isEqualTo(Contrast.Verdict.WORSE);
    }

    /** Of equal recordings about one in twenty lines shows a difference by chance; of 40 pairs of recordings, two, and hardly ever six. */
    @Test
    void hardlyEverFindsADifferenceThatThereIsNot() {
        int shown = 0;
        for (int pair = 0; pair < 40; pair++) {
            Recorded first = randomWakeups(100 + pair, 2000, 6000, 0.5);
            Recorded second = randomWakeups(200 + pair, 2000, 6000, 0.5);
            Line line = line(compare(first, second), "wakeups");
            shown += line.verdict() == Contrast.Verdict.NOT_SHOWN ? 0 : 1;
        }
        assertThat(shown).isLessThan(6);
    }

    @Test
    void countsWhatTheAuditCounts() {
        Recorded recorded = randomWakeups(3, 5000, 6000, 1);
        RecordingBlocks blocks = recorded.blocks();
        AuditResult result = recorded.result();
        assertThat(blocks.wakeupCount()).isEqualTo(result.wakeups().count()).isGreaterThan(4000);
        assertThat(blocks.duration()).isCloseTo(1, within(1e-6));
        assertThat(blocks.blockCount()).isBetween(TimeBlocks.LEAST, TimeBlocks.MOST);
        for (Verdict verdict : Verdict.all()) {
            assertThat(RecordingBlocks.sum(blocks.byVerdict()[verdict.ordinal()], blocks.all()))
                    .isEqualTo((double) result.wakeups().of(verdict));
        }
        Histogram latencies = result.wakeups().latencies();
        for (double percentile : new double[] {1, 50, 90, 99, 100}) {
            double expected = latencies.getValueAtPercentile(percentile);
            assertThat(blocks.latencies().percentileNs(percentile, blocks.all()))
                    .isCloseTo(expected, within(expected / 1000 + 1));
        }
    }

    @Test
    void givesNoIntervalForAMoment() {
        RecordingComparison comparison =
                compare(randomWakeups(4, 20_000, 6000, 0.004), randomWakeups(5, 20_000, 6000, 0.004));
        assertThat(line(comparison, "wakeups").interval()).isEmpty();
        assertThat(line(comparison, "wakeups").verdict()).isEqualTo(Contrast.Verdict.UNKNOWN);
        assertThat(RecordingTable.lines(comparison))
                .contains("no interval: fewer than 8 blocks of time, or too rare to be in every draw");
    }

    private static Recorded simulated(String kernel) {
        Settings settings = new Settings(
                Settings.Governor.ONDEMAND, true, true, Settings.IdleRoutine.MWAIT, Integer.MAX_VALUE, 250, 0, 20);
        SimulationSpec spec = new SimulationSpec(
                MACHINE,
                Kernels.resolve(kernel, HOME),
                WorkloadExpression.parse("tcp-rr*3"),
                settings,
                CpuMask.empty(),
                CpuMask.empty(),
                1,
                0,
                200_000_000);
        TaskNames names = new TaskNames();
        Audit audit = new Audit(
                AuditOptions.of(MACHINE.topology()).withModel(MACHINE.model()).withMachineName("e5620"), names);
        RecordingProfile profile = new RecordingProfile();
        audit.addConsumer(profile);
        Simulation.run(spec, audit.events(), names);
        AuditResult result = audit.finish();
        return new Recorded(profile.finish(kernel, result), result);
    }

    /** v3.2-rc1 searches whole cores; v3.3 walks over the CPUs of the LLC: their wakees are not placed alike. */
    @Test
    void comparesSimulatedKernelsPairByPair() {
        RecordingComparison comparison = compare(simulated("v3.2-rc1"), simulated("v3.3"));
        assertThat(comparison.pairs()).extracting(Line::subject).contains("netperf → netserver", "netserver → netperf");
        assertThat(comparison.pairsOnlyIn(true)).isEmpty();
        double shares = comparison.whole().stream()
                .filter(line -> line.metric().name().startsWith("share "))
                .mapToDouble(Line::second)
                .sum();
        assertThat(shares).isCloseTo(1, within(1e-9));
        assertThat(comparison.whole())
                .allSatisfy(line -> assertThat(line.interval())
                        .hasValueSatisfying(interval ->
                                assertThat(interval.contains(line.value())).isTrue()));
        RecordingComparison same = compare(simulated("v3.3"), simulated("v3.3"));
        assertThat(same.whole()).allSatisfy(line -> assertThat(line.verdict()).isIn(Contrast.Verdict.EQUAL));
    }
}
