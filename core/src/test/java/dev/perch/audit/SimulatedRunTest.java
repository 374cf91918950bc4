package dev.perch.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.Kernels;
import dev.perch.machines.Machines;
import dev.perch.model.CpuMask;
import dev.perch.model.Distance;
import dev.perch.model.Machine;
import dev.perch.model.TaskNames;
import dev.perch.sim.Settings;
import dev.perch.sim.Simulation;
import dev.perch.sim.SimulationResult;
import dev.perch.sim.SimulationSpec;
import dev.perch.sim.workload.WorkloadExpression;
import dev.perch.trace.FtraceText;
import dev.perch.trace.Recording;
import dev.perch.trace.Recordings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Simulated runs are recordings: their placements are known exactly, and the rules that made them agree with every one. */
class SimulatedRunTest {
    private static final Path HOME = Path.of(System.getProperty("perch.home"));
    /** No housekeeping: then the simulator's own counters are of all tasks. */
    private static final Settings SETTINGS = new Settings(
            Settings.Governor.ONDEMAND, true, true, Settings.IdleRoutine.MWAIT, Integer.MAX_VALUE, 250, 0, 20);

    private static SimulationSpec spec(String machine, String kernel, String workload, CpuMask cpuset) {
        return new SimulationSpec(
                Machines.find(machine, HOME),
                Kernels.resolve(kernel, HOME),
                WorkloadExpression.parse(workload),
                SETTINGS,
                cpuset,
                CpuMask.empty(),
                1,
                0,
                200_000_000);
    }

    private static AuditOptions options(Machine machine) {
        return AuditOptions.of(machine.topology()).withModel(machine.model()).withMachineName(machine.name());
    }

    @ParameterizedTest
    @CsvSource({
        "e5620, v2.6.39, tcp-rr*3",
        "e5620, v3.2-rc1, tcp-rr*3",
        "e5620, v3.2-rc1, tcp-rr+hog*2",
        "e5620, v3.2-rc1+mikie, tcp-rr*3",
        "e5620, v3.2-rc1+mikie2, tcp-rr*3",
        "e5620, v3.2-rc1+mikie2, tcp-rr+hog*6",
        "e5620, 'v3.2-rc1+mikie2,SIBLING_LIMIT_SYNC', tcp-rr*3",
        "e5620, v3.2-rc1+suresh, tcp-rr*3",
        "e5620, v3.2, tcp-rr*3",
        "e5620, v3.3, tcp-rr*3",
        "e5620, v3.6-rc1, tcp-rr*3",
        "e5620, v3.7, tcp-rr*3",
        "e5620, v3.9, tcp-rr*3",
        "q6600, v3.9, tcp-rr+hog*3",
        "nehalem-ex-8s, v3.3, tcp-rr*8",
        "e5620, 'v3.2-rc1,NO_TTWU_QUEUE', tcp-rr*3",
    })
    void everyDecisionAgreesWithTheRulesThatMadeIt(String machine, String kernel, String workload) {
        SimulationSpec spec = spec(machine, kernel, workload, CpuMask.empty());
        Kernel resolved = spec.kernel();
        Audit audit = new Audit(options(spec.machine()), new TaskNames());
        Verify verify = new Verify(audit, resolved, spec.machine().topology(), List.of(), true);
        SimulationResult run = Simulation.run(spec, audit.events(), new TaskNames());
        Verify.Result result = verify.finish();
        everyDecisionAgrees(result, run, spec);
    }

