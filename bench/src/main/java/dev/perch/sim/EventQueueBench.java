package dev.perch.sim;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The hold model: take the earliest event, schedule its slot again a random time later. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class EventQueueBench {
    /** 43 slots: one pair on eight CPUs. */
    @Param({"43", "1000", "16000"})
    private int slots;

    private EventQueue queue;
    private long random = 42;

    @Setup
    public void fill() {
        queue = new EventQueue(slots);
        for (int slot = 0; slot < slots; slot++) {
            queue.schedule(slot, delay());
        }
    }

    private long delay() {
        random ^= random << 13;
        random ^= random >>> 7;
        random ^= random << 17;
        return random >>> 44;
    }

    @Benchmark
    public long hold() {
        long now = queue.nextTime();
        queue.schedule(queue.take(), now + delay());
        return now;
    }
}
