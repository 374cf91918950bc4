package dev.perch.sim.workload;

import dev.perch.model.Cost;
import dev.perch.sim.workload.WorkloadKind.Measure;
import java.util.List;

/**
 * Many threads and fewer tokens that go round among them: who has one works a little, hands it to the thread that waits longest, and
 * waits. Nearly every wakeup is for another CPU, and every one makes a context switch: the load of the context-switch benchmark of December
 * 2011 and of sembench, whose sources were not published with their results.
 *
 * <p>Limitations: the anatomy is assumed; sembench wakes in batches.
 */
final class SemaphoreRing implements Recipe {
    private static final WorkloadKind KIND = new WorkloadKind(
            "semaphore",
            "threads that hand tokens round through a semaphore, the longest waiting one first",
            "after the context-switch benchmark named on linux-kernel in December 2011, and sembench",
            Measure.RATE,
            "hand-overs/s",
            List.of(
                    "threads=N threads (twice the number of CPUs)",
                    "tokens=N threads that work at a time (half the number of CPUs)"));

    @Override
    public WorkloadKind kind() {
        return KIND;
    }

    @Override
    public void add(Workload.Builder builder, Options options, Site site) {
        int threads = options.number("threads", 2 * site.cpuCount(), 16_384);
        int tokens = options.number("tokens", Math.max(1, site.cpuCount() / 2), 16_384);
        Cost futex = site.call("futex");
        int instance = builder.addInstance(KIND);
        int latency = builder.addSeries(instance, "wakeup latency");
        int semaphore = builder.addSemaphore(tokens, threads + tokens);
        int process = builder.addProcess();
        Program program = new Program.Builder()
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
        for (int thread = 0; thread < threads; thread++) {
            builder.addThread(process, "sembench", program, site.free(), instance);
        }
    }
}
