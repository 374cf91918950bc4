package dev.perch.sim.check;

import static dev.perch.kernel.TaskTable.IDLE_TASK;

import dev.perch.kernel.TaskTable;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskState;
import java.util.Arrays;

/**
 * What must be true of a run's events, whoever reads them: who runs where by {@code sched_switch}, who was woken by {@code sched_waking}
 * and {@code sched_wakeup}, where {@code sched_migrate_task} has put whom.
 *
 * <p>Source: the order of tracepoints in {@code try_to_wake_up}, {@code __schedule}, {@code set_task_cpu}, {@code do_exit}. Two things that
 * a reader has to know: a waker may find its wakee still running, on its way to sleep, and then the wakeup takes nobody off a queue; and
 * from 6.12 on a sleeper may stay queued, delayed, and be moved by balancing without a wakeup. A third: a waiting task may be moved to the CPU
 * on which it is. Balancing that finds a task pinned looks for another CPU of its group, and until commit 0dd37d6dd33a (6.5) that could be the
 * task's own where groups overlap; the kernel's tracepoint tells of that too.
 *
 * <p>Limitation: the stopper of an active balance is no task of the model. It moves the running task of a CPU, and the switch away from
 * that task follows at the same instant; a recording shows the stopper's own switches between.
 */
class EventInvariants implements SchedEvents {
    static final byte UNBORN = 0;
    static final byte QUEUED = 1;
    static final byte RUNNING = 2;
    static final byte ASLEEP = 3;
    static final byte DEAD = 4;

    private static final int NOT_IDLE = -1;

    private final CheckedRun run;
    private final TaskTable tasks;
    private final Violations violations;
    private final byte[] state;
    private final boolean[] waking;
    private final boolean[] exited;
    private final int[] cpuOf;
    /** How often a task has joined a queue; and whether it was placed there as a sleeper the last time. */
    private final int[] joined;

    private final boolean[] placed;
    private final int[] running;
    private final int[] idleState;
    private final int[] interruptsSent;
    /** Task that was moved off each CPU while it ran, which is then switched away from at the same instant; and when. */
    private final int[] displaced;

    private final long[] displacedAt;
    private long last;

    EventInvariants(CheckedRun run, TaskTable tasks, int cpus, Violations violations) {
        this.run = run;
        this.tasks = tasks;
        this.violations = violations;
        int count = tasks.capacity();
        state = new byte[count];
        waking = new boolean[count];
        exited = new boolean[count];
        cpuOf = new int[count];
        joined = new int[count];
        placed = new boolean[count];
        running = new int[cpus];
        idleState = new int[cpus];
        interruptsSent = new int[cpus];
        displaced = new int[cpus];
        displacedAt = new long[cpus];
        Arrays.fill(idleState, NOT_IDLE);
    }

    byte state(int task) {
        return state[task];
    }

    boolean isWaking(int task) {
        return waking[task];
    }

    /** The task that the last switch of a CPU went to. */
    int running(int cpu) {
        return running[cpu];
    }

    /** How often a task has joined a queue or left it; one that has stayed where it was has the same number as before. */
    int joined(int task) {
        return joined[task];
    }

    /** Whether the task came to its present queue as one that slept, and was placed there. */
    boolean wasPlaced(int task) {
        return placed[task];
    }

    @Override
    public void switched(long ns, int cpu, int prev, int prevPrio, TaskState prevState, int next, int nextPrio) {
        order(ns, cpu);
        if (running[cpu] != prev) {
            throw broken(
                    Invariant.SWITCH_CHAIN, ns, cpu, prev, "but it was " + violations.task(running[cpu]) + " that ran");
        }
        if (prev == next) {
            throw broken(Invariant.SWITCH_CHAIN, ns, cpu, prev, "it is switched to itself");
        }
        if (prev == IDLE_TASK) {
            if (idleState[cpu] != NOT_IDLE) {
                throw broken(Invariant.IDLE_STATES, ns, cpu, next, "it runs in idle state " + idleState[cpu]);
            }
        } else {
            stops(ns, cpu, prev, prevState);
        }
        if (next != IDLE_TASK) {
            starts(ns, cpu, next);
        }
        running[cpu] = next;
    }

