package dev.perch.host.record;

import dev.perch.host.HostTopology;
import dev.perch.host.linux.OpenFiles;
import dev.perch.host.linux.ThisThread;
import dev.perch.host.linux.Urgency;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records the scheduler's tracepoints on all CPUs of this machine: through perf events into a perf.data or, where these are refused, through a
 * tracefs buffer of its own into a trace.dat.
 *
 * <p>The thread that moves events to the file has the lowest nice value, if it may, so that it comes in time on busy CPUs; it is recorded too,
 * like everything that runs.
 */
public final class Recorder implements AutoCloseable {
    private static final int NS_PER_MS = 1_000_000;

    private final RecordedEvent.Choice choice;
    private final RecordingWay way;
    private final String refusal;
    private final boolean knowsCaches;
    private final Capture capture;
    private final OpenFiles.Ends wakeup;
    private volatile boolean stopped;
    private boolean closed;

    /**
     * What came of a recording.
     *
     * @param events recorded
     * @param lost dropped by the kernel, because a buffer was full
     * @param bytes of the file
     * @param recordedNs how long it recorded
     * @param cpuNs CPU time that the recorder took meanwhile
     * @param cpus how many were recorded
     * @param bufferBytes each CPU's buffer in the kernel
     * @param missing tracepoints that this kernel has not
     */
    public record Outcome(
            long events,
            long lost,
            long bytes,
            long recordedNs,
            long cpuNs,
            int cpus,
            int bufferBytes,
            List<String> missing) {}

    /**
     * Prepares a recording; nothing is recorded yet.
     *
     * @param wanted the only way to take; null for perf events and, where they are refused, tracefs
     * @param added tracepoints beside the usual ones, as SYSTEM:NAME
     * @param bufferBytes each CPU's buffer in the kernel, rounded up to a power of two; 0 for the usual ({@link BufferSize})
     * @throws InputException this machine, or its rules, do not let us record
     */
    public static Recorder open(@Nullable RecordingWay wanted, List<String> added, long bufferBytes) {
        return new Recorder(wanted, added, bufferBytes);
    }

    private Recorder(@Nullable RecordingWay wanted, List<String> added, long bufferBytes) {
        Tracefs tracefs = Tracefs.find();
        choice = RecordedEvent.choose(tracefs, added);
        HostTopology host = HostTopology.live();
        knowsCaches = !host.caches().isEmpty();
        CpuMask cpus = host.online();
        int size = BufferSize.of(bufferBytes, cpus.count(), host.memoryKb());
        Opened opened = open(wanted, tracefs, cpus, size);
        way = opened.way;
        capture = opened.capture;
        refusal = opened.refusal;
        wakeup = OpenFiles.pipe();
    }

    /** @param refusal why perf events were not used, empty if nobody refused */
    private record Opened(RecordingWay way, Capture capture, String refusal) {}

    private Opened open(@Nullable RecordingWay wanted, Tracefs tracefs, CpuMask cpus, int size) {
        String perfRefusal = "";
        if (wanted != RecordingWay.TRACEFS) {
            try {
                return new Opened(RecordingWay.PERF, new PerfCapture(tracefs, choice.events(), cpus, size), "");
            } catch (RefusedException e) {
                if (wanted == RecordingWay.PERF) {
                    throw new InputException(e.reason() + Refusal.OTHER_WAYS, e);
                }
                perfRefusal = e.reason();
            }
        }
        try {
            return new Opened(
                    RecordingWay.TRACEFS, new TracefsCapture(tracefs, choice.events(), cpus, size), perfRefusal);
        } catch (RefusedException e) {
            throw new InputException(Refusal.both(perfRefusal, e.reason()), e);
        }
    }

    /** How it records. */
    public RecordingWay way() {
        return way;
    }

    /** Why it does not record through perf events; empty if that was not tried, or is what it does. */
    public String refusal() {
        return refusal;
    }

    /** Whether this machine tells its caches; without them the file has no topology. */
    public boolean knowsCaches() {
        return knowsCaches;
    }

    /**
     * Records until {@link #stop}, or until the time is over.
     *
     * @param file is overwritten
     * @param durationNs how long; {@link Long#MAX_VALUE} for as long as nobody calls stop
     * @param note what the file tells of its making
     * @param begun is run, on another thread, as soon as everything is recorded
     */
    public Outcome record(Path file, long durationNs, RecordingNote note, Runnable begun) throws IOException {
        capture.begin(file, note);
        long cpuBefore = ThisThread.processCpuNs();
        long start = System.nanoTime();
        capture.enable();
        // What is started may take long to start, and inherits the nice value; so not from this thread.
        Thread.ofPlatform().name("begun").start(begun);
        long recordedNs;
        try (Urgency _ = new Urgency()) {
            drainUntilTheEnd(start, durationNs);
            capture.disable();
            recordedNs = System.nanoTime() - start;
            capture.drain();
        }
        long cpuNs = ThisThread.processCpuNs() - cpuBefore;
        Capture.Written written = capture.finish();
        return new Outcome(
                written.events(),
                written.lost(),
                written.bytes(),
                recordedNs,
                cpuNs,
                capture.cpus(),
                capture.bufferBytes(),
                choice.missing());
    }

    private void drainUntilTheEnd(long start, long durationNs) throws IOException {
        while (!stopped) {
            long left = durationNs - (System.nanoTime() - start);
            if (left <= 0) {
                return;
            }
            long milliseconds = (left + NS_PER_MS - 1) / NS_PER_MS;
            capture.await(
                    wakeup.first(),
                    durationNs == Long.MAX_VALUE ? -1 : (int) Math.min(milliseconds, Integer.MAX_VALUE));
            capture.drain();
        }
    }

    /** Ends the recording soon; from any thread, as often as one likes. */
    public synchronized void stop() {
        if (stopped || closed) {
            return;
        }
        stopped = true;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment one = arena.allocate(1);
            OpenFiles.write(wakeup.second(), one, 1);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        capture.close();
        OpenFiles.close(wakeup.first());
        OpenFiles.close(wakeup.second());
    }
}
