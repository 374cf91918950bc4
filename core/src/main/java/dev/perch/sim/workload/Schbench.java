package dev.perch.sim.workload;

import dev.perch.model.Cost;
import dev.perch.sim.workload.WorkloadKind.Measure;
import java.util.List;

/**
 * Message threads that hand out work to worker threads: how long a woken worker waits for a CPU (spec scheduler.md 9.6).
 *
 * <p>A worker queues itself to its message thread and waits on a futex; woken, it does a request: 100 µs of simulated I/O, then five pieces of
 * matrix work under a lock that the CPU has. The message thread wakes whoever has queued, one after the other.
 */
final class Schbench implements Recipe {
    private static final WorkloadKind KIND = new WorkloadKind(
            "schbench",
            "message threads that wake worker threads; the wakeup latency of these, and their requests a second",
            "schbench",
            Measure.PERCENTILE,
            "us (p99 wakeup latency)",
            List.of(
                    "messages=N message threads (1)",
                    "workers=N workers of each message thread (the number of CPUs, shared among them)"));

    /** Time of a request's input and output, ns. */
    private static final int IO_NS = 100_000;

    /** Pieces of matrix work of a request. */
    private static final int PIECES = 5;

    @Override
    public WorkloadKind kind() {
        return KIND;
    }

    @Override
    public void add(Workload.Builder builder, Options options, Site site) {
        int messages = options.number("messages", 1, 1024);
        int workers = options.number("workers", Math.max(1, site.cpuCount() / messages), 4096);
        Cost futex = site.call("futex");
        Cost matrix = site.cost("schbench", "matrix");
        int instance = builder.addInstance(KIND);
        int wakeup = builder.addSeries(instance, "wakeup latency");
        int request = builder.addSeries(instance, "request latency");
        int process = builder.addProcess();
        int lockOfCpuZero = builder.addLock();
        for (int cpu = 1; cpu < site.machine().topology().cpuCount(); cpu++) {
            builder.addLock();
        }
        for (int i = 0; i < messages; i++) {
            int queued = builder.addSemaphore(0, workers);
            int released = builder.addSemaphore(0, workers);
            Program messenger = new Program.Builder()
                    .waitFor(queued)
                    .kernel(futex)
                    .post(released, 1)
                    .returnToUser()
                    .jump(0)
                    .build();
            builder.addThread(process, "schbench", messenger, site.free(), instance);
            Program.Builder worker = new Program.Builder()
                    .kernel(futex)
                    .post(queued, 1)
                    .returnToUser()
                    .kernel(futex)
                    .waitFor(released)
                    .measure(wakeup)
                    .returnToUser()
                    .mark()
                    .kernel(site.call("sleep"))
                    .sleepFor(IO_NS)
                    .returnToUser()
                    .lockOfCpu(lockOfCpuZero);
            for (int piece = 0; piece < PIECES; piece++) {
                worker.user(matrix);
            }
            worker.unlockOfCpu().measure(request).count().jump(0);
            Program program = worker.build();
            for (int w = 0; w < workers; w++) {
                builder.addThread(process, "schbench", program, site.free(), instance);
            }
        }
    }
}
