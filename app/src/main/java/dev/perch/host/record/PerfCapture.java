package dev.perch.host.record;

import dev.perch.host.linux.OpenFiles;
import dev.perch.host.linux.SystemCallException;
import dev.perch.model.CpuMask;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Perf events, written as perf.data. The kernel writes each CPU's records into a ring; whenever a quarter of one is full, all of them are moved to
 * the file.
 *
 * <p>Limitation: CPUs that come online later are not recorded.
 */
final class PerfCapture implements Capture {
    private final Tracefs tracefs;
    private final List<RecordedEvent> tracepoints;
    private final CpuMask cpus;
    private final PerfEvents events;
    private @Nullable PerfDataFile file;
    private @Nullable PerfFeatureSections features;

    /**
     * @param ringBytes each CPU's ring, a power of two
     * @throws RefusedException the kernel does not let us
     */
    PerfCapture(Tracefs tracefs, List<RecordedEvent> tracepoints, CpuMask cpus, int ringBytes) {
        this.tracefs = tracefs;
        this.tracepoints = tracepoints;
        this.cpus = cpus;
        try {
            events = PerfEvents.open(tracepoints, cpus, OpenFiles.pageSize(), ringBytes);
        } catch (SystemCallException e) {
            throw new RefusedException(Refusal.reason(e), e);
        }
    }

    @Override
    public void begin(Path path, RecordingNote note) throws IOException {
        features = PerfFeatureSections.of(tracefs, tracepoints, events.sources(), OpenFiles.pageSize(), note);
        PerfDataFile data = new PerfDataFile(path, events.sources());
        file = data;
        events.enableTasks();
        data.addRecords(RunningTasks.names(Path.of("/proc")));
    }

    private PerfDataFile file() {
        if (file == null) {
            throw new IllegalStateException("the recording has not begun");
        }
        return file;
    }

    @Override
    public void enable() {
        events.enableTracepoints();
    }

    @Override
    public void await(int wakeup, int milliseconds) {
        events.await(wakeup, milliseconds);
    }

    @Override
    public void drain() throws IOException {
        if (events.drain(file().records()) > 0) {
            file().finishRound();
        }
    }

    @Override
    public void disable() {
        events.disable();
    }

    @Override
    public Written finish() throws IOException {
        PerfDataFile data = file();
        events.drain(data.records());
        data.finishRound();
        long lost = events.tellLost(data);
        PerfFeatureSections sections = features;
        if (sections == null) {
            throw new IllegalStateException("the recording has not begun");
        }
        List<PerfRing> written =
                events.rings().stream().filter(ring -> ring.samples() > 0).toList();
        if (!written.isEmpty()) {
            sections.sampleTime(
                    written.stream().mapToLong(PerfRing::firstNs).min().orElse(0),
                    written.stream().mapToLong(PerfRing::lastNs).max().orElse(0));
        }
        long samples = events.rings().stream().mapToLong(PerfRing::samples).sum();
        return new Written(samples, lost, data.finish(sections.sections()));
    }

    @Override
    public int cpus() {
        return cpus.count();
    }

    @Override
    public int bufferBytes() {
        return events.ringSize();
    }

    @Override
    public void close() {
        events.close();
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException e) {
            // it was complete, or what made it incomplete has been said
        }
    }
}
