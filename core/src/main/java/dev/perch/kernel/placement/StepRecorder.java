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
    private boolean[] compares = new boolean[32];
    private long[] left = new long[32];
    private long[] right = new long[32];

    /** Forgets what was written. */
    public void clear() {
        count = 0;
        compares[0] = false;
    }

    @Override
    public void step(PlacementStep step, int cpu, boolean holds) {
        steps[count] = step;
        cpus[count] = cpu;
        taken[count++] = holds;
        if (count == steps.length) {
            steps = Arrays.copyOf(steps, 2 * count);
            cpus = Arrays.copyOf(cpus, 2 * count);
            taken = Arrays.copyOf(taken, 2 * count);
            compares = Arrays.copyOf(compares, 2 * count);
            left = Arrays.copyOf(left, 2 * count);
            right = Arrays.copyOf(right, 2 * count);
        }
        compares[count] = false;
    }

    @Override
    public void compared(PlacementStep step, long a, long b) {
        compares[count] = true;
        left[count] = a;
        right[count] = b;
    }

    /** One line a step: what was asked, of which CPU, the answer, and the numbers compared for it. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String about = steps[i].about(cpus[i]);
            String cpu = about.isEmpty() ? "" : " (" + about + ")";
            String numbers = compares[i] ? ", " + left[i] + " against " + right[i] : "";
            lines.add(steps[i].text() + cpu + ": " + (taken[i] ? "yes" : "no") + numbers);
        }
        return lines;
    }
}
