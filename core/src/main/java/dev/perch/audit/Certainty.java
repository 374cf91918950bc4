package dev.perch.audit;

import java.util.Locale;

/** How the chosen CPU of a wakeup is known. */
public enum Certainty {
    /** An event states it: the wakeup record's target, or the migration that the wakeup issued. */
    EXACT,
    /** Only the absence of a migration or the first switch-in tells. */
    DERIVED,
    /** Nothing tells. */
    UNKNOWN;

    /** The word in tables, files and JSON. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
