package dev.perch.audit.probes;

import dev.perch.kernel.placement.PlacementListener;
import dev.perch.kernel.placement.PlacementStep;

/** Keeps the answers to single questions while the rules place a task. */
final class ChoiceListener implements PlacementListener {
    /** The rules did not come to the question. */
    static final int NOT_ASKED = -1;

    /** 0 or 1. */
    int wakeWide;

    int wantAffine;
    /** Whether the wakee is pulled to the waker's CPU. */
    int pulled;
    /** The two sides of the last comparison by load, and whether there was one. */
    boolean comparedLoads;

    long thisSide;
    long prevSide;
    /** The choice, before it is repaired if the task may not use it. */
    int chosen;

    void clear() {
        wakeWide = NOT_ASKED;
        wantAffine = NOT_ASKED;
        pulled = NOT_ASKED;
        comparedLoads = false;
        chosen = NOT_ASKED;
    }

    @Override
    public void step(PlacementStep step, int cpu, boolean taken) {
        int answer = taken ? 1 : 0;
        switch (step) {
            case WAKE_WIDE -> wakeWide = answer;
            case WANT_AFFINE -> wantAffine = answer;
            case WAKE_AFFINE -> pulled = answer;
            case VALIDITY -> chosen = cpu;
            default -> {}
        }
    }

    @Override
    public void compared(PlacementStep step, long left, long right) {
        if (step == PlacementStep.WAKE_AFFINE_LOAD) {
            comparedLoads = true;
            thisSide = left;
            prevSide = right;
        }
    }
}
