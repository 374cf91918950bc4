package dev.perch.sim.check;

import static dev.perch.kernel.TaskTable.IDLE_TASK;

import dev.perch.kernel.TaskTable;
import dev.perch.kernel.fair.Runqueue;
import dev.perch.sim.check.CheckedRun.TimeOf;

/**
 * Where the time goes: what a task was charged for a stint is the time between the two switches, and each CPU's time of tasks, of
 * interrupts and of idleness add up to what has elapsed.
 *
 * <p>Sources: {@code update_curr} charges {@code rq->clock_task}, which {@code update_rq_clock} takes; spec scheduler.md 1.1, 1.7. So a
 * stint is measured in the clock of its runqueue, which may be behind at a switch (a wakeup that preempts has taken it) and until 4.7 also when
 * an idle CPU begins to run a task. What one stint is charged too early the one before is charged less, hence the bounds are exact in that
 * clock. Interrupt time is charged to the interrupted task (1.1, no interrupt time accounting); here it counts for itself only while
 * no task runs. All times are ns.
 */
final class TimeInvariants {
    private final CheckedRun run;
    private final TaskTable tasks;
    private final Runqueue[] runqueues;
    private final Violations violations;
    /** By CPU: clock at which the present stint began, and what its task had executed by then. */
    private final long[] stintBegan;

    private final long[] executedBefore;
    /** By CPU: task of the present stint. */
    private final int[] stintOf;
    /** What all stints that are over add up to. */
    private long stints;

    private final TimeOf[] since;
    private final long[] idle;
    private final long[] ofTasks;
    private final long[] ofInterrupts;
    /** By CPU: time of tasks by the switches alone. */
    private final long[] switchedIn;

    private final long[] switchedAt;
    private long last;

    TimeInvariants(CheckedRun run, TaskTable tasks, Runqueue[] runqueues, Violations violations) {
        this.run = run;
        this.tasks = tasks;
        this.runqueues = runqueues;
        this.violations = violations;
        int cpus = runqueues.length;
        stintBegan = new long[cpus];
        executedBefore = new long[cpus];
        stintOf = new int[cpus];
        since = new TimeOf[cpus];
        java.util.Arrays.fill(since, TimeOf.IDLE);
        idle = new long[cpus];
        ofTasks = new long[cpus];
        ofInterrupts = new long[cpus];
        switchedIn = new long[cpus];
        switchedAt = new long[cpus];
    }

    void switched(long ns, int cpu, int previous, int next) {
        long clock = runqueues[cpu].clock();
        if (clock > ns) {
            throw broken(Invariant.EXECUTION_TIME, ns, cpu, next, "the clock of its queue is ahead, at " + clock);
        }
        if (previous != IDLE_TASK) {
            long stint = clock - stintBegan[cpu];
            long charged = tasks.sumExec[previous] - executedBefore[cpu];
            if (stintOf[cpu] != previous || charged != stint) {
                throw broken(
                        Invariant.EXECUTION_TIME,
                        ns,
                        cpu,
                        previous,
                        "it ran for " + stint + " ns by the clock of its queue and was charged " + charged);
            }
            stints += stint;
            switchedIn[cpu] += ns - switchedAt[cpu];
        }
        stintOf[cpu] = next;
        stintBegan[cpu] = clock;
        executedBefore[cpu] = tasks.sumExec[next];
        switchedAt[cpu] = ns;
    }

    /** After every event: time until now was spent on what was under way. */
    void inspectCpu(long ns, int cpu) {
        long passed = ns - last;
        switch (since[cpu]) {
            case TASK -> ofTasks[cpu] += passed;
            case IDLE -> idle[cpu] += passed;
            case INTERRUPT -> ofInterrupts[cpu] += passed;
        }
        since[cpu] = run.timeOf(cpu);
    }

    /** After {@link #inspectCpu} of all CPUs. */
    void inspected(long ns) {
        last = ns;
    }

    /** Now and then. */
    void inspectAll(long ns) {
        long charged = 0;
        for (int task = 1; task < tasks.capacity(); task++) {
            charged += tasks.sumExec[task];
        }
        long ran = stints;
        for (int cpu = 0; cpu < runqueues.length; cpu++) {
            int task = stintOf[cpu];
            boolean busy = task != IDLE_TASK;
            ran += busy ? tasks.sumExec[task] - executedBefore[cpu] : 0;
            adds(
                    ns,
                    cpu,
                    ofTasks[cpu],
                    switchedIn[cpu] + (busy ? ns - switchedAt[cpu] : 0),
                    "by its switches tasks ran");
            adds(ns, cpu, idle[cpu], run.idleNs(cpu), "its idle accounting has");
            adds(ns, cpu, ofTasks[cpu] + idle[cpu] + ofInterrupts[cpu], ns, "elapsed have");
        }
        if (charged != ran) {
            throw broken(
                    Invariant.EXECUTION_TIME,
                    ns,
                    0,
                    Violations.NOBODY,
                    "all tasks were charged " + charged + " ns, and all stints add up to " + ran);
        }
    }

    private void adds(long ns, int cpu, long found, long expected, String words) {
        if (found != expected) {
            throw broken(
                    Invariant.CPU_TIME,
                    ns,
                    cpu,
                    Violations.NOBODY,
                    "it spent " + ofTasks[cpu] + " ns on tasks, " + idle[cpu] + " idle and " + ofInterrupts[cpu]
                            + " on interrupts, but " + words + " " + expected);
        }
    }

    private InvariantViolation broken(Invariant invariant, long ns, int cpu, int task, String words) {
        return violations.violation(invariant, ns, cpu, task, words);
    }
}
