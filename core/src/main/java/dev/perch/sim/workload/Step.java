package dev.perch.sim.workload;

import dev.perch.model.CpuMask;
import java.util.List;

/**
 * One thing that a task of a described workload does. Things that tasks share are named; a name means one thing of each kind within one
 * instance of the workload.
 *
 * <p>Times are ns, bytes 1 or more, counts 1 or more, if nothing else is said.
 */
public sealed interface Step {
    /** So much work at the nominal clock: a slower CPU takes longer. {@code coreNs} 0 or more. */
    record Compute(long coreNs) implements Step {}

    /** Work of a random amount between two bounds, both up to 2 s. */
    record ComputeBetween(int fromNs, int toNs) implements Step {}

    /** Compute until so much time has passed, in pieces of {@code pieceNs}; a preemption counts too. */
    record ComputeFor(long ns, int pieceNs) implements Step {}

    /** Read or write so many bytes of memory of one's own; 0 or more. */
    record Memory(long bytes) implements Step {}

    /** So many system calls that neither sleep nor wake; 0 or more. */
    record SystemCalls(long count) implements Step {}

    /** {@code ns} 0 or more: 0 is a call that returns at once. */
    record Sleep(long ns) implements Step {}

    /** Sleep for a random time, exponentially distributed; mean up to 2 s. */
    record SleepAbout(int meanNs) implements Step {}

    /**
     * Sleep until a period after the timer's last activation.
     *
     * @param own each task has its own timer of this name
     * @param absolute whether a missed activation leaves the timer's grid as it is
     */
    record Timer(String timer, boolean own, long periodNs, boolean absolute) implements Step {}

    record Lock(String lock) implements Step {}

    record Unlock(String lock) implements Step {}

    /** Wait for a signal of a condition; the lock, which the task has, is free meanwhile. */
    record Wait(String condition, String lock) implements Step {}

    /** Wake one that waits for a condition, or all. */
    record Signal(String condition, boolean all) implements Step {}

    /** Wait until as many have come as {@link DescribedWorkload#barriers} says. */
    record Barrier(String barrier) implements Step {}

    /** Raise a semaphore. */
    record Post(String semaphore, int count) implements Step {}

    /** Lower a semaphore, or wait until it is raised. */
    record Await(String semaphore) implements Step {}

    record PipeWrite(String pipe, int bytes) implements Step {}

    record PipeRead(String pipe, int bytes) implements Step {}

    record SocketSend(String socket, int bytes) implements Step {}

    record SocketReceive(String socket, int bytes) implements Step {}

    /** Start one more of the tasks of this name. */
    record Fork(String task) implements Step {}

    /** Wait until all that this task has forked have ended. */
    record Join() implements Step {}

    record Yield() implements Step {}

    /** Change one's affinity; an empty mask is that of the workload as a whole. */
    record Allow(CpuMask cpus) implements Step {}

    /** Change one's nice value. */
    record Renice(int nice) implements Step {}

    /** Go to the task group of this path; empty for the root. */
    record Enter(String group) implements Step {}

    /** Count one finished operation of the task and of the workload. */
    record Count() implements Step {}

    /** Do the steps so many times; {@link #FOREVER} without end, 0 not at all. */
    record Loop(long times, List<Step> steps) implements Step {
        public static final long FOREVER = -1;

        public Loop {
            steps = List.copyOf(steps);
        }
    }
}
