package dev.perch.host.record;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.perch.host.HostTopology;
import dev.perch.host.linux.OpenFiles;
import dev.perch.host.linux.SystemCallException;
import dev.perch.model.CpuMask;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A trace buffer of our own in tracefs, written as trace.dat. Full pages are moved to a temporary file beside the recording, so often that a quarter
 * of a buffer is not filled meanwhile by more events than a CPU can make; at the end all becomes one file, for a moment twice on the disk.
 *
 * <p>When a buffer is full the kernel overwrites the oldest page, and the next one that is read says how many events that were; so a gap stands where
 * it is. CPUs that come online later are recorded too.
 */
final class TracefsCapture implements Capture {
    private static final int PIPE_BYTES = 1 << 20;
    private static final int USUAL_PIPE_BYTES = 1 << 16;

    /** More than a CPU can write: 3 million events/s of 60 bytes. */
    private static final int BYTES_PER_MS = 180_000;

    private static final int SHARE_OF_BUFFER = 4;
    private static final int POLL_SIZE = 8;
    private static final int POLL_EVENTS = 4;
    private static final short POLLIN = 1;

    private final Tracefs tracefs;
    private final EventDescriptions descriptions;
    private final CpuMask online;
    private final TracefsInstance instance;
    private final int pageSize;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment waitedFor = arena.allocate(POLL_SIZE, Long.BYTES);
    private final List<CpuTracePipe> pipes = new ArrayList<>();
    private final Map<Integer, String> names = new TreeMap<>();
    private List<Integer> cpus = List.of();
    private OpenFiles.@Nullable Ends pipe;
    private @Nullable PageSpill spill;
    private @Nullable Path path;
    private @Nullable RecordingNote note;

    /**
     * @param bufferBytes each CPU's buffer
     * @throws RefusedException the kernel does not let us
     */
    TracefsCapture(Tracefs tracefs, List<RecordedEvent> events, CpuMask online, int bufferBytes) {
        this.tracefs = tracefs;
        this.online = online;
        descriptions = new EventDescriptions(tracefs, events);
        pageSize = descriptions.bufferPageSize(OpenFiles.pageSize());
        try {
            instance = new TracefsInstance(tracefs.folder(), events, bufferBytes);
        } catch (RefusedException e) {
            arena.close();
            throw e;
        }
        try {
            openPipes();
        } catch (SystemCallException e) {
            close();
            throw new RefusedException("the trace buffer cannot be read (" + e.getMessage() + ")", e);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void openPipes() {
        OpenFiles.Ends ends = OpenFiles.pipe();
        pipe = ends;
        int room = Math.max(pageSize, USUAL_PIPE_BYTES);
        try {
            OpenFiles.setPipeSize(ends.second(), PIPE_BYTES);
            room = PIPE_BYTES;
        } catch (SystemCallException e) {
            // more than is allowed; what it has will do
        }
        MemorySegment pages = arena.allocate(room, pageSize);
        cpus = instance.cpus();
        for (int i = 0; i < cpus.size(); i++) {
            String file = instance.ofCpu(cpus.get(i), "trace_pipe_raw").toString();
            pipes.add(new CpuTracePipe(i, file, ends, pages, pageSize));
        }
    }

    @Override
    public void begin(Path file, RecordingNote made) throws IOException {
        path = file;
        note = made;
        spill = new PageSpill(file, cpus.size());
        RunningTasks.addNames(Path.of("/proc"), names);
    }

    private PageSpill spill() {
        if (spill == null) {
            throw new IllegalStateException("the recording has not begun");
        }
        return spill;
    }

    @Override
    public void enable() {
        instance.record(true);
    }

    @Override
    public void await(int wakeup, int milliseconds) {
        waitedFor.set(JAVA_INT, 0, wakeup);
        waitedFor.set(JAVA_SHORT, POLL_EVENTS, POLLIN);
        int step = Math.max(1, instance.bufferBytes() / SHARE_OF_BUFFER / BYTES_PER_MS);
        OpenFiles.poll(waitedFor, 1, milliseconds < 0 ? step : Math.min(step, milliseconds));
    }

    @Override
    public void drain() throws IOException {
        for (CpuTracePipe cpu : pipes) {
            cpu.drain(spill());
        }
    }

    @Override
    public void disable() {
        instance.record(false);
    }

    @Override
    public Written finish() throws IOException {
        for (CpuTracePipe cpu : pipes) {
            cpu.finish(spill());
        }
        long read = 0;
        long lost = 0;
        TraceDatFile file = new TraceDatFile();
        for (int cpu : cpus) {
            String statistics = instance.statistics(cpu);
            TracefsInstance.Counts counts = TracefsInstance.counts(statistics);
            read += counts.read();
            lost += counts.lost();
            file.statistics(cpu, statistics);
        }
        Path target = path;
        RecordingNote made = note;
        if (target == null || made == null) {
            throw new IllegalStateException("the recording has not begun");
        }
        file.clock(instance.clocks());
        file.machine(HostTopology.live(), cpus.size(), made);
        byte[] head = TraceDatFile.descriptions(descriptions, pageSize, names());
        return new Written(read, lost, file.write(target, head, cpus, spill(), pageSize));
    }

    /** Names of the tasks that were there at the beginning, were seen by the tracer, or are there at the end. */
    private byte[] names() {
        String saved = new String(tracefs.bytes("saved_cmdlines"), StandardCharsets.UTF_8);
        saved.lines().filter(line -> line.matches("[0-9]{1,9} .+")).forEach(line -> {
            int blank = line.indexOf(' ');
            names.put(Integer.parseInt(line.substring(0, blank)), line.substring(blank + 1));
        });
        RunningTasks.addNames(Path.of("/proc"), names);
        StringBuilder lines = new StringBuilder();
        names.forEach(
                (task, name) -> lines.append(task).append(' ').append(name).append('\n'));
        return lines.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public int cpus() {
        return online.count();
    }

    @Override
    public int bufferBytes() {
        return instance.bufferBytes();
    }

    @Override
    public void close() {
        pipes.forEach(CpuTracePipe::close);
        instance.close();
        OpenFiles.Ends ends = pipe;
        if (ends != null) {
            OpenFiles.close(ends.first());
            OpenFiles.close(ends.second());
        }
        try {
            if (spill != null) {
                spill.close();
            }
        } catch (IOException e) {
            // it was temporary
        }
        arena.close();
    }
}
