package dev.perch.audit;

import java.util.Locale;

/** Yes, no, or the recording does not tell. */
public enum Answer {
    YES,
    NO,
    UNKNOWN;

    /** The word in tables, files and JSON. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
