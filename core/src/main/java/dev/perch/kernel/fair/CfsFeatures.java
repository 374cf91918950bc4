package dev.perch.kernel.fair;

import java.util.Map;

/**
 * The feature bits that CFS reads (spec: scheduler.md 1.10, 1.15; 1.6; {@code sched_features.h} of Linux 3.2 to 6.5).
 *
 * @param gentleFairSleepers a sleeper is credited with half a latency, not with a whole one
 * @param startDebit a new task starts one slice behind
 * @param nextBuddy a wakee that does not preempt may still be picked next
 * @param lastBuddy a preempted task may be picked again when the wakee blocks
 * @param wakeupPreemption whether a wakee may preempt at all; a bit since 3.8, always on before
 * @param altPeriod the period grows with the number of tasks of the whole CPU, not of the queue; read since 5.13
 * @param baseSlice a slice is not shorter than the least granularity; read since 5.13
 */
record CfsFeatures(
        boolean gentleFairSleepers,
        boolean startDebit,
        boolean nextBuddy,
        boolean lastBuddy,
        boolean wakeupPreemption,
        boolean altPeriod,
        boolean baseSlice) {
    /** As released. */
    static final CfsFeatures DEFAULT = new CfsFeatures(true, true, false, true, true, true, true);

    /** @param set bits by name; one that is not there is as released */
    static CfsFeatures of(Map<String, Boolean> set) {
        return new CfsFeatures(
                set.getOrDefault("GENTLE_FAIR_SLEEPERS", DEFAULT.gentleFairSleepers),
                set.getOrDefault("START_DEBIT", DEFAULT.startDebit),
                set.getOrDefault("NEXT_BUDDY", DEFAULT.nextBuddy),
                set.getOrDefault("LAST_BUDDY", DEFAULT.lastBuddy),
                set.getOrDefault("WAKEUP_PREEMPTION", DEFAULT.wakeupPreemption),
                set.getOrDefault("ALT_PERIOD", DEFAULT.altPeriod),
                set.getOrDefault("BASE_SLICE", DEFAULT.baseSlice));
    }
}
