package dev.perch.trace.perfetto;

import dev.perch.model.TaskNames;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/**
 * Tracks of one's own in a Perfetto trace (TrackDescriptor, TrackEvent): one for each task with the stints that it ran, one for each CPU, and
 * counters of a CPU. An arrow leads from one event to another on any track: both name the same flow.
 *
 * <p>A track is described before its first event. A task's track is the thread's, so that Perfetto's page draws it beneath the states of the
 * thread; the process of a thread is not in the stream of events, so each thread stands for a process of its own. Packets come with times
 * that never decrease.
 *
 * <p>Source: protos/perfetto/trace/track_event/*.proto of Perfetto, field numbers only.
 *
 * <p>Limitation: a pid that is given to another task later has one track, with the name that it had first.
 */
public final class PerfettoTracks {
    /** What a CPU's counters count. */
    public enum Counter {
        RUNQUEUE_LENGTH("runqueue length", "tasks", 2),
        FREQUENCY("frequency", "kHz", 3);

        private final String title;
        private final String unit;
        private final long kind;

        Counter(String title, String unit, long kind) {
            this.title = title;
            this.unit = unit;
            this.kind = kind;
        }
    }

    // Trace and TracePacket.
    private static final int PACKET = 1;
    private static final int TIMESTAMP = 8;
    private static final int SEQUENCE = 10;
    private static final int TRACK_EVENT = 11;
    private static final int TRACK_DESCRIPTOR = 60;
    private static final int TRACK_SEQUENCE = 2;
    // TrackDescriptor.
    private static final int UUID = 1;
    private static final int TRACK_NAME = 2;
    private static final int THREAD = 4;
    private static final int PARENT = 5;
    private static final int COUNTER = 8;
    // ThreadDescriptor.
    private static final int PID = 1;
    private static final int TID = 2;
    private static final int THREAD_NAME = 5;
    // CounterDescriptor.
    private static final int UNIT_NAME = 6;
    // TrackEvent.
    private static final int ANNOTATION = 4;
    private static final int TYPE = 9;
    private static final int TRACK = 11;
    private static final int EVENT_NAME = 23;
    private static final int COUNTER_VALUE = 30;
    private static final int FLOW = 47;
    private static final int TERMINATING_FLOW = 48;
    private static final int SLICE_BEGIN = 1;
    private static final int SLICE_END = 2;
    private static final int INSTANT = 3;
    private static final int COUNTER_SAMPLE = 4;
    // DebugAnnotation.
    private static final int INTEGER = 4;
    private static final int TEXT = 6;
    private static final int ANNOTATION_NAME = 10;

    private static final long KIND = 1L << 40;
    private static final long CPUS = KIND;

    private final PerfettoWriter trace;
    private final TaskNames names;
    private final ProtoBuffer packets;
    private final Set<Long> described = new HashSet<>();

    PerfettoTracks(PerfettoWriter trace, TaskNames names) {
        this.trace = trace;
        this.names = names;
        packets = trace.packets();
    }

    /** The track of a task. */
    public long task(int pid) {
        long track = 4 * KIND | pid & 0xffffffffL;
        if (described.add(track)) {
            byte[] name = names.nameOf(pid).getBytes(StandardCharsets.UTF_8);
            describe(track).begin(THREAD).number(PID, pid).number(TID, pid).bytes(THREAD_NAME, name, name.length);
            packets.end();
            endPacket();
        }
        return track;
    }

    /** The track of a CPU, for what no task does. */
    public long cpu(int cpu) {
        long track = CPUS | cpu + 1;
        if (described.add(track)) {
            if (described.add(CPUS)) {
                describe(CPUS).ascii(TRACK_NAME, "CPUs");
                endPacket();
            }
            describe(track).ascii(TRACK_NAME, "CPU " + cpu).number(PARENT, CPUS);
            endPacket();
        }
        return track;
    }

    /** A new value of a CPU's counter. */
    public void count(long ns, Counter counter, int cpu, long value) {
        long track = counter.kind * KIND | cpu;
        if (described.add(track)) {
            long parent = cpu(cpu);
            describe(track).ascii(TRACK_NAME, "CPU " + cpu + ' ' + counter.title).number(PARENT, parent);
            packets.begin(COUNTER).ascii(UNIT_NAME, counter.unit).end();
            endPacket();
        }
        event(ns, track, COUNTER_SAMPLE).number(COUNTER_VALUE, value);
        endEvent();
    }

    /**
     * Begins an event on {@code track}: a stint that lasts until {@link #endSlice}. More may be said of it until {@link #endEvent}.
     *
     * @param name ASCII
     */
    public PerfettoTracks beginSlice(long ns, long track, String name) {
        event(ns, track, SLICE_BEGIN).ascii(EVENT_NAME, name);
        return this;
    }

    /** The stint on {@code track} is over. */
    public void endSlice(long ns, long track) {
        event(ns, track, SLICE_END);
        endEvent();
    }

    /** Begins an event without length on {@code track}. More may be said of it until {@link #endEvent}. */
    public PerfettoTracks beginInstant(long ns, long track, byte[] name, int length) {
        event(ns, track, INSTANT).bytes(EVENT_NAME, name, length);
        return this;
    }

    /** An arrow begins at the event that was begun. */
    public PerfettoTracks arrowFrom(long flow) {
        packets.fixed64(FLOW, flow);
        return this;
    }

    /** The arrow {@code flow} ends at the event that was begun. */
    public PerfettoTracks arrowTo(long flow) {
        packets.fixed64(TERMINATING_FLOW, flow);
        return this;
    }

    /** A number to be shown with the event that was begun. */
    public PerfettoTracks note(String name, long value) {
        packets.begin(ANNOTATION).ascii(ANNOTATION_NAME, name).number(INTEGER, value).end();
        return this;
    }

    /** A text to be shown with the event that was begun; ASCII. */
    public PerfettoTracks note(String name, String value) {
        packets.begin(ANNOTATION).ascii(ANNOTATION_NAME, name).ascii(TEXT, value).end();
        return this;
    }

    /** The event that was begun is complete. */
    public void endEvent() {
        endPacket();
    }

    private ProtoBuffer event(long ns, long track, int type) {
        packets.begin(PACKET).number(TIMESTAMP, ns).number(SEQUENCE, TRACK_SEQUENCE);
        return packets.begin(TRACK_EVENT).number(TYPE, type).number(TRACK, track);
    }

    private ProtoBuffer describe(long track) {
        packets.begin(PACKET).number(SEQUENCE, TRACK_SEQUENCE);
        return packets.begin(TRACK_DESCRIPTOR).number(UUID, track);
    }

    /** Ends the description or event, and its packet. */
    private void endPacket() {
        packets.end().end();
        trace.added();
    }
}
