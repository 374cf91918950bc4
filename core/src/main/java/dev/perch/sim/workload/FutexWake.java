package dev.perch.sim.workload;

import dev.perch.model.Cost;
import dev.perch.sim.workload.WorkloadKind.Measure;
import java.util.List;

/**
 * One thread that wakes many blocked ones through a futex, some at a time, over and over ({@code perf bench futex wake}).
 *
 * <p>The waker begins when all are about to block, as the original waits until all are blocked.
 */
final class FutexWake implements Recipe {
    private static final WorkloadKind KIND = new WorkloadKind(
            "futex",
            "a thread that wakes many others through a futex, round after round",
            "perf bench futex wake",
            Measure.RATE,
            "wakeups/s",
            List.of("waiters=N threads that are woken (the number of CPUs)", "wake=N threads woken by one call (1)"));

    @Override
    public WorkloadKind kind() {
        return KIND;
    }

    @Override
    public void add(Workload.Builder builder, Options options, Site site) {
        int waiters = options.number("waiters", site.cpuCount(), 16_384);
        int wake = options.number("wake", 1, 16_384);
        Cost futex = site.call("futex");
        int instance = builder.addInstance(KIND);
        int latency = builder.addSeries(instance, "wakeup latency");
        int ready = builder.addSemaphore(0, waiters);
        int gate = builder.addSemaphore(0, waiters);
        int process = builder.addProcess();
        Program.Builder waker = new Program.Builder().waitFor(ready).repeat(0, 0, waiters);
        for (int left = waiters; left > 0; left -= wake) {
            waker.kernel(futex).post(gate, Math.min(wake, left)).returnToUser();
        }
        builder.addThread(process, "futex", waker.jump(0).build(), site.free(), instance);
        Program waiter = new Program.Builder()
                .post(ready, 1)
                .kernel(futex)
                .waitFor(gate)
                .measure(latency)
                .count()
                .returnToUser()
                .jump(0)
                .build();
        for (int i = 0; i < waiters; i++) {
            builder.addThread(process, "futex", waiter, site.free(), instance);
        }
    }
}