    private void stops(long ns, int cpu, int task, TaskState how) {
        if (displaced[cpu] == task && displacedAt[cpu] == ns) {
            displaced[cpu] = IDLE_TASK;
        } else if (cpuOf[task] != cpu) {
            throw broken(Invariant.MIGRATION, ns, cpu, task, "it ran here, but was put on CPU " + cpuOf[task]);
        }
        switch (how) {
            case RUNNABLE -> state[task] = QUEUED;
            case DEAD -> {
                if (!exited[task]) {
                    throw broken(Invariant.LIFE, ns, cpu, task, "it is dead without having ended");
                }
                state[task] = DEAD;
            }
            default -> {
                if (waking[task]) {
                    throw broken(Invariant.WAKEUP_ORDER, ns, cpu, task, "it goes to sleep while it is being woken");
                }
                if (exited[task]) {
                    throw broken(Invariant.LIFE, ns, cpu, task, "it has ended and only sleeps");
                }
                state[task] = ASLEEP;
                joined[task]++;
            }
        }
    }

    private void starts(long ns, int cpu, int task) {
        if (state[task] == RUNNING) {
            throw broken(Invariant.RUNS_ONCE, ns, cpu, task, "it runs on CPU " + cpuOf[task] + " already");
        }
        if (state[task] != QUEUED) {
            throw broken(Invariant.RUNS_WHEN_WOKEN, ns, cpu, task, "it begins to run, but " + words(task));
        }
        if (cpuOf[task] != cpu) {
            throw broken(
                    Invariant.MIGRATION, ns, cpu, task, "it begins to run here, but was put on CPU " + cpuOf[task]);
        }
        if (!tasks.allowed[task].contains(cpu)) {
            throw broken(Invariant.AFFINITY, ns, cpu, task, "it begins to run, but may only on " + tasks.allowed[task]);
        }
        state[task] = RUNNING;
    }

    @Override
    public void waking(long ns, int cpu, int current, int context, int wakee, int prio, int prevCpu) {
        order(ns, cpu);
        context(ns, cpu, current);
        if (waking[wakee]) {
            throw broken(Invariant.WAKEUP_ORDER, ns, cpu, wakee, "it is being woken already");
        }
        if (state[wakee] != ASLEEP && state[wakee] != RUNNING) {
            throw broken(Invariant.WAKEUP_ORDER, ns, cpu, wakee, "it is woken, but " + words(wakee));
        }
        if (prevCpu != cpuOf[wakee]) {
            throw broken(
                    Invariant.MIGRATION,
                    ns,
                    cpu,
                    wakee,
                    "its CPU is said to be " + prevCpu + ", but was " + cpuOf[wakee]);
        }
        waking[wakee] = true;
    }

    @Override
    public void wakeup(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        order(ns, cpu);
        context(ns, cpu, current);
        if (!waking[wakee]) {
            throw broken(Invariant.WAKEUP_ORDER, ns, cpu, wakee, "it is woken, and nobody has announced that");
        }
        if (targetCpu != cpuOf[wakee]) {
            throw broken(
                    Invariant.MIGRATION,
                    ns,
                    cpu,
                    wakee,
                    "it is put on CPU " + targetCpu + " without a migration; it was on " + cpuOf[wakee]);
        }
        waking[wakee] = false;
        if (state[wakee] == ASLEEP) {
            requireAllowed(ns, cpu, wakee, targetCpu);
            state[wakee] = QUEUED;
            placed[wakee] = true;
            joined[wakee]++;
        }
    }

    @Override
    public void wakeupNew(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        order(ns, cpu);
        context(ns, cpu, current);
        if (state[wakee] != UNBORN && state[wakee] != DEAD) {
            throw broken(Invariant.LIFE, ns, cpu, wakee, "it is new, but " + words(wakee));
        }
        requireAllowed(ns, cpu, wakee, targetCpu);
        exited[wakee] = false;
        state[wakee] = QUEUED;
        cpuOf[wakee] = targetCpu;
        placed[wakee] = false;
        joined[wakee]++;
    }

    private void requireAllowed(long ns, int cpu, int task, int target) {
        if (!tasks.allowed[task].contains(target) || !run.allowed(task).contains(target)) {
            throw broken(
                    Invariant.AFFINITY,
                    ns,
                    cpu,
                    task,
                    "it is put on CPU " + target + ", but may only be on " + tasks.allowed[task]);
        }
    }

