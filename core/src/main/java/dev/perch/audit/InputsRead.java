package dev.perch.audit;

import dev.perch.kernel.placement.PlacementListener;
import dev.perch.kernel.placement.PlacementStep;

/** Which of the inputs that a recording does not state the rules have read in a decision; hands every step on. */
final class InputsRead implements PlacementListener {
    private PlacementListener next = PlacementListener.NONE;

    /** The scan was limited or might have been forbidden: by {@code nr_idle_scan}, or by what scans cost. */
    boolean scanLimit;
    /** The lowest CPU of the cache that was asked for its mark of an idle core, −1 if none. */
    int idleCoreMark;
    /** The lowest CPU of the cache whose mark was taken away, −1 if none. */
    int markCleared;
    /** Loads of the waker's CPU and of prev were compared. */
    boolean loads;
    /** Which of the two had more. */
    boolean lessHere;

    long here;
    long there;
    /** The waker and the wakee were found to have too many partners. */
    boolean wide;
    /** The wakee's recently used CPU was looked at. */
    boolean recent;

    void start(PlacementListener listener) {
        next = listener;
        scanLimit = false;
        idleCoreMark = -1;
        markCleared = -1;
        loads = false;
        recent = false;
        wide = false;
    }

    @Override
    public void step(PlacementStep step, int cpu, boolean taken) {
        switch (step) {
            case BUDGET, SCAN_TOO_COSTLY -> scanLimit = true;
            case HAS_IDLE_CORES -> idleCoreMark = cpu;
            case IDLE_CORES_CLEARED -> markCleared = cpu;
            case WAKE_AFFINE_LOAD -> {
                loads = true;
                lessHere = taken;
            }
            case WAKE_WIDE -> wide = taken;
            case RECENT -> recent = true;
            default -> {}
        }
        next.step(step, cpu, taken);
    }

    @Override
    public void compared(PlacementStep step, long left, long right) {
        if (step == PlacementStep.WAKE_AFFINE_LOAD) {
            here = left;
            there = right;
        }
        next.compared(step, left, right);
    }
}
