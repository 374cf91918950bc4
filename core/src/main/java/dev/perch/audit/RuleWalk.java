package dev.perch.audit;

import dev.perch.kernel.placement.StepRecorder;
import java.util.List;

/** What an era's rules made of one wakeup: their choice with and without the sync hint, and the steps to it. */
final class RuleWalk {
    static final int NOTHING = -2;

    /** Choices at the earliest moment at which the kernel may have chosen. */
    int choiceSync;

    int choiceNotSync;
    /** Choices at the latest such moment: just before the choice showed. */
    int lateSync;

    int lateNotSync;
    /** State of the CPUs at the earliest moment, to see whether it has changed. */
    long version;
    /** The first input that the recording lacks for this decision, whatever the choice. */
    MissingInput missing = MissingInput.NONE;
    /** Whether some CPU that the rules looked at had a wakeup under way whose place, queue or wake list, is not recorded. */
    boolean wakeListInDoubt;

    boolean asked;
    /** What led to the choice; see {@link EraRules} for which of the two. */
    final StepRecorder steps = new StepRecorder();

    void start() {
        asked = false;
        steps.clear();
        missing = MissingInput.NONE;
        wakeListInDoubt = false;
        choiceSync = NOTHING;
        choiceNotSync = NOTHING;
        lateSync = NOTHING;
        lateNotSync = NOTHING;
    }

    /** Whether the rules choose {@code cpu} at one of the two moments, given the sync hint or not. */
    boolean chooses(int cpu, boolean sync) {
        return sync ? choiceSync == cpu || lateSync == cpu : choiceNotSync == cpu || lateNotSync == cpu;
    }

    /** Whether the rules choose otherwise at the end than at the beginning of the time in which the kernel chose. */
    boolean dependsOnMoment() {
        return choiceSync != lateSync || choiceNotSync != lateNotSync;
    }

    /** One line a step. */
    List<String> lines() {
        return steps.lines();
    }
}
