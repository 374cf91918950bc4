package dev.perch.host.bench;

import dev.perch.host.linux.MemoryFile;
import dev.perch.host.linux.OpenFiles;
import dev.perch.host.linux.TaskUse;
import dev.perch.host.machinecode.Processor;
import dev.perch.model.CpuMask;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Two processes that send each other one short message after the other, as those of perf bench sched pipe do. They do nothing else: they count
 * rounds in shared memory, and this program reads the count and the clock when the warm-up is over and at the end.
 *
 * <p>Limitation: the count of switches and migrations is read just before and just after that, some 0.1 ms from it.
 */
public final class ProcessPair {
    private final PingPong.Spec spec;
    private final BooleanSupplier stopped;

    /** @param stopped asked now and then; once it is true the run ends with {@link StoppedException} */
    ProcessPair(PingPong.Spec spec, BooleanSupplier stopped) {
        this.spec = spec;
        this.stopped = stopped;
    }

    /**
     * Measures a benchmark: µs an operation takes, a message there and one back.
     *
     * @param first CPUs of the end that begins, empty for all
     * @param second CPUs of the other one, empty for all
     */
    public static double microseconds(
            Benchmark benchmark, CpuMask first, CpuMask second, long warmupNs, long durationNs, BooleanSupplier stopped)
            throws InterruptedException {
        LinkKind link = benchmark
                .link()
                .orElseThrow(() -> new IllegalArgumentException(benchmark.word() + " is not a pair of tasks"));
        PingPong.Spec spec = new PingPong.Spec(link, first, second, warmupNs, durationNs);
        return new ProcessPair(spec, stopped).run().microsecondsARound();
    }

    /** Measures. */
    PingPong.Run run() throws InterruptedException {
        Processor processor = Processor.current();
        long parent = ProcessHandle.current().pid();
        boolean futexes = spec.kind() == LinkKind.FUTEX;
        try (LinkEnds ends = new LinkEnds(spec.kind());
                MemoryFile shared = MemoryFile.ofData("perch-shared", new byte[TaskProgram.SHARED_BYTES]);
                MemoryFile first = Crew.program(
                        futexes
                                ? TaskProgram.firstOfFutexes(processor, parent)
                                : TaskProgram.firstOfFiles(processor, parent));
                MemoryFile second = Crew.program(
                        futexes
                                ? TaskProgram.secondOfFutexes(processor, parent)
                                : TaskProgram.secondOfFiles(processor, parent))) {
            return Crew.lead(stopped, crew -> {
                crew.start(second, spec.second(), files(shared, ends, 1));
                crew.start(first, spec.first(), files(shared, ends, 0));
                return measure(crew, shared);
            });
        }
    }

    private static int[] files(MemoryFile shared, LinkEnds ends, int end) {
        return IntStream.concat(IntStream.of(shared.number()), IntStream.of(ends.files(end)))
                .toArray();
    }

    private PingPong.Run measure(Crew crew, MemoryFile shared) throws InterruptedException {
        MemorySegment memory = OpenFiles.map(shared.number(), TaskProgram.SHARED_BYTES);
        try {
            pause(crew, memory, 0, spec.warmupNs());
            TaskUse before = crew.use();
            int roundsBefore = TaskProgram.counted(memory);
            long start = System.nanoTime();
            pause(crew, memory, roundsBefore, spec.durationNs());
            int rounds = TaskProgram.counted(memory) - roundsBefore;
            long ns = System.nanoTime() - start;
            TaskUse use = crew.use().since(before);
            return new PingPong.Run(Integer.toUnsignedLong(rounds), ns, use);
        } finally {
            OpenFiles.unmap(memory);
        }
    }

    /** Sleeps so long at least, and until there is a round. */
    private static void pause(Crew crew, MemorySegment memory, int roundsBefore, long ns) throws InterruptedException {
        long end = System.nanoTime() + ns;
        long look = TimeUnit.MILLISECONDS.toNanos(Crew.LOOK_MS);
        for (long left = ns; left > 0 || TaskProgram.counted(memory) == roundsBefore; left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.sleep(left > 0 ? Math.min(left, look) : TimeUnit.MILLISECONDS.toNanos(1));
            crew.requireNoneFailed();
        }
    }
}
