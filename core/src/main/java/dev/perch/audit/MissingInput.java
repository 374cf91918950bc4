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
    /** Whether the waker said that it would sleep soon. */
    SYNC,
    /** Whether the wakee may run where the rules put it, a CPU on which it was never seen. */
    AFFINITY;

    /** The key in JSON. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
