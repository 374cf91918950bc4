package dev.perch.kernel.fair;

import dev.perch.kernel.Kernel;

/**
 * The feature bits that CFS reads (spec: scheduler.md 1.10, 1.15; {@code sched_features.h} of Linux 3.2 to 3.8).
 *
 * @param gentleFairSleepers a sleeper is credited with half a latency, not with a whole one
 * @param startDebit a new task starts one slice behind
 * @param nextBuddy a wakee that does not preempt may still be picked next
 * @param lastBuddy a preempted task may be picked again when the wakee blocks
 * @param wakeupPreemption whether a wakee may preempt at all; a bit since 3.8, always on before
 */
public record CfsFeatures(
        boolean gentleFairSleepers,
        boolean startDebit,
        boolean nextBuddy,
        boolean lastBuddy,
        boolean wakeupPreemption) {
    /** As released. */
    public static final CfsFeatures DEFAULT = new CfsFeatures(true, true, false, true, true);

    /** The features of a kernel; a bit that it does not have is as released. */
    public static CfsFeatures of(Kernel kernel) {
        return new CfsFeatures(
                read(kernel, "GENTLE_FAIR_SLEEPERS", DEFAULT.gentleFairSleepers),
                read(kernel, "START_DEBIT", DEFAULT.startDebit),
                read(kernel, "NEXT_BUDDY", DEFAULT.nextBuddy),
                read(kernel, "LAST_BUDDY", DEFAULT.lastBuddy),
                read(kernel, "WAKEUP_PREEMPTION", DEFAULT.wakeupPreemption));
    }

    private static boolean read(Kernel kernel, String feature, boolean released) {
        return kernel.features().getOrDefault(feature, released);
    }
}
