package dev.perch.host.record;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.perch.host.linux.OpenFiles;
import dev.perch.host.linux.PidNamespace;
import dev.perch.host.linux.SystemCallException;
import dev.perch.model.CpuMask;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * The perf events of a recording: on every CPU one that tells of tasks, with a ring, and one for each tracepoint, whose records go to the
 * same ring, so that a CPU's records stand in order of time.
 *
 * <p>Limitation: CPUs that come online later are not recorded.
 */
final class PerfEvents implements AutoCloseable {
    private static final long ENABLE = 0x2400;
    private static final long DISABLE = 0x2401;
    private static final long SET_OUTPUT = 0x2405;
    private static final long ID = 0x80082407L;
    private static final long CLOSE_ON_EXEC = 8;
    private static final int SMALLEST_RING = 1 << 16;

    private static final int WAKEUPS_A_RING = 4;

    private static final int POLL_SIZE = 8;
    private static final int POLL_EVENTS = 4;
    private static final short POLLIN = 1;

    private final Arena arena = Arena.ofShared();
    private final List<Source> sources = new ArrayList<>();
    private final List<PerfRing> rings = new ArrayList<>();
    private final List<Integer> cpus = new ArrayList<>();
    private final List<Integer> taskFiles = new ArrayList<>();
    private final List<Integer> tracepointFiles = new ArrayList<>();
    private final int pageSize;
    private boolean countsLost = true;
    private final int ringSize;
    private MemorySegment waitedFor = MemorySegment.NULL;

    /**
     * One kind of event, on all CPUs.
     *
     * @param attribute struct perf_event_attr
     * @param ids one for each CPU, by which samples name the event
     */
    record Source(String name, byte[] attribute, List<Long> ids) {}

    private PerfEvents(int pageSize, int ringSize) {
        this.pageSize = pageSize;
        this.ringSize = ringSize;
    }

    /**
     * Opens, but does not enable, the events.
     *
     * @param ringSize bytes for each CPU, a power of two; less is taken for all if so much memory may not be locked
     * @throws SystemCallException the kernel refuses
     */
    static PerfEvents open(List<RecordedEvent> tracepoints, CpuMask cpus, int pageSize, int ringSize) {
        for (int size = ringSize; ; size /= 2) {
            PerfEvents events = new PerfEvents(pageSize, size);
            try {
                events.openAll(tracepoints, cpus);
                return events;
            } catch (SystemCallException e) {
                events.close();
                if (!isTooLarge(e) || size <= SMALLEST_RING) {
                    throw e;
                }
            } catch (RuntimeException e) {
                events.close();
                throw e;
            }
        }
    }

    /** Whether a ring could not be had because it is too large: more memory than may be locked, or than there is. */
    static boolean isTooLarge(SystemCallException failure) {
        return failure.call().equals(OpenFiles.MAP_CALL)
                && (failure.errno() == SystemCallException.EPERM || failure.errno() == SystemCallException.ENOMEM);
    }

    private void openAll(List<RecordedEvent> tracepoints, CpuMask cpuMask) {
        for (RecordedEvent event : tracepoints) {
            sources.add(new Source(event.fullName(), PerfAttribute.tracepoint(event.id()), new ArrayList<>()));
        }
        byte[] tasks = PerfAttribute.tasks(PidNamespace.isFirst());
        PerfAttribute.wakeEvery(tasks, ringSize / WAKEUPS_A_RING);
        sources.add(new Source("dummy:HG", tasks, new ArrayList<>()));
        for (int cpu = cpuMask.first(); cpu >= 0; cpu = cpuMask.next(cpu + 1)) {
            openOn(cpu);
        }
    }

    private void openOn(int cpu) {
        cpus.add(cpu);
        int owner = open(sources.getLast(), cpu, taskFiles);
        rings.add(new PerfRing(owner, pageSize, ringSize));
        for (Source source : sources.subList(0, sources.size() - 1)) {
            int file = open(source, cpu, tracepointFiles);
            OpenFiles.ioctl(file, SET_OUTPUT, owner);
        }
    }

    private int open(Source source, int cpu, List<Integer> files) {
        try (Arena call = Arena.ofConfined()) {
            int file = open(source.attribute(), cpu, call);
            files.add(file);
            MemorySegment id = call.allocate(JAVA_LONG);
            OpenFiles.ioctl(file, ID, id.address());
            source.ids().add(id.get(JAVA_LONG, 0));
            return file;
        }
    }

