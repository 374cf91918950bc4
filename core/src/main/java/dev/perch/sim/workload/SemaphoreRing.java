package dev.perch.sim.workload;

import dev.perch.model.Cost;
import dev.perch.sim.workload.WorkloadKind.Measure;
import java.util.List;

/**
 * Many threads and fewer tokens that go round among them: who has one works a little, hands it to the thread that waits longest, and
 * waits. Nearly every wakeup is for another CPU, and every one makes a context switch: the load of the context-switch benchmark of December
 * 2011, whose source was not published with its results.
 *
 * <p>With {@code wake=N} the load of sembench: one thread more does nothing but wake those that wait, up to N by one call; a woken thread
 * works a little and waits again.
 *
 * <p>Limitation: both anatomies are assumed.
 */
final class SemaphoreRing implements Recipe {
    private static final int NO_WAKER = 0;

    private static final WorkloadKind KIND = new WorkloadKind(
            "semaphore",
            "threads that hand tokens round through a semaphore, the longest waiting one first",
            "after the context-switch benchmark named on linux-kernel in December 2011, and sembench",
            Measure.RATE,
            "hand-overs/s",
            List.of(
                    "threads=N threads (twice the number of CPUs)",
                    "tokens=N threads that work at a time (half the number of CPUs)",
                    "wake=N a thread of its own wakes up to N at a time, instead of tokens (no)"));

    @Override
    public WorkloadKind kind() {
        return KIND;
    }

    @Override
    public void add(Workload.Builder builder, Options options, Site site) {
        int threads = options.number("threads", 2 * site.cpuCount(), 16_384);
        int tokens = options.number("tokens", Math.max(1, site.cpuCount() / 2), 16_384);
        int wake = options.number("wake", NO_WAKER, 16_384);
        int instance = builder.addInstance(KIND);
        int latency = builder.addSeries(instance, "wakeup latency");
        int process = builder.addProcess();
        Program program = wake == NO_WAKER
                ? handsOver(builder, site, latency, threads, tokens)
                : isWoken(builder, site, latency, process, instance, wake);
        for (int thread = 0; thread < threads; thread++) {
            builder.addThread(process, "sembench", program, site.free(), instance);
        }
    }

    private static Program handsOver(Workload.Builder builder, Site site, int latency, int threads, int tokens) {
        Cost futex = site.call("futex");
        int semaphore = builder.addSemaphore(tokens, threads + tokens);
        return new Program.Builder()
                .kernel(futex)
                .waitFor(semaphore)
                .measure(latency)
                .returnToUser()
                .user(site.cost("semaphore", "work"))
                .count()
                .kernel(futex)
                .post(semaphore, 1)
                .returnToUser()
                .jump(0)
                .build();
    }

    /** The program of a worker; adds the thread that wakes them. */
    private static Program isWoken(
            Workload.Builder builder, Site site, int latency, int process, int instance, int wake) {
        Cost futex = site.call("futex");
        int waiting = builder.addCondition();
        int lock = builder.addLock();
        Program waker = new Program.Builder()
                .kernel(futex)
                .signal(waiting, wake)
                .returnToUser()
                .jump(0)
                .build();
        builder.addThread(process, "sembench", waker, site.free(), instance);
        return new Program.Builder()
                .kernel(futex)
                .conditionWait(waiting, lock)
                .unlock(lock)
                .measure(latency)
                .returnToUser()
                .user(site.cost("semaphore", "work"))
                .count()
                .jump(0)
                .build();
    }
}
