package dev.perch.trace;

import dev.perch.model.CpuMask;
import dev.perch.model.Topology;
import java.util.Collections;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a recording was, after it was read.
 *
 * @param firstNs time of the first event in the recording's clock, nanoseconds (ticks if {@link Clock#unit} says so); 0 without events
 * @param lastNs time of the last event
 * @param cpus CPUs on which something happened, or that an event named
 * @param counts how many events of each kind; every kind is there
 * @param skipped how many events of other kinds, by their names
 * @param lost events lost by the recorder or left out by the reader; a loss whose size is not told counts as one
 * @param kernelRelease what {@code uname -r} said on the machine; null if the recording does not tell
 * @param topology the machine's, if the recording carries it
 * @param simulated whether the recording says that a simulation wrote it
 */
public record RecordingSummary(
        RecordingFormat format,
        Clock clock,
        long firstNs,
        long lastNs,
        CpuMask cpus,
        Map<EventKind, Long> counts,
        Map<String, Long> skipped,
        long lost,
        @Nullable String kernelRelease,
        @Nullable Topology topology,
        boolean simulated,
        Defects defects) {

    public RecordingSummary {
        counts = Collections.unmodifiableMap(counts);
    }

    public long count(EventKind kind) {
        return counts.getOrDefault(kind, 0L);
    }

    /** Events of all kinds that were passed on. */
    public long events() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }
}
