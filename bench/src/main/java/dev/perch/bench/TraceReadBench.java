package dev.perch.bench;

import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import dev.perch.trace.FtraceText;
import dev.perch.trace.Recording;
import dev.perch.trace.RecordingSummary;
import dev.perch.trace.Recordings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How many events (lines) a second are read from text in memory: one thread, warm.
 *
 * <p>Started with the name of a file, {@link #main} reads that file once and tells how long it took, for runs under a small heap.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
        value = 1,
        jvmArgs = {"-Xmx512m"})
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 4, time = 2)
public class TraceReadBench {
    private static final int EVENTS = 600_000;

    private byte[] ftrace = {};
    private byte[] perf = {};

    @Setup
    public void write() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TaskNames names = names();
        try (FtraceText text = new FtraceText(out, names, "a benchmark")) {
            new SyntheticTrace(1).run(EVENTS, text);
        }
        ftrace = out.toByteArray();
        perf = asPerfScript(ftrace);
    }

    static TaskNames names() {
        TaskNames names = new TaskNames();
        for (int pid = 1; pid <= 64; pid++) {
            names.learn(pid, "worker-" + pid);
        }
        return names;
    }

    /** The same lines in the columns of perf script. */
    private static byte[] asPerfScript(byte[] text) {
        StringBuilder out = new StringBuilder(text.length);
        new String(text, StandardCharsets.US_ASCII)
                .lines()
                .filter(line -> !line.startsWith("#"))
                .forEach(line -> {
                    int bracket = line.indexOf('[');
                    int dash = line.lastIndexOf('-', bracket);
                    int time = bracket + 13;
                    int event = line.indexOf(": ", time) + 2;
                    int body = line.indexOf(": ", event) + 2;
                    out.append(line, 0, dash)
                            .append(' ')
                            .append(String.format(
                                    "%5s", line.substring(dash + 1, bracket).strip()));
                    out.append(' ').append(line, bracket, bracket + 6).append(line, time, event);
                    out.append(String.format("%26s", "sched:" + line.substring(event, body - 2)))
                            .append(": ");
                    out.append(line, body, line.length()).append('\n');
                });
        return out.toString().getBytes(StandardCharsets.US_ASCII);
    }

    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public long ftraceText() {
        return read(ftrace);
    }

    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public long perfScript() {
        return read(perf);
    }

    private static long read(byte[] bytes) {
        Sum sum = new Sum();
        try (Recording recording = Recordings.open(new ByteArrayInputStream(bytes), "benchmark")) {
            RecordingSummary summary = recording.read(sum, new TaskNames());
            if (summary.events() != EVENTS || !summary.defects().all().isEmpty()) {
                throw new IllegalStateException(
                        summary.toString() + summary.defects().all());
            }
        }
        return sum.sum;
    }

    /** Touches what it gets, so that nothing is optimised away. */
    private static final class Sum implements SchedEvents {
        private long sum;

        @Override
        public void switched(long ns, int cpu, int prev, int prevPrio, TaskState prevState, int next, int nextPrio) {
            sum += ns + cpu + prev + next;
        }

        @Override
        public void waking(long ns, int cpu, int current, int context, int wakee, int prio, int prevCpu) {
            sum += ns + current + wakee + prevCpu;
        }

        @Override
        public void wakeup(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
            sum += ns + current + wakee + targetCpu;
        }

        @Override
        public void idle(long ns, int cpu, int state) {
            sum += ns + state;
        }
    }

    /**
     * Writes or reads one large file.
     *
     * @param arguments {@code write FILE EVENTS}, or {@code read FILE}
     */
    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments[1]);
        if (arguments[0].equals("write")) {
            try (FtraceText text = new FtraceText(Files.newOutputStream(file), names(), "a benchmark")) {
                new SyntheticTrace(1).run(Integer.parseInt(arguments[2]), text);
            }
            return;
        }
        long start = System.nanoTime();
        try (Recording recording = Recordings.open(file)) {
            RecordingSummary summary = recording.read(new Sum(), new TaskNames());
            double seconds = (System.nanoTime() - start) / 1e9;
            System.out.printf(
                    "%d events in %.2f s: %.2f million a second, defects %s%n",
                    summary.events(),
                    seconds,
                    summary.events() / seconds / 1e6,
                    summary.defects().all());
        }
    }
}
