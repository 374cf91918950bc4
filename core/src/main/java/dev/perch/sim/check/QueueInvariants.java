package dev.perch.sim.check;

import static dev.perch.kernel.TaskTable.IDLE_TASK;

import dev.perch.kernel.TaskTable;
import dev.perch.kernel.fair.Runqueue;

/**
 * What must be true of the runqueues between any two events: who is on them, what they count, that no CPU sleeps over work, that the
 * tasks are where the events said.
 *
 * <p>Sources: {@code p->on_rq}, {@code rq->curr} and {@code h_nr_running} of {@code kernel/sched}; spec scheduler.md 1.12, 2.6 (a delayed
 * task sleeps and is queued), 5.2 (a wakeup in another's hands is on no queue). A CPU is said to idle once it is in an idle state:
 * before that the idle thread looks for a reschedule by itself. An interrupt on its way excuses it.
 */
final class QueueInvariants {
    private final CheckedRun run;
    private final TaskTable tasks;
    private final Runqueue[] runqueues;
    private final EventInvariants events;
    private final Violations violations;
    /** By task: the sweep that has found it in a queue's list. */
    private final int[] listedIn;

    /** By CPU, counted anew in each sweep over the tasks. */
    private final int[] fair;

    private final int[] realTime;
    private final int[] delayed;
    private final int[] idlePolicy;
    private final int[] throttledOrGrouped;
    private final long[] weight;
    private int sweep;

    QueueInvariants(
            CheckedRun run, TaskTable tasks, Runqueue[] runqueues, EventInvariants events, Violations violations) {
        this.run = run;
        this.tasks = tasks;
        this.runqueues = runqueues;
        this.events = events;
        this.violations = violations;
        listedIn = new int[tasks.capacity()];
        fair = new int[runqueues.length];
        realTime = new int[runqueues.length];
        delayed = new int[runqueues.length];
        idlePolicy = new int[runqueues.length];
        throttledOrGrouped = new int[runqueues.length];
        weight = new long[runqueues.length];
    }

    /** After every event. */
    void inspectCpu(long ns, int cpu) {
        Runqueue runqueue = runqueues[cpu];
        int current = run.current(cpu);
        if (runqueue.current() != current) {
            throw broken(
                    Invariant.ONE_QUEUE,
                    ns,
                    cpu,
                    current,
                    "the CPU runs it, but to the queue " + violations.task(runqueue.current()) + " is current");
        }
        if (current == IDLE_TASK && run.isAsleep(cpu) && !run.interruptIsComing(cpu)) {
            int ready = runqueue.nrRunning();
            if (ready > 0 && !(runqueue.nrFair() == 0 && runqueue.isRealTimeThrottled())) {
                throw broken(
                        Invariant.IDLE_WITH_WORK,
                        ns,
                        cpu,
                        Violations.NOBODY,
                        "it is in an idle state, no interrupt is on its way, and its queue has " + ready
                                + (ready == 1 ? " task" : " tasks"));
            }
            if (run.hasWakeList(cpu)) {
                throw broken(
                        Invariant.WAKEUP_ACCOUNTED,
                        ns,
                        cpu,
                        Violations.NOBODY,
                        "it is in an idle state, no interrupt is on its way, and tasks wait on its wake list");
            }
        }
    }

    /** Now and then: looks at every task. */
    void inspectTasks(long ns) {
        sweep++;
        for (int cpu = 0; cpu < runqueues.length; cpu++) {
            fair[cpu] = 0;
            realTime[cpu] = 0;
            delayed[cpu] = 0;
            idlePolicy[cpu] = 0;
            throttledOrGrouped[cpu] = 0;
            weight[cpu] = 0;
            walkList(ns, cpu);
        }
        for (int task = 1; task < tasks.capacity(); task++) {
            if (tasks.onQueue[task]) {
                queued(ns, task);
            } else if (listedIn[task] == sweep) {
                throw broken(
                        Invariant.ONE_QUEUE, ns, tasks.cpu[task], task, "it is in the list of a queue, but on none");
            }
            agrees(ns, task);
        }
        for (int cpu = 0; cpu < runqueues.length; cpu++) {
            counts(ns, cpu);
        }
    }

    private void walkList(long ns, int cpu) {
        Runqueue runqueue = runqueues[cpu];
        for (int task = runqueue.firstInList(); task != IDLE_TASK; task = runqueue.nextInList(task)) {
            if (listedIn[task] == sweep) {
                throw broken(Invariant.ONE_QUEUE, ns, cpu, task, "it is listed here and elsewhere, or twice");
            }
            listedIn[task] = sweep;
            if (tasks.cpu[task] != cpu) {
                throw broken(
                        Invariant.ONE_QUEUE, ns, cpu, task, "it is listed here, but its CPU is " + tasks.cpu[task]);
            }
        }
    }