    private int open(byte[] attribute, int cpu, Arena call) {
        if (countsLost) {
            PerfAttribute.countLost(attribute);
            try {
                return OpenFiles.perfEventOpen(call.allocateFrom(JAVA_BYTE, attribute), -1, cpu, -1, CLOSE_ON_EXEC);
            } catch (SystemCallException e) {
                if (e.errno() != SystemCallException.EINVAL) {
                    throw e;
                }
                countsLost = false;
                PerfAttribute.doNotCountLost(attribute);
            }
        }
        return OpenFiles.perfEventOpen(call.allocateFrom(JAVA_BYTE, attribute), -1, cpu, -1, CLOSE_ON_EXEC);
    }

    /** From now on the rings are told of new tasks and names. */
    void enableTasks() {
        taskFiles.forEach(file -> OpenFiles.ioctl(file, ENABLE, 0));
    }

    void enableTracepoints() {
        tracepointFiles.forEach(file -> OpenFiles.ioctl(file, ENABLE, 0));
    }

    void disable() {
        tracepointFiles.forEach(file -> OpenFiles.ioctl(file, DISABLE, 0));
        taskFiles.forEach(file -> OpenFiles.ioctl(file, DISABLE, 0));
    }

    /**
     * Waits until a quarter of a ring has been filled or {@code wakeup} can be read.
     *
     * @param milliseconds −1: for ever
     */
    void await(int wakeup, int milliseconds) {
        int count = taskFiles.size() + 1;
        if (waitedFor.byteSize() == 0) {
            waitedFor = arena.allocate((long) POLL_SIZE * count, Long.BYTES);
            for (int i = 0; i < count; i++) {
                int file = i == 0 ? wakeup : taskFiles.get(i - 1);
                waitedFor.set(JAVA_INT, (long) i * POLL_SIZE, file);
                waitedFor.set(JAVA_SHORT, (long) i * POLL_SIZE + POLL_EVENTS, POLLIN);
            }
        }
        OpenFiles.poll(waitedFor, count, milliseconds);
    }

    /**
     * Moves what all rings hold to the end of {@code file}.
     *
     * @return bytes moved
     */
    long drain(FileChannel file) throws IOException {
        long moved = 0;
        for (int i = 0; i < rings.size(); i++) {
            moved += rings.get(i).drain(file);
        }
        return moved;
    }

    /**
     * Tells the file of dropped events of which the kernel has not told: it does so with the next event that finds room, which the last
     * ones never see. To be called when all is drained. Kernels before 6.0 have no other count.
     *
     * @return how many events were dropped in all
     */
    long tellLost(PerfDataFile data) throws IOException {
        long all = 0;
        for (int i = 0; i < rings.size(); i++) {
            PerfRing ring = rings.get(i);
            long untold = countsLost ? counted(i) - ring.lost() : 0;
            if (untold > 0) {
                data.addLost(sources.getFirst().ids().get(i), untold, cpus.get(i), ring.lastNs());
            }
            all += ring.lost() + Math.max(0, untold);
        }
        return all;
    }

    /** What the kernel counted as dropped of the ring's events. */
    private long counted(int ring) {
        int each = tracepointFiles.size() / rings.size();
        long counted = 0;
        try (Arena call = Arena.ofConfined()) {
            // The event's value, its id, and how many of its samples were dropped.
            MemorySegment values = call.allocate(JAVA_LONG, 3);
            for (int file : tracepointFiles.subList(ring * each, (ring + 1) * each)) {
                OpenFiles.read(file, values, values.byteSize());
                counted += values.getAtIndex(JAVA_LONG, 2);
            }
        }
        return counted;
    }

    List<Source> sources() {
        return sources;
    }

    List<PerfRing> rings() {
        return rings;
    }

    /** Bytes that each CPU's ring holds. */
    int ringSize() {
        return ringSize;
    }

    @Override
    public void close() {
        rings.forEach(PerfRing::close);
        tracepointFiles.forEach(OpenFiles::close);
        taskFiles.forEach(OpenFiles::close);
        arena.close();
    }
}
