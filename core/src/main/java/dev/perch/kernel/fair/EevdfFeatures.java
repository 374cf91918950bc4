package dev.perch.kernel.fair;

import java.util.Map;

/**
 * The feature bits that EEVDF reads (spec: scheduler.md 2.2; {@code features.h} of Linux 6.6 to 6.18).
 *
 * @param placeLag what a task is owed or owes survives its sleep
 * @param placeDeadlineInitial the first slice of a new task is half a one
 * @param placeRelDeadline a deadline is kept relative while a task changes its queue; since 6.12
 * @param runToParity a running task is protected
 * @param preemptShort a wakee with a shorter slice may cancel the protection; since 6.12
 * @param nextBuddy every wakee is nominated to run next
 * @param pickBuddy the nominated one runs if it is eligible; since 6.12, before with {@code nextBuddy} only
 * @param delayDequeue a task that sleeps while it owes time stays queued; since 6.12
 * @param delayZero what such a task has earned meanwhile is forfeit; since 6.12
 * @param wakeupPreemption whether a wakee may preempt at all
 */
record EevdfFeatures(
        boolean placeLag,
        boolean placeDeadlineInitial,
        boolean placeRelDeadline,
        boolean runToParity,
        boolean preemptShort,
        boolean nextBuddy,
        boolean pickBuddy,
        boolean delayDequeue,
        boolean delayZero,
        boolean wakeupPreemption) {
    /** @param set bits by name; one that is not there is as released */
    static EevdfFeatures of(EevdfVersion version, Map<String, Boolean> set) {
        boolean since612 = version.since(EevdfVersion.V6_12);
        boolean nextBuddy = set.getOrDefault("NEXT_BUDDY", false);
        return new EevdfFeatures(
                set.getOrDefault("PLACE_LAG", true),
                set.getOrDefault("PLACE_DEADLINE_INITIAL", true),
                set.getOrDefault("PLACE_REL_DEADLINE", true) && since612,
                set.getOrDefault("RUN_TO_PARITY", true),
                set.getOrDefault("PREEMPT_SHORT", true) && since612,
                nextBuddy,
                since612 ? set.getOrDefault("PICK_BUDDY", true) : nextBuddy,
                set.getOrDefault("DELAY_DEQUEUE", true) && since612,
                set.getOrDefault("DELAY_ZERO", true) && since612,
                set.getOrDefault("WAKEUP_PREEMPTION", true));
    }
}
