package dev.perch.kernel.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Writes down the steps of decisions, to be told afterwards in words. Grows once to the longest decision, then allocates nothing. */
public final class StepRecorder implements PlacementListener {
    private int count;
    private PlacementStep[] steps = new PlacementStep[32];
    private int[] cpus = new int[32];
    private boolean[] taken = new boolean[32];

    /** Forgets what was written. */
    public void clear() {
        count = 0;
    }

    @Override
    public void step(PlacementStep step, int cpu, boolean holds) {
        if (count == steps.length) {
            steps = Arrays.copyOf(steps, 2 * count);
            cpus = Arrays.copyOf(cpus, 2 * count);
            taken = Arrays.copyOf(taken, 2 * count);
        }
        steps[count] = step;
        cpus[count] = cpu;
        taken[count++] = holds;
    }

    /** One line a step: what was asked, of which CPU, and the answer. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String cpu = cpus[i] < 0 ? "" : " (CPU " + cpus[i] + ")";
            lines.add(steps[i].text() + cpu + ": " + (taken[i] ? "yes" : "no"));
        }
        return lines;
    }
}