    @Override
    public void migrated(long ns, int cpu, int current, int task, int prio, int fromCpu, int toCpu) {
        order(ns, cpu);
        context(ns, cpu, current);
        if (fromCpu != cpuOf[task] || fromCpu == toCpu && state[task] != QUEUED) {
            throw broken(
                    Invariant.MIGRATION,
                    ns,
                    cpu,
                    task,
                    "it goes from CPU " + fromCpu + " to " + toCpu + ", but was on " + cpuOf[task]);
        }
        if (state[task] == RUNNING) {
            displaced[fromCpu] = task;
            displacedAt[fromCpu] = ns;
        } else if (state[task] == ASLEEP && !waking[task] && !tasks.delayed[task]) {
            throw broken(Invariant.MIGRATION, ns, cpu, task, "it is moved to CPU " + toCpu + " while it sleeps");
        } else if (state[task] == DEAD || state[task] == UNBORN) {
            throw broken(Invariant.LIFE, ns, cpu, task, "it is moved to CPU " + toCpu + ", but " + words(task));
        }
        requireAllowed(ns, cpu, task, toCpu);
        cpuOf[task] = toCpu;
        placed[task] = false;
        joined[task]++;
    }

    @Override
    public void forked(long ns, int cpu, int parent, int child) {
        order(ns, cpu);
        context(ns, cpu, parent);
        if (state[child] != UNBORN && state[child] != DEAD) {
            throw broken(Invariant.LIFE, ns, cpu, child, "it is forked, but " + words(child));
        }
    }

    @Override
    public void exited(long ns, int cpu, int pid, int prio) {
        order(ns, cpu);
        context(ns, cpu, pid);
        if (exited[pid]) {
            throw broken(Invariant.LIFE, ns, cpu, pid, "it ends a second time");
        }
        exited[pid] = true;
    }

    @Override
    public void idle(long ns, int cpu, int entered) {
        order(ns, cpu);
        boolean leaves = entered == NOT_IDLE;
        if (leaves == (idleState[cpu] == NOT_IDLE)) {
            throw broken(
                    Invariant.IDLE_STATES,
                    ns,
                    cpu,
                    Violations.NOBODY,
                    leaves
                            ? "it leaves an idle state without being in one"
                            : "it enters state " + entered + " in state " + idleState[cpu]);
        }
        if (running[cpu] != IDLE_TASK) {
            throw broken(
                    Invariant.IDLE_STATES, ns, cpu, running[cpu], "it runs while its CPU enters or leaves idleness");
        }
        idleState[cpu] = entered;
    }

    @Override
    public void frequency(long ns, int cpu, int khz) {
        order(ns, cpu);
    }

    @Override
    public void ipiSent(long ns, int cpu, int targetCpu) {
        order(ns, cpu);
        interruptsSent[targetCpu]++;
    }

    @Override
    public void rescheduleIpi(long ns, int cpu) {
        arrives(ns, cpu);
    }

    @Override
    public void callFunctionIpi(long ns, int cpu) {
        arrives(ns, cpu);
    }

    /** Several that were sent may arrive as one, but none arrives that was not sent. */
    private void arrives(long ns, int cpu) {
        order(ns, cpu);
        if (--interruptsSent[cpu] < 0) {
            throw broken(Invariant.INTERRUPTS, ns, cpu, Violations.NOBODY, "one arrives more than were sent to it");
        }
    }

    @Override
    public void wakeIdleWithoutIpi(long ns, int cpu, int targetCpu) {
        order(ns, cpu);
        if (running[targetCpu] != IDLE_TASK) {
            throw broken(
                    Invariant.INTERRUPTS,
                    ns,
                    cpu,
                    running[targetCpu],
                    "it runs on CPU " + targetCpu + ", which is said to watch its flags in the idle loop");
        }
    }

    private void order(long ns, int cpu) {
        if (ns < last) {
            throw broken(
                    Invariant.TIME_ORDER, ns, cpu, Violations.NOBODY, "the event before it was at " + last + " ns");
        }
        last = ns;
    }

    private void context(long ns, int cpu, int current) {
        if (running[cpu] != current) {
            throw broken(
                    Invariant.CURRENT_TASK,
                    ns,
                    cpu,
                    current,
                    "but it is " + violations.task(running[cpu]) + " that runs");
        }
    }

    /** What the stream says of a task. */
    String words(int task) {
        return switch (state[task]) {
            case UNBORN -> "it was never started";
            case QUEUED -> "it waits on CPU " + cpuOf[task];
            case RUNNING -> "it runs on CPU " + cpuOf[task];
            case ASLEEP -> waking[task] ? "its wakeup has only been announced" : "it sleeps";
            default -> "it has ended";
        };
    }

    private InvariantViolation broken(Invariant invariant, long ns, int cpu, int task, String words) {
        return violations.violation(invariant, ns, cpu, task, words);
    }
}