    /** A wakeup that is under way when the run ends has been decided, but the record that tells is missing: at most one a CPU. */
    private static void everyDecisionAgrees(Verify.Result result, SimulationResult run, SimulationSpec spec) {
        assertThat(result.first()).isEmpty();
        assertThat(result.byInput().keySet()).isSubsetOf(MissingInput.CHOSEN_CPU);
        long cutOff = result.byInput().getOrDefault(MissingInput.CHOSEN_CPU, 0L);
        assertThat(cutOff).isLessThanOrEqualTo(spec.machine().topology().cpuCount());
        assertThat(result.decisions()).isEqualTo(result.agree() + cutOff).isEqualTo(run.wakeups());
        assertThat(result.agree()).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"e5620, v3.2-rc1+mikie, tcp-rr*3", "q6600, v3.9, tcp-rr+hog*3"})
    void totalsEqualTheSimulatorsOwnCounters(String machine, String kernel, String workload) {
        SimulationSpec spec = spec(machine, kernel, workload, CpuMask.empty());
        Audit audit = new Audit(options(spec.machine()), new TaskNames());
        SimulationResult run = Simulation.run(spec, audit.events(), new TaskNames());
        AuditResult result = audit.finish();
        WakeupTotals wakeups = result.wakeups();
        assertThat(wakeups.placed()).isEqualTo(run.wakeups());
        assertThat(wakeups.of(Certainty.DERIVED))
                .as("all but the last few are exact")
                .isLessThan(8);
        for (Distance distance : Distance.all()) {
            assertThat(wakeups.fromWaker(distance))
                    .as("waker to chosen, " + distance)
                    .isEqualTo(run.wakeupsByDistance()[distance.ordinal()]);
            assertThat(result.system().migrations(distance))
                    .as("migrations, " + distance)
                    .isEqualTo(run.migrationsByDistance()[distance.ordinal()]);
        }
        long moved = 0;
        for (Distance distance : Distance.all()) {
            moved += distance == Distance.CPU ? 0 : wakeups.fromPrev(distance);
        }
        assertThat(moved).isEqualTo(run.bounced());
    }

    @ParameterizedTest
    @CsvSource({"e5620, v3.2-rc1+mikie2, tcp-rr+hog*2", "e5620, v3.9, tcp-rr*3"})
    void aRunWrittenAsARecordingIsTheSameToTheAudit(
            String machine, String kernel, String workload, @TempDir Path folder) throws IOException {
        SimulationSpec spec = spec(machine, kernel, workload, CpuMask.empty());
        Path file = folder.resolve("run.txt");
        TaskNames names = new TaskNames();
        SimulationResult run;
        try (FtraceText text = new FtraceText(Files.newOutputStream(file), names, "test")) {
            run = Simulation.run(spec, text, names);
        }
        TaskNames read = new TaskNames();
        Audit audit = new Audit(options(spec.machine()), read);
        Verify verify = new Verify(audit, spec.kernel(), spec.machine().topology(), List.of(), true);
        WakeupTotals totals = new WakeupTotals(spec.machine().topology());
        audit.addConsumer(totals);
        try (Recording recording = Recordings.open(file)) {
            assertThat(recording.read(audit.events(), read).simulated()).isTrue();
        }
        Verify.Result result = verify.finish();
        everyDecisionAgrees(result, run, spec);
        assertThat(totals.of(Certainty.DERIVED)).isLessThan(8);
    }

    @Test
    void otherRulesDisagree() {
        SimulationSpec spec = spec("e5620", "v3.2-rc1+mikie", "tcp-rr*3", CpuMask.empty());
        Audit audit = new Audit(options(spec.machine()), new TaskNames());
        Verify verify =
                new Verify(audit, Kernels.resolve("v3.9", HOME), spec.machine().topology(), List.of(), true);
        Simulation.run(spec, audit.events(), new TaskNames());
        Verify.Result result = verify.finish();
        assertThat(result.disagree()).isPositive();
        assertThat(result.agree() + result.disagree() + result.unknown()).isEqualTo(result.decisions());
        assertThat(result.first())
                .isNotEmpty()
                .allSatisfy(one -> assertThat(one.steps()).isNotEmpty());
    }

    @Test
    void withoutTheSyncHintTheDecisionsThatDependOnItAreNotTold() {
        SimulationSpec spec = spec("e5620", "v3.2-rc1+mikie", "tcp-rr*3", CpuMask.empty());
        Audit audit = new Audit(options(spec.machine()), new TaskNames());
        Verify verify = new Verify(audit, spec.kernel(), spec.machine().topology(), List.of(), false);
        Simulation.run(spec, audit.events(), new TaskNames());
        Verify.Result result = verify.finish();
        assertThat(result.disagree()).isZero();
        assertThat(result.byInput().keySet()).isSubsetOf(MissingInput.SYNC);
    }
}
