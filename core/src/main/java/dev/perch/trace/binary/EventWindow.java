package dev.perch.trace.binary;

import dev.perch.model.CpuMask;
import dev.perch.trace.Reading;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts events of many CPUs into one order of time, when they come CPU by CPU, a stretch of time after the other.
 *
 * <p>Events are kept until the reader knows that nothing older can come ({@link #release}). When too many have to be kept, they are written
 * to a temporary file as a sorted run and merged from there, so that memory stays bounded whatever the recording is like.
 */
public final class EventWindow implements Closeable {
    private static final int EVENT_BYTES = PackedEvents.WORDS * Long.BYTES;
    private static final int MIN_KEPT = 1 << 14;
    private static final int MAX_KEPT = 1 << 21;

    private final EventMerge merge;
    private final int maxKept;
    private final List<EventSpill.Run> runs = new ArrayList<>();
    private final EventSpill spill = new EventSpill();
    private @Nullable EventLane[] lanes = new EventLane[64];
    private int laneCount;
    private int ranks;
    private int added;

    /** Keeps at most about a tenth of the heap. */
    public EventWindow(Reading reading) {
        this(reading, Math.clamp(Runtime.getRuntime().maxMemory() / 10 / EVENT_BYTES, MIN_KEPT, MAX_KEPT));
    }

    /** @param maxKept how many events are kept in memory before they are written out */
    EventWindow(Reading reading, int maxKept) {
        this.merge = new EventMerge(reading);
        this.maxKept = maxKept;
    }

    /** What the numbers of task states mean; needed before the first {@link #release}. */
    public void states(StateNumbers numbers) {
        merge.states(numbers);
    }

    /** Where the events of {@code cpu} (0 … {@link CpuMask#MAX_CPUS} − 1) go. */
    public EventLane lane(int cpu) {
        if (cpu >= lanes.length) {
            lanes = java.util.Arrays.copyOf(lanes, Math.max(cpu + 1, Math.min(2 * cpu, CpuMask.MAX_CPUS)));
        }
        EventLane lane = lanes[cpu];
        if (lane == null) {
            lane = new EventLane(Integer.MAX_VALUE);
            lanes[cpu] = lane;
            laneCount = Math.max(laneCount, cpu + 1);
        }
        return lane;
    }

    /** To be called after each record or small group of records: writes out what is too much to keep. */
    public void relieve() throws IOException {
        if (++added < maxKept) {
            return;
        }
        added = kept();
        if (added >= maxKept) {
            addLanes();
            EventSpill.Run run = spill.write(merge, ranks++);
            if (run.fill()) {
                runs.add(run);
            }
            added = 0;
        }
    }

    private int kept() {
        int count = 0;
        for (int cpu = 0; cpu < laneCount; cpu++) {
            EventLane lane = lanes[cpu];
            count += lane == null ? 0 : lane.size();
        }
        return count;
    }

    /** Passes on, in order, what is not later than {@code limitNs}. Nothing older may come afterwards. */
    public void release(long limitNs) throws IOException {
        addLanes();
        for (EventSpill.Run run : runs) {
            merge.add(run);
        }
        merge.run(limitNs);
        merge.clear();
        runs.removeIf(EventSpill.Run::isEmpty);
    }

    /** Passes on everything. */
    public void releaseAll() throws IOException {
        release(Long.MAX_VALUE);
    }

    private void addLanes() {
        for (int cpu = 0; cpu < laneCount; cpu++) {
            EventLane lane = lanes[cpu];
            if (lane != null && !lane.isEmpty()) {
                lane.sort();
                merge.add(lane);
            }
        }
    }

    @Override
    public void close() throws IOException {
        spill.close();
    }
}
