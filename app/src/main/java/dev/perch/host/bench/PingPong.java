package dev.perch.host.bench;

import dev.perch.host.linux.HostThread;
import dev.perch.host.linux.SystemCallException;
import dev.perch.host.linux.TaskUse;
import dev.perch.model.CpuMask;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Two tasks that send each other one short message after the other: the workload of perf bench sched pipe and of netperf TCP_RR, on the
 * machine that Perch runs on.
 *
 * <p>The two are threads of this process, which end with the run, so that no pinning outlives it; {@link ProcessPair} does the same with processes. The clock is read every {@value #ROUNDS_PER_LOOK} rounds.
 *
 * <p>Limitation: both ends run in a Java virtual machine, whose own threads now and then run on the same CPUs; they hardly do once the loop is
 * compiled, which the warm-up is for.
 */
public final class PingPong {
    private static final int ROUNDS_PER_LOOK = 32;

    /**
     * What was measured.
     *
     * @param rounds there and back again
     * @param ns for all of them
     * @param use what both tasks went through meanwhile
     */
    public record Run(long rounds, long ns, TaskUse use) {
        /** µs a round. */
        public double microsecondsARound() {
            return ns / 1e3 / rounds;
        }

        /** Rounds a second. */
        public double roundsASecond() {
            return rounds * 1e9 / ns;
        }
    }

    /**
     * What to measure.
     *
     * @param first CPUs of the task that begins, empty for all
     * @param second CPUs of the other one, empty for all
     * @param warmupNs how long before measuring
     * @param durationNs how long measured
     */
    public record Spec(LinkKind kind, CpuMask first, CpuMask second, long warmupNs, long durationNs) {}

    private final Spec spec;
    private final BooleanSupplier stopped;

    /**
     * @param stopped asked now and then; once it is true the run ends with {@link StoppedException}
     */
    public PingPong(Spec spec, BooleanSupplier stopped) {
        this.spec = spec;
        this.stopped = stopped;
    }

    /**
     * Measures between two threads of this process.
     *
     * @throws SystemCallException as when a CPU may not be used
     */
    public Run betweenThreads() throws InterruptedException {
        try (LinkEnds ends = new LinkEnds(spec.kind)) {
            CompletableFuture<TaskUse> second = HostThread.start(
                    "ping-pong-second", () -> with(ends, 1, spec.second, PingPong::answerUntilStopped));
            CompletableFuture<Run> first =
                    HostThread.start("ping-pong-first", () -> with(ends, 0, spec.first, this::ask));
            // Whichever end fails, the other one may wait for it for ever; nobody waits for that one then.
            second.exceptionally(failure -> {
                first.completeExceptionally(failure);
                return TaskUse.NONE;
            });
            Run run = HostThread.await(first);
            return new Run(run.rounds, run.ns, run.use.plus(HostThread.await(second)));
        }
    }

    private static <T> T with(LinkEnds ends, int end, CpuMask cpus, Function<Link, T> work) {
        HostThread.pin(cpus);
        try (Link link = ends.link(end)) {
            return work.apply(link);
        }
    }

    private Run ask(Link link) {
        try {
            rounds(link, spec.warmupNs);
            link.send(Link.COUNT);
            link.receive();
            TaskUse before = TaskUse.now();
            long start = System.nanoTime();
            long rounds = rounds(link, spec.durationNs);
            long ns = System.nanoTime() - start;
            TaskUse use = TaskUse.now().since(before);
            link.send(Link.STOP);
            return new Run(rounds, ns, use);
        } catch (StoppedException e) {
            link.send(Link.STOP);
            throw e;
        }
    }

    private long rounds(Link link, long durationNs) {
        long end = System.nanoTime() + durationNs;
        long rounds = 0;
        do {
            askSome(link);
            rounds += ROUNDS_PER_LOOK;
            if (stopped.getAsBoolean()) {
                throw new StoppedException();
            }
        } while (System.nanoTime() < end);
        return rounds;
    }

    /** A method of its own: the compiler replaces it from one call to the next, and need not do so in the middle of the loop. */
    private static void askSome(Link link) {
        for (int i = 0; i < ROUNDS_PER_LOOK; i++) {
            link.send(Link.GO_ON);
            link.receive();
        }
    }

    /** The second task: sends back what it gets until it is told to stop. */
    private static TaskUse answerUntilStopped(Link link) {
        TaskUse before = TaskUse.NONE;
        int message = answerSome(link);
        while (message != Link.STOP) {
            if (message == Link.COUNT) {
                before = TaskUse.now();
                link.send(Link.GO_ON);
            }
            message = answerSome(link);
        }
        return TaskUse.now().since(before);
    }

    /** @return the last message, which is not answered unless it is {@link Link#GO_ON} */
    private static int answerSome(Link link) {
        for (int i = 0; i < ROUNDS_PER_LOOK; i++) {
            int message = link.receive();
            if (message != Link.GO_ON) {
                return message;
            }
            link.send(Link.GO_ON);
        }
        return Link.GO_ON;
    }
}
