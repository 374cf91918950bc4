package dev.perch.sim.workload;

import dev.perch.model.Cost;
import dev.perch.model.CpuMask;
import dev.perch.sim.workload.WorkloadKind.Measure;
import java.util.List;

/**
 * Two processes that tell each other in turn to go on, by words in shared memory and the futex system call: {@code perch bench futex}. The
 * wakeups are not sync.
 *
 * <p>Whoever sends changes its word and calls {@code FUTEX_WAKE}; whoever receives calls {@code FUTEX_WAIT} while the word is unchanged. Each
 * of the two calls costs {@code futex}. The wait call sleeps in its midst: half of it before and half after (assumed).
 *
 * <p>Limitations: the wait call is paid even if the word has changed before it, which then needs none. The lines of words, messages and hash
 * bucket are not fetched, as for all futexes here. A word changes when its waiter is woken, not when the wake call begins.
 */
final class FutexPair implements Recipe {
    private static final WorkloadKind KIND = new WorkloadKind(
            "futex-pair",
            "two processes that let each other go on in turn through words in shared memory and futexes",
            "perch bench futex",
            Measure.TIME_PER_OPERATION,
            "us/op",
            List.of("pin=A/B bind the first process to CPU A and the second to CPU B"));

    private static final String NAME = "futex-pair";

    @Override
    public WorkloadKind kind() {
        return KIND;
    }

    @Override
    public void add(Workload.Builder builder, Options options, Site site) {
        Cost futex = site.call("futex");
        int there = builder.addSemaphore(0, 1);
        int back = builder.addSemaphore(0, 1);
        int instance = builder.addInstance(KIND);
        CpuMask[] pins = options.pins(site, 2);
        Program.Builder first = new Program.Builder();
        send(first, there, futex);
        receive(first, back, futex);
        builder.addTask(NAME, first.count().jump(0).build(), pins[0], instance);
        Program.Builder second = new Program.Builder();
        receive(second, there, futex);
        send(second, back, futex);
        builder.addTask(NAME, second.jump(0).build(), pins[1], instance);
    }

    private static void send(Program.Builder program, int word, Cost futex) {
        program.kernel(futex).post(word, 1).returnToUser();
    }

    private static void receive(Program.Builder program, int word, Cost futex) {
        Cost before = new Cost(futex.coreNs() / 2, futex.wallNs() / 2, 0);
        Cost after = new Cost(futex.coreNs() - before.coreNs(), futex.wallNs() - before.wallNs(), futex.lines());
        program.kernel(before).waitFor(word).kernel(after).returnToUser();
    }
}
