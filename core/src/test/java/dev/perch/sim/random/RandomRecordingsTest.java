package dev.perch.sim.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.audit.Audit;
import dev.perch.audit.AuditOptions;
import dev.perch.audit.MissingInput;
import dev.perch.audit.Verify;
import dev.perch.kernel.KernelVersion;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.sim.Simulation;
import dev.perch.sim.SimulationResult;
import dev.perch.sim.SimulationSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Random runs as recordings and as results: the audit reads all of them, and nothing beside a run changes it. */
class RandomRecordingsTest {
    private static final int RUNS = 40;
    private static final int VERIFIED = 15;

    /** Workloads all of whose wakeups by tasks give the sync hint. */
    private static final Set<String> SYNC =
            Set.of("tcp-rr", "pipe", "tbench", "hackbench", "messaging", "hog", "periodic");

    private static List<CpuMask> partitions(SimulationSpec spec) {
        return spec.cpuset().isEmpty() ? List.of() : List.of(spec.cpuset());
    }

    private static Verify.Result verified(SimulationSpec spec) {
        AuditOptions options = AuditOptions.of(spec.machine().topology())
                .withModel(spec.machine().model())
                .withMachineName(spec.machine().name())
                .withAffinity(Simulation.affinities(spec));
        Audit audit = new Audit(options, new TaskNames());
        Verify verify = new Verify(audit, spec.kernel(), spec.machine().topology(), partitions(spec), true);
        run(spec, audit.events());
        return verify.finish();
    }

    private static long run(SimulationSpec spec, SchedEvents listener) {
        try {
            SimulationResult result = Simulation.runChecked(spec, listener, new TaskNames());
            return result.digest();
        } catch (InputException unfinished) {
            return 0;
        }
    }

    /**
     * All that the rules of a kernel read is in the stream: until 3.7 they read no averages, the sync hint is given by these workloads whenever a
     * task wakes another, and no task changes affinity or weight.
     */
    private static boolean allInputsAreInTheStream(SimulationSpec spec) {
        return spec.kernel().version().compareTo(KernelVersion.parse("v3.8")) < 0
                && spec.workload().stream().allMatch(item -> SYNC.contains(item.name()))
                && spec.workload().stream().noneMatch(item -> item.options().containsValue("threads"));
    }

    @Test
    void theRulesAgreeWithEveryDecisionWhoseInputsAreInTheStream() {
        List<String> disagreements = new ArrayList<>();
        long decisions = 0;
        int runs = 0;
        for (long seed = 1; runs < VERIFIED; seed++) {
            SimulationSpec spec = RandomRun.of(seed);
            if (allInputsAreInTheStream(spec)) {
                runs++;
                Verify.Result result = verified(spec);
                decisions += result.decisions();
                // of the last wakeups the stream does not tell the choice any more
                boolean allTold = Set.of(MissingInput.CHOSEN_CPU)
                        .containsAll(result.byInput().keySet());
                if (result.disagree() > 0 || !allTold) {
                    disagreements.add(RandomRun.describe(seed) + ": " + result.agree() + " of " + result.decisions()
                            + " agree; " + result.byInput() + " " + result.first());
                }
            }
        }
        assertThat(disagreements).isEmpty();
        assertThat(decisions).isGreaterThan(1_000);
    }

    @Test
    void resultsDoNotDependOnWhatRunsBeside() {
        List<Long> alone = LongStream.rangeClosed(1, RUNS)
                .mapToObj(seed -> run(RandomRun.of(seed), Simulation.NO_LISTENER))
                .toList();
        List<Long> together = LongStream.rangeClosed(1, RUNS)
                .parallel()
                .mapToObj(seed -> run(RandomRun.of(seed), Simulation.NO_LISTENER))
                .toList();

        assertThat(together).isEqualTo(alone);
    }
}
