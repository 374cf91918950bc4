package dev.perch.trace;

import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.Topology;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One reading of one recording: where a {@link RecordingReader} puts what it finds. */
final class Reading {
    private final CountedEvents events;
    private final TaskNames names;
    private final Defects defects;
    private final SkippedEvents skipped = new SkippedEvents();
    private Clock clock = new Clock(Clock.UNKNOWN_NAME, Clock.Unit.NANOSECONDS, 1);
    private @Nullable String kernelRelease;
    private @Nullable Topology topology;
    private boolean simulated;

    Reading(SchedEvents sink, TaskNames names, Defects.Place place) {
        this.events = new CountedEvents(sink);
        this.names = names;
        this.defects = new Defects(place);
    }

    /** Takes events whose times never decrease; see {@link EventSorter} for a source that cannot promise that. */
    SchedEvents events() {
        return events;
    }

    TaskNames names() {
        return names;
    }

    Defects defects() {
        return defects;
    }

    SkippedEvents skipped() {
        return skipped;
    }

    void clock(Clock found) {
        clock = found;
    }

    /** What {@code uname -r} said on the machine. */
    void kernelRelease(String release) {
        kernelRelease = release;
    }

    void topology(Topology found) {
        topology = found;
    }

    /** The recording says that it was simulated. */
    void simulated() {
        simulated = true;
    }

    RecordingSummary summary(RecordingFormat format) {
        Map<EventKind, Long> counts = new EnumMap<>(EventKind.class);
        for (EventKind kind : EventKind.values()) {
            counts.put(kind, events.count(kind));
        }
        return new RecordingSummary(
                format,
                clock,
                events.firstNs(),
                events.lastNs(),
                events.cpus(),
                counts,
                skipped.byName(),
                events.lost(),
                kernelRelease,
                topology,
                simulated,
                defects);
    }
}
