package dev.perch.bench;

import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.trace.Recording;
import dev.perch.trace.RecordingSummary;
import dev.perch.trace.Recordings;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How fast a recording is read into a sink that does nothing: events a second on one core, those of kinds that are skipped included.
 *
 * <p>Give a large recording with {@code -p recording=FILE}, made for instance by {@code perf sched record -a -m 8M -- perf bench sched
 * messaging -g 20 -l 2000}. Aim: 5 million events a second from perf.data.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xmx512m", "-XX:+UseSerialGC"})
public class BinaryReadBench {
    @Param("perf.data")
    public String recording = "perf.data";

    /** Counts what was read, so that JMH prints events a second. */
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    @State(Scope.Thread)
    public static class Read {
        public long events;
    }

    @Benchmark
    public RecordingSummary read(Read read) {
        try (Recording opened = Recordings.open(Path.of(recording))) {
            RecordingSummary summary = opened.read(new SchedEvents() {}, new TaskNames());
            long skipped = summary.skipped().values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            read.events += summary.events() + skipped;
            return summary;
        }
    }
}
