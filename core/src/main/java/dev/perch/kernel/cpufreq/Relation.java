package dev.perch.kernel.cpufreq;

/** Which entry of a {@link FrequencyTable} stands for a target between two of them (spec: scheduler.md 6.1; {@code CPUFREQ_RELATION_*}). */
public enum Relation {
    /** The lowest entry that is not below the target. */
    L,
    /** The highest entry that is not above the target. */
    H,
    /** The entry that is closest to the target, the lower of two equally close ones; Linux 4.x and later. */
    C
}
