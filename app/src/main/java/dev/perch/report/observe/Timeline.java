package dev.perch.report.observe;

import java.util.List;

/**
 * One stretch of time in full, and how it was chosen.
 *
 * @param startNs when it begins, in the clock of the events
 * @param sinceNs when it begins, counted from the first event that was looked at
 * @param lengthNs how long it is: a millisecond, or all there is if that is less
 * @param stints who was on which CPU; by CPU, then time; times count from the beginning of the stretch
 * @param wakes wakeups in the order in which they began
 * @param wakeups how many wakeups began in it
 * @param moves how many times a task changed its CPU in it
 * @param choice what it was chosen from
 */
public record Timeline(
        long startNs,
        long sinceNs,
        long lengthNs,
        List<Stint> stints,
        List<Wake> wakes,
        long wakeups,
        long moves,
        Choice choice) {
    /** {@link Stint#pid}: what ran is not known. */
    public static final int UNKNOWN = -1;

    public Timeline {
        stints = List.copyOf(stints);
        wakes = List.copyOf(wakes);
    }

    /** A task on a CPU, from and to; pid 0 is the idle thread. */
    public record Stint(int cpu, long fromNs, long toNs, int pid, String name) {}

    /**
     * A wakeup.
     *
     * @param ns when it began
     * @param cpu of the waker, −1 if not known
     * @param waker pid of the task in whose context it happened, −1 if not known
     * @param queuedNs when the wakee was on its queue; −1 if that was not in this stretch
     * @param target the queue's CPU, −1 with {@code queuedNs}
     */
    public record Wake(
            long ns, int cpu, int waker, String wakerName, int wakee, String wakeeName, long queuedNs, int target) {}

    /**
     * What a stretch was chosen from.
     *
     * @param all stretches of that length
     * @param withWakeups those of them in which there was a wakeup
     * @param kept those of them that were kept in full to choose from
     * @param medianWakeups of the stretches with wakeups
     * @param medianMoves of the stretches with wakeups
     */
    public record Choice(long all, long withWakeups, int kept, long medianWakeups, long medianMoves) {}
}