    private void queued(long ns, int task) {
        int cpu = tasks.cpu[task];
        if (cpu < 0 || cpu >= runqueues.length) {
            throw broken(Invariant.ONE_QUEUE, ns, cpu, task, "it is queued on a CPU that does not exist");
        }
        if (tasks.isFair(task)) {
            if (listedIn[task] != sweep) {
                throw broken(Invariant.ONE_QUEUE, ns, cpu, task, "it is queued, but not in the list of its queue");
            }
            fair[cpu]++;
            weight[cpu] += tasks.weight[task];
            if (tasks.group[task] != 0) {
                throttledOrGrouped[cpu]++;
            }
            if (tasks.policy[task] == TaskTable.POLICY_IDLE) {
                idlePolicy[cpu]++;
            }
            if (tasks.delayed[task]) {
                delayed[cpu]++;
            }
        } else {
            realTime[cpu]++;
        }
        boolean allowed = tasks.allowed[task].contains(cpu) && run.allowed(task).contains(cpu);
        if (!allowed && !run.leavesCpu(task)) {
            throw broken(Invariant.AFFINITY, ns, cpu, task, "it is queued, but may only be on " + tasks.allowed[task]);
        }
    }

    private void counts(long ns, int cpu) {
        Runqueue runqueue = runqueues[cpu];
        boolean flat = throttledOrGrouped[cpu] == 0;
        boolean sameFair = flat ? runqueue.nrFair() == fair[cpu] : runqueue.nrFair() <= fair[cpu];
        if (!sameFair) {
            throw counted(ns, cpu, "fair tasks", runqueue.nrFair(), fair[cpu]);
        }
        if (runqueue.nrRunning() - runqueue.nrFair() != realTime[cpu]) {
            throw counted(ns, cpu, "real-time tasks", runqueue.nrRunning() - runqueue.nrFair(), realTime[cpu]);
        }
        if (flat && runqueue.nrDelayed() != delayed[cpu]) {
            throw counted(ns, cpu, "delayed tasks", runqueue.nrDelayed(), delayed[cpu]);
        }
        if (flat && runqueue.nrIdlePolicy() != idlePolicy[cpu]) {
            throw counted(ns, cpu, "tasks under SCHED_IDLE", runqueue.nrIdlePolicy(), idlePolicy[cpu]);
        }
        if (flat && runqueue.weight() != weight[cpu]) {
            throw counted(ns, cpu, "units of weight", runqueue.weight(), weight[cpu]);
        }
    }

    private InvariantViolation counted(long ns, int cpu, String what, long said, long found) {
        return broken(
                Invariant.QUEUE_COUNTS,
                ns,
                cpu,
                Violations.NOBODY,
                "its queue counts " + said + " " + what + ", and " + found + " are on it");
    }

    /** What the table says of a task is what the events have said. */
    private void agrees(long ns, int task) {
        int cpu = tasks.cpu[task];
        boolean onQueue = tasks.onQueue[task];
        boolean runs = cpu >= 0 && run.current(cpu) == task;
        boolean right = switch (events.state(task)) {
            case EventInvariants.RUNNING -> onQueue && runs && tasks.onCpu[task] && !tasks.delayed[task];
            case EventInvariants.QUEUED -> onQueue && !runs && !tasks.delayed[task];
            case EventInvariants.ASLEEP -> onQueue == tasks.delayed[task];
            default -> !onQueue && !tasks.delayed[task];
        };
        if (!right) {
            String words = onQueue ? runs ? "is current" : "is queued" : "is on no queue";
            Invariant invariant =
                    events.state(task) == EventInvariants.QUEUED ? Invariant.WAKEUP_ACCOUNTED : Invariant.ONE_QUEUE;
            throw broken(
                    invariant,
                    ns,
                    cpu,
                    task,
                    "by the events " + events.words(task) + ", but it " + words
                            + (tasks.delayed[task] ? ", delayed" : ""));
        }
        if (events.isWaking(task) && !run.isHandedOver(task)) {
            throw broken(
                    Invariant.WAKEUP_ACCOUNTED,
                    ns,
                    cpu,
                    task,
                    "its wakeup was announced, but it is on no wake list and no CPU wakes it");
        }
    }

    private InvariantViolation broken(Invariant invariant, long ns, int cpu, int task, String words) {
        return violations.violation(invariant, ns, cpu, task, words);
    }
}
