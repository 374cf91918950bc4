package dev.perch.audit;

import dev.perch.kernel.placement.PlacementListener;
import dev.perch.kernel.placement.PlacementStep;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What an era's rules made of one wakeup: their choice with and without the sync hint, and the steps to it. */
final class RuleWalk implements PlacementListener {
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
    int stepCount;
    private PlacementStep[] steps = new PlacementStep[32];
    private int[] stepCpu = new int[32];
    private boolean[] stepTaken = new boolean[32];

    void start() {
        asked = false;
        stepCount = 0;
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

    @Override
    public void step(PlacementStep step, int cpu, boolean taken) {
        if (stepCount == steps.length) {
            steps = Arrays.copyOf(steps, 2 * stepCount);
            stepCpu = Arrays.copyOf(stepCpu, 2 * stepCount);
            stepTaken = Arrays.copyOf(stepTaken, 2 * stepCount);
        }
        steps[stepCount] = step;
        stepCpu[stepCount] = cpu;
        stepTaken[stepCount++] = taken;
    }

    /** One line a step. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < stepCount; i++) {
            String about = steps[i].about(stepCpu[i]);
            String cpu = about.isEmpty() ? "" : " (" + about + ")";
            lines.add(steps[i].text() + cpu + ": " + (stepTaken[i] ? "yes" : "no"));
        }
        return lines;
    }
}
