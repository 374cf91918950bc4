package dev.perch.host;

import dev.perch.model.CpuMask;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Two tasks that send each other one short message after the other: the workload of perf bench sched pipe and of netperf TCP_RR, on the
 * machine that Perch runs on.
 *
 * <p>The two are threads of this process, or of two processes. Each runs in a thread of its own that ends with the run, so that no
 * pinning outlives it. The clock is read every {@value #ROUNDS_PER_LOOK} rounds.
 *
 * <p>Limitation: both ends run in a Java virtual machine, whose own threads now and then run on the same CPUs; they hardly do once the loop is
 * compiled, which the warm-up is for.
 */
final class PingPong {
    private static final int ROUNDS_PER_LOOK = 32;

    /**
     * What was measured.
     *
     * @param rounds there and back again
     * @param ns for all of them
     * @param use what both tasks went through meanwhile
     */
    record Run(long rounds, long ns, TaskUse use) {
        /** µs a round. */
        double microsecondsARound() {
            return ns / 1e3 / rounds;
        }

        /** Rounds a second. */
        double roundsASecond() {
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
    record Spec(LinkKind kind, CpuMask first, CpuMask second, long warmupNs, long durationNs) {}

    private PingPong() {}

    /**
     * Measures between two threads of this process.
     *
     * @param folder for files of the link
     * @throws SystemCallException as when a CPU may not be used
     */
    static Run betweenThreads(Spec spec, Path folder) throws InterruptedException {
        try (Wiring wiring = new Wiring(spec.kind, folder)) {
            FutureTask<TaskUse> second = new FutureTask<>(() -> {
                pin(spec.second);
                return answerUntilStopped(spec.kind, wiring.address());
            });
            start(second, "second");
            return measured(spec, wiring, second::get);
        }
    }

    /** Measures between a thread of this process and one of {@code peer}. */
    static Run betweenProcesses(Spec spec, Path folder, PeerProcess peer) throws InterruptedException {
        try (Wiring wiring = new Wiring(spec.kind, folder)) {
            peer.ask(spec.kind, spec.second, wiring.address());
            return measured(spec, wiring, peer::answer);
        }
    }

    /** How the second task is waited for. */
    @FunctionalInterface
    private interface Other {
        TaskUse finish() throws InterruptedException, ExecutionException;
    }

    private static Run measured(Spec spec, Wiring wiring, Other other) throws InterruptedException {
        FutureTask<Run> first = new FutureTask<>(() -> {
            pin(spec.first);
            try (Link link = wiring.first()) {
                return ask(link, spec);
            }
        });
        start(first, "first");
        try {
            Run run = first.get();
            return new Run(run.rounds, run.ns, run.use.plus(other.finish()));
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException reason ? reason : new IllegalStateException(e.getCause());
        }
    }

    private static void start(FutureTask<?> task, String name) {
        Thread thread = new Thread(task, "ping-pong-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void pin(CpuMask cpus) {
        if (!cpus.isEmpty()) {
            Linux.setAffinity(cpus);
        }
    }

    private static Run ask(Link link, Spec spec) {
        rounds(link, spec.warmupNs);
        TaskUse before = TaskUse.now();
        long start = System.nanoTime();
        long rounds = rounds(link, spec.durationNs);
        long ns = System.nanoTime() - start;
        TaskUse use = TaskUse.now().since(before);
        link.send(Link.STOP);
        return new Run(rounds, ns, use);
    }

    private static long rounds(Link link, long durationNs) {
        long end = System.nanoTime() + durationNs;
        long rounds = 0;
        do {
            for (int i = 0; i < ROUNDS_PER_LOOK; i++) {
                link.send(Link.GO_ON);
                link.receive();
            }
            rounds += ROUNDS_PER_LOOK;
        } while (System.nanoTime() < end);
        return rounds;
    }

    /** The second task: sends back what it gets until it is told to stop. */
    static TaskUse answerUntilStopped(LinkKind kind, String address) {
        try (Link link = Wiring.second(kind, address)) {
            TaskUse before = TaskUse.now();
            while (link.receive() != Link.STOP) {
                link.send(Link.GO_ON);
            }
            return TaskUse.now().since(before);
        }
    }
}
