package dev.perch.trace;

import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.Topology;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One reading of one recording: where a reader puts what it finds. */
public final class Reading {
    private final CountedEvents events;
    private final TaskNames names;
    private final Defects defects;
    private final SkippedEvents skipped = new SkippedEvents();
    private Clock clock = new Clock(Clock.UNKNOWN_NAME, Clock.Unit.NANOSECONDS, 1);
    private @Nullable String kernelRelease;
    private @Nullable Topology topology;
    private boolean simulated;

    public Reading(SchedEvents sink, TaskNames names, Defects.Place place) {
        this.events = new CountedEvents(sink);
        this.names = names;
        this.defects = new Defects(place);
    }

    /** Takes events whose times never decrease; see {@link EventSorter} for a source that cannot promise that. */
    public SchedEvents events() {
        return events;
    }

    public TaskNames names() {
        return names;
    }

    public Defects defects() {
        return defects;
    }

    public SkippedEvents skipped() {
        return skipped;
    }

    public void clock(Clock found) {
        clock = found;
    }

    /** What {@code uname -r} said on the machine. */
    public void kernelRelease(String release) {
        kernelRelease = release;
    }

    /** What was said by {@link #kernelRelease(String)}, or null. */
    public @Nullable String kernelRelease() {
        return kernelRelease;
    }

    public void topology(Topology found) {
        topology = found;
    }

    /** The recording says that it was simulated. */
    public void simulated() {
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
