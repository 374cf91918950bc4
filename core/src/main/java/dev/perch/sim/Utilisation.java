package dev.perch.sim;

import dev.perch.kernel.TaskTable;
import dev.perch.kernel.fair.Runqueue;
import dev.perch.kernel.load.EntityLoads;
import dev.perch.kernel.load.LoadTracking;
import dev.perch.kernel.load.PeltClock;
import dev.perch.kernel.load.QueueLoads;
import dev.perch.kernel.load.UtilEst;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How much of each CPU its tasks use, as schedutil reads it: averages of the root runqueues and of the tasks, and estimates of what
 * sleeping tasks will want (spec scheduler.md 3.4 to 3.7). Kept only if somebody reads it.
 *
 * <p>With invariance the clock of the averages goes slower on a slow CPU, at the rate that the CPU had at its last tick. Limitations: all
 * CPUs have the full capacity; no real-time and deadline tasks; interrupts take no utilisation of their own; a queue that stays idle is
 * not aged until something happens on it.
 */
final class Utilisation {
    private static final int WHOLE = 1024;

    private final Run run;
    private final boolean kept;
    private final boolean invariant;
    private final boolean boosts;
    private final TaskTable tasks;
    private final PeltClock clock;
    private final EntityLoads entities;
    private final QueueLoads queues;
    private final @Nullable UtilEst estimates;
    private final int[] frequency;
    private final int fullKhz;

    /**
     * @param kept whether somebody reads it; otherwise nothing happens here
     * @param invariant whether a slow clock counts as less
     */
    Utilisation(Run run, boolean kept, boolean invariant) {
        this.run = run;
        this.kept = kept;
        this.invariant = invariant;
        tasks = run.tasks;
        LoadTracking own = LoadTracking.named(run.kernel.rules().loadTracking());
        LoadTracking tracking = own.hasAverages() ? own : LoadTracking.V5_14; // a kernel made up of old and new parts
        boosts = tracking.boostsUtil();
        int cpus = kept ? run.cpuCount : 0;
        int taskCount = kept ? run.taskCount : 0;
        clock = new PeltClock(cpus);
        entities = new EntityLoads(taskCount, tracking.pelt());
        queues = new QueueLoads(tracking, cpus, entities);
        estimates = tracking.estimate() == LoadTracking.Estimate.NO_ESTIMATE
                ? null
                : new UtilEst(tracking, true, taskCount, cpus);
        frequency = new int[cpus];
        Arrays.fill(frequency, WHOLE);
        fullKhz = run.clocks.fullKhz(run.settings.turbo());
    }

    /** Whether a CPU's utilisation is kept. */
    boolean isKept() {
        return kept;
    }

    /** Utilisation of a CPU by fair tasks, 0 to 1024, as of the last update. */
    int of(int cpu) {
        long util = queues.util(cpu);
        long estimate = estimates == null ? 0 : estimates.ofQueue(cpu);
        return (int)
                (boosts
                        ? UtilEst.boostedCpuUtil(util, queues.runnable(cpu), estimate, WHOLE)
                        : UtilEst.cpuUtil(util, estimate, WHOLE));
    }

    /** Brings a CPU up to the present; before every change of its queue, at ticks, and before its current task changes. */
    void update(int cpu) {
        if (!kept) {
            return;
        }
        int current = run.cpus.current[cpu];
        boolean running = current != TaskTable.IDLE_TASK;
        clock.advance(cpu, run.now, !running, WHOLE, frequency[cpu]);
        long now = clock.now(cpu);
        if (running) {
            updateTask(current, now, tasks.onQueue[current], true);
        }
        Runqueue runqueue = run.runqueues[cpu];
        queues.update(cpu, now, runqueue.weight(), runqueue.nrRunning(), running);
    }

    private void updateTask(int task, long now, boolean queued, boolean current) {
        if (entities.updateTask(task, now, tasks.weight[task], queued, current) && estimates != null) {
            estimates.changed(task);
        }
    }

    /** A tick of a CPU: the clock at which it has been running is looked at. */
    void tick(int cpu) {
        update(cpu);
        if (kept && invariant) {
            frequency[cpu] = (int) Math.min(WHOLE, (long) WHOLE * run.clocks.effectiveKhz(cpu) / fullKhz);
        }
    }

    /** A new task is about to be enqueued for the first time. */
    void begin(int cpu, int task) {
        if (!kept) {
            return;
        }
        update(cpu);
        entities.beginTask(task, tasks.weight[task]);
        queues.attachNew(cpu, task, tasks.weight[task], WHOLE);
        if (estimates != null) {
            estimates.begin(task);
            estimates.enqueue(cpu, task);
        }
    }

    /** A woken task is about to be enqueued. */
    void enqueue(int cpu, int task) {
        if (!kept) {
            return;
        }
        update(cpu);
        if (entities.queue(task) == cpu) {
            updateTask(task, clock.now(cpu), false, false);
        } else {
            if (entities.queue(task) != EntityLoads.DETACHED) {
                queues.remove(task, tasks.weight[task]);
            }
            queues.attach(cpu, task, tasks.weight[task]);
        }
        if (estimates != null) {
            estimates.enqueue(cpu, task);
        }
    }

    /** The current task of a CPU is about to be dequeued because it sleeps. */
    void sleep(int cpu, int task) {
        if (!kept) {
            return;
        }
        update(cpu);
        if (estimates != null) {
            estimates.dequeue(cpu, task);
            estimates.slept(task, entities.util(task), entities.runnable(task), WHOLE);
        }
    }

    /** A waiting task has been moved from one queue to another. */
    void moved(int task, int from, int to) {
        if (!kept) {
            return;
        }
        update(from);
        updateTask(task, clock.now(from), true, false);
        queues.detach(task, tasks.weight[task]);
        update(to);
        queues.attach(to, task, tasks.weight[task]);
        if (estimates != null) {
            estimates.dequeue(from, task);
            estimates.enqueue(to, task);
        }
    }

    /** A waiting task has been picked to run. */
    void picked(int cpu, int task) {
        if (kept && task != TaskTable.IDLE_TASK) {
            updateTask(task, clock.now(cpu), true, false);
        } else if (kept) {
            clock.enterIdle(cpu, queues.averages().utilSum(cpu));
        }
    }
}
