package dev.perch.host.record;

import dev.perch.host.HostTopology;
import dev.perch.host.linux.OpenFiles;
import dev.perch.host.linux.SystemCallException;
import dev.perch.host.linux.ThisThread;
import dev.perch.host.linux.Urgency;
import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;

/**
 * Records the scheduler's tracepoints on all CPUs of this machine into a perf.data.
 *
 * <p>The kernel writes each CPU's records into a ring; whenever a quarter of one is full, all of them are moved to the file. The thread that does so
 * has the lowest nice value, if it may, so that it comes in time on busy CPUs; it is recorded too, like everything that runs.
 *
 * <p>Limitation: CPUs that come online later are not recorded.
 */
public final class Recorder implements AutoCloseable {
    private static final int DEFAULT_RING = 16 << 20;
    private static final int SMALLEST_RING = 1 << 16;
    private static final long ALL_DEFAULT_RINGS = 512L << 20;
    private static final int PAGE = 4096;
    private static final int NS_PER_MS = 1_000_000;

    private final Tracefs tracefs;
    private final RecordedEvent.Choice choice;
    private final int pageSize;
    private final CpuMask cpus;
    private final PerfEvents events;
    private final OpenFiles.Ends wakeup;
    private volatile boolean stopped;
    private boolean closed;

    /**
     * What came of a recording.
     *
     * @param events recorded
     * @param lost dropped by the kernel, because a ring was full
     * @param bytes of the file
     * @param recordedNs how long it recorded
     * @param cpuNs CPU time that the recorder took meanwhile
     * @param cpus how many were recorded
     * @param ringBytes each CPU's ring
     * @param missing tracepoints that this kernel has not
     */
    public record Outcome(
            long events,
            long lost,
            long bytes,
            long recordedNs,
            long cpuNs,
            int cpus,
            int ringBytes,
            List<String> missing) {}

    /**
     * Prepares a recording; nothing is recorded yet.
     *
     * @param added tracepoints beside the usual ones, as SYSTEM:NAME
     * @param ringBytes each CPU's ring, rounded up to a power of two; 0 for 16 MiB, or less on many CPUs
     * @throws InputException this machine, or its rules, do not let us record
     */
    public static Recorder open(List<String> added, long ringBytes) {
        return new Recorder(added, ringBytes);
    }

    private Recorder(List<String> added, long ringBytes) {
        tracefs = Tracefs.find();
        choice = RecordedEvent.choose(tracefs, added);
        cpus = HostTopology.live().online();
        pageSize = OpenFiles.pageSize();
        events = opened(ringSize(ringBytes));
        wakeup = OpenFiles.pipe();
    }

    private PerfEvents opened(int ringSize) {
        try {
            return PerfEvents.open(choice.events(), cpus, pageSize, ringSize);
        } catch (SystemCallException e) {
            throw Refusal.of(e);
        }
    }

    private int ringSize(long wanted) {
        if (wanted > 1 << 30) {
            throw new InputException("-m: a ring of more than 1G for each CPU cannot be had; take a smaller one");
        }
        if (wanted > 0) {
            int size = Math.max(pageSize, Math.max(PAGE, (int) wanted));
            return Integer.highestOneBit(2 * size - 1);
        }
        int size = DEFAULT_RING;
        while (size > SMALLEST_RING && (long) size * cpus.count() > ALL_DEFAULT_RINGS) {
            size /= 2;
        }
        return size;
    }

    /**
     * Records until {@link #stop}, or until the time is over.
     *
     * @param file is overwritten
     * @param durationNs how long; {@link Long#MAX_VALUE} for as long as nobody calls stop
     * @param version Perch's, and {@code command} what the user called, which the file tells
     * @param begun is run, on another thread, as soon as everything is recorded
     */
    public Outcome record(Path file, long durationNs, String version, List<String> command, Runnable begun)
            throws IOException {
        PerfFeatureSections features =
                PerfFeatureSections.of(tracefs, choice.events(), events.sources(), pageSize, version, command);
        try (PerfDataFile data = new PerfDataFile(file, events.sources())) {
            events.enableTasks();
            data.addRecords(RunningTasks.names(Path.of("/proc")));
            long cpuBefore = ThisThread.processCpuNs();
            long start = System.nanoTime();
            events.enableTracepoints();
            // What is started may take long to start, and inherits the nice value; so not from this thread.
            Thread.ofPlatform().name("begun").start(begun);
            long recordedNs;
            try (Urgency _ = new Urgency()) {
                drainUntilTheEnd(data, start, durationNs);
                events.disable();
                recordedNs = System.nanoTime() - start;
                events.drain(data.records());
            }
            data.finishRound();
            long lost = events.tellLost(data);
            long cpuNs = ThisThread.processCpuNs() - cpuBefore;
            noteTimes(features);
            long bytes = data.finish(features.sections());
            return new Outcome(
                    events.rings().stream().mapToLong(PerfRing::samples).sum(),
                    lost,
                    bytes,
                    recordedNs,
                    cpuNs,
                    cpus.count(),
                    events.ringSize(),
                    choice.missing());
        }
    }

    private void drainUntilTheEnd(PerfDataFile data, long start, long durationNs) throws IOException {
        while (!stopped) {
            long left = durationNs - (System.nanoTime() - start);
            if (left <= 0) {
                return;
            }
            long milliseconds = (left + NS_PER_MS - 1) / NS_PER_MS;
            events.await(
                    wakeup.first(),
                    durationNs == Long.MAX_VALUE ? -1 : (int) Math.min(milliseconds, Integer.MAX_VALUE));
            if (events.drain(data.records()) > 0) {
                data.finishRound();
            }
        }
    }

    private void noteTimes(PerfFeatureSections features) {
        List<PerfRing> written =
                events.rings().stream().filter(ring -> ring.samples() > 0).toList();
        if (!written.isEmpty()) {
            features.sampleTime(
                    written.stream().mapToLong(PerfRing::firstNs).min().orElse(0),
                    written.stream().mapToLong(PerfRing::lastNs).max().orElse(0));
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
        events.close();
        OpenFiles.close(wakeup.first());
        OpenFiles.close(wakeup.second());
    }
}
