package dev.perch.audit;

import java.util.Locale;

/** An input of the placement rules that a recording may lack. */
public enum MissingInput {
    NONE,
    /** Which CPU was chosen. */
    CHOSEN_CPU,
    /** The CPU on which the waker ran. */
    THIS_CPU,
    /** The CPU on which the wakee had run. */
    PREV_CPU,
    /** What a CPU that the rules look at ran. */
    CPU_STATE,
    /** Events of such a CPU were lost. */
    LOST_EVENTS,
    /** When the choice was made: the waker waited for the wakee to leave its CPU. */
    MOMENT,
    /** Whether a wakeup under way was in a wake list: the recording has no interrupts. */
    WAKE_LIST,
    /** How many CPUs the search might look at: it depends on when load was last balanced, or on how long searches take. */
    SCAN_DEPTH,
    /** Whether the cache was marked as having an idle core. */
    IDLE_CORES,
    /** The loads of the waker's CPU and of prev, which are rebuilt with less than the precision that this decision takes. */
    LOAD,
    /** How often the waker had changed whom it wakes: it did so before the recording, and when the count is next halved is not known. */
    FLIPS,
    /** The CPU that the wakee used before the recording. */
    RECENT_CPU,
    /** Whether the waker said that it would sleep soon. */
    SYNC,
    /** Whether the wakee may run where the rules put it, a CPU on which it was never seen. */
    AFFINITY;

    /** The key in JSON. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
