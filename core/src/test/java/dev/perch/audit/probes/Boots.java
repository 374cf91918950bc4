package dev.perch.audit.probes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.perch.audit.probes.ProbeResult.Tally;
import dev.perch.kernel.Kernel;
import dev.perch.kernel.Kernels;
import dev.perch.machines.Machines;
import dev.perch.model.Machine;
import dev.perch.model.TaskNames;
import dev.perch.trace.ProbeRecordings;
import java.nio.file.Path;
import java.util.List;

/** The seven boots whose kernels printed every decision, and how their rules are asked and judged. */
final class Boots {
    static final String FEATURES_OFF = "v6.1.192,NO_SIS_UTIL,NO_WA_IDLE,NO_WA_WEIGHT,NO_TTWU_QUEUE";

    private static final Path HOME = Path.of(System.getProperty("perch.home", "."));

    private Boots() {}

    /** Asks the rules of {@code kernel} about every decision of {@code files}. */
    static ProbeResult check(String kernel, Path machine, List<Path> files) {
        Kernel resolved = Kernels.resolve(kernel, HOME);
        Machine recorded = Machines.find(machine.toString(), HOME);
        TaskNames names = new TaskNames();
        ProbeCheck check =
                new ProbeCheck(resolved, recorded, List.of(recorded.topology().cpus()), names);
        for (Path file : files) {
            check.begin(file.toString());
            ProbeRecordings.read(file, names, check);
        }
        return check.result();
    }

    /**
     * What must hold of rules that are the kernel's: 99.9 % of the decisions agree once races are taken out, and no choice by load contradicts
     * them.
     */
    static void assertTheKernelsOwn(String boot, ProbeResult result) {
        for (Question question : List.of(Question.WAKE_WIDE, Question.WANT_AFFINE, Question.IDLE_SEARCH)) {
            Tally tally = result.tally(question);
            assertThat(tally.agree() * 1000)
                    .as(boot + " " + question.key() + " " + tally + " " + result.first())
                    .isGreaterThanOrEqualTo((tally.decisions() - tally.race()) * 999);
        }
        Tally affine = result.tally(Question.WAKE_AFFINE);
        assertThat(affine.disagree() * 1000)
                .as(boot + " wake_affine " + affine + " " + result.first())
                .isLessThanOrEqualTo(affine.decisions());
    }
}
