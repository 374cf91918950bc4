package dev.perch.workloads;

import java.util.Optional;

/** The events of rt-app. A key is an event if it begins with an event's name; what follows tells keys of one object apart. */
enum RtAppEvent {
    LOCK,
    UNLOCK,
    WAIT,
    SIGNAL,
    BROAD,
    SYNC,
    SIG_AND_WAIT,
    SLEEP,
    RUNTIME,
    RUN,
    TIMER,
    SUSPEND,
    RESUME,
    MEMRUN,
    MEM,
    IORUN,
    YIELD,
    BARRIER,
    FORK,
    SEM_POST,
    SEM_WAIT;

    private static final RtAppEvent[] IN_ORDER = values();

    /** The event that a key names, if it names one; of two names that fit, such as {@code run} and {@code runtime}, the longer one. */
    static Optional<RtAppEvent> of(String key) {
        if (key.startsWith("membind")) {
            return Optional.empty();
        }
        for (RtAppEvent event : IN_ORDER) {
            if (key.startsWith(event.name().toLowerCase(java.util.Locale.ROOT))) {
                return Optional.of(event);
            }
        }
        return Optional.empty();
    }
}
