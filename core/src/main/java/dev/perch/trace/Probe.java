package dev.perch.trace;

import org.jspecify.annotations.Nullable;

/** The placement probes, named as their events. Source: docs/probes.md. */
enum Probe {
    SRQ,
    WW,
    WANT,
    WAI,
    WHC,
    WHP,
    WAW,
    WAR,
    SIS,
    SIS2,
    SIS3,
    AIC,
    SCAN,
    SIC,
    SRQ_RET;

    private static final Probe[] ALL = values();

    private final byte[] event = TextCursor.literal(name().toLowerCase(java.util.Locale.ROOT));

    /** The probe of an event's name, null if it is none. */
    static @Nullable Probe find(byte[] bytes, int from, int to) {
        int length = to - from;
        if (length < 2 || length > 7) {
            return null;
        }
        for (Probe probe : ALL) {
            byte[] event = probe.event;
            if (event.length == length
                    && event[length - 1] == bytes[to - 1]
                    && java.util.Arrays.equals(event, 0, length, bytes, from, to)) {
                return probe;
            }
        }
        return null;
    }
}
