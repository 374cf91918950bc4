package dev.perch.host.record;

import dev.perch.host.linux.KernelFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A trace buffer of our own: a folder below tracefs' {@code instances}, with its own switches, events, clock and buffers, so that whoever else traces
 * is not disturbed. It is called after our process and goes when it is closed; one that a killed process has left behind goes when the next begins.
 *
 * <p>Source: Documentation/trace/ftrace.rst, "Instances".
 */
final class TracefsInstance implements AutoCloseable {
    private static final String PREFIX = "perch-";
    private static final Path PROC = Path.of("/proc");
    private static final int SMALLEST_BUFFER = 1 << 16;
    private static final Pattern COUNTER =
            Pattern.compile("(?m)^(overrun|commit overrun|dropped events|read events): (\\d{1,18})$");

    /** Clocks that count nanoseconds and that all CPUs share, the best first. */
    private static final List<String> CLOCKS = List.of("mono", "perf", "global");

    private final Path folder;
    private int bufferBytes;

    /**
     * What the kernel counted on a CPU.
     *
     * @param read events that have been read
     * @param lost events that were overwritten or dropped before
     */
    record Counts(long read, long lost) {}

    /**
     * Makes the folder and sets it up; nothing is recorded yet.
     *
     * @param bufferBytes for each CPU; less is taken if there is not so much memory
     * @throws RefusedException the kernel does not let us
     */
    TracefsInstance(Path tracefs, List<RecordedEvent> events, int bufferBytes) {
        this.bufferBytes = bufferBytes;
        Path instances = tracefs.resolve("instances");
        removeLeftovers(instances, PROC);
        folder = instances.resolve(PREFIX + ProcessHandle.current().pid());
        try {
            Files.createDirectory(folder);
        } catch (IOException e) {
            throw new RefusedException(
                    "a trace buffer cannot be made (" + folder + ": " + Tracefs.reason(e)
                            + "), which takes root, a tracefs mounted for writing, and Linux 3.10 or newer"
                            + Refusal.lockdown(),
                    e);
        }
        try {
            setUp(events);
        } catch (IOException e) {
            close();
            throw new RefusedException(
                    "the trace buffer " + folder + " cannot be set up: " + Tracefs.reason(e) + Refusal.lockdown(), e);
        }
    }

    private void setUp(List<RecordedEvent> events) throws IOException {
        write("tracing_on", "0");
        chooseClock();
        allocate();
        for (RecordedEvent event : events) {
            write("events/" + event.system() + "/" + event.name() + "/enable", "1");
        }
    }

    private void chooseClock() throws IOException {
        String known = KernelFile.text(folder.resolve("trace_clock"));
        for (String clock : CLOCKS) {
            if (known.matches("(?s).*\\b" + clock + "\\b.*")) {
                write("trace_clock", clock);
                return;
            }
        }
    }

    private void allocate() throws IOException {
        while (true) {
            try {
                write("buffer_size_kb", Integer.toString(bufferBytes >> 10));
                return;
            } catch (IOException e) {
                if (bufferBytes <= SMALLEST_BUFFER) {
                    throw e;
                }
                bufferBytes /= 2;
            }
        }
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text, StandardOpenOption.WRITE);
    }

    /** Begins or stops to record. */
    void record(boolean on) {
        try {
            write("tracing_on", on ? "1" : "0");
        } catch (IOException e) {
            throw new IllegalStateException("cannot switch " + folder + ": " + Tracefs.reason(e), e);
        }
    }

    /** Numbers of the CPUs that have a buffer, those that are offline included. */
    List<Integer> cpus() {
        List<Integer> cpus = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder.resolve("per_cpu"), "cpu[0-9]*")) {
            entries.forEach(entry ->
                    cpus.add(Integer.parseInt(entry.getFileName().toString().substring(3))));
        } catch (IOException | DirectoryIteratorException e) {
            throw new IllegalStateException("cannot read " + folder + ": " + e.getMessage(), e);
        }
        Collections.sort(cpus);
        return cpus;
    }

    /** A file of a CPU's buffer. */
    Path ofCpu(int cpu, String name) {
        return folder.resolve("per_cpu").resolve("cpu" + cpu).resolve(name);
    }

    /** What the kernel has counted of a CPU's buffer, as it says it. */
    String statistics(int cpu) {
        return new String(KernelFile.bytes(ofCpu(cpu, "stats")), StandardCharsets.UTF_8);
    }

    /** The numbers in such a text. */
    static Counts counts(String statistics) {
        long read = 0;
        long lost = 0;
        Matcher counter = COUNTER.matcher(statistics);
        while (counter.find()) {
            long count = Long.parseLong(counter.group(2));
            if (counter.group(1).equals("read events")) {
                read += count;
            } else {
                lost += count;
            }
        }
        return new Counts(read, lost);
    }

    /** The clocks there are, the chosen one in brackets. */
    String clocks() {
        return KernelFile.text(folder.resolve("trace_clock"));
    }

    /** Bytes of each CPU's buffer. */
    int bufferBytes() {
        return bufferBytes;
    }

    /** Removes the folder; all its files must have been closed. */
    @Override
    public void close() {
        remove(folder);
    }

    /** Removes what processes have left that are no more. The kernel keeps what somebody has open. */
    static void removeLeftovers(Path instances, Path proc) {
        List<Path> left = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(instances, PREFIX + "[0-9]*")) {
            for (Path entry : entries) {
                String pid = entry.getFileName().toString().substring(PREFIX.length());
                if (pid.matches("[0-9]{1,9}") && !Files.exists(proc.resolve(pid))) {
                    left.add(entry);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return; // what cannot be listed cannot be made either, which is said then
        }
        left.forEach(TracefsInstance::remove);
    }

    private static void remove(Path instance) {
        try {
            Files.deleteIfExists(instance);
        } catch (IOException e) {
            // it stays; the next recording tries again
        }
    }
}
