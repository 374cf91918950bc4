package dev.perch.sim;

import dev.perch.kernel.TaskTable;
import dev.perch.kernel.fair.Runqueue;
import dev.perch.kernel.load.EntityLoads;
import dev.perch.kernel.load.HierarchicalLoad;
import dev.perch.kernel.load.LoadTracking;
import dev.perch.kernel.load.PeltClock;
import dev.perch.kernel.load.QueueLoads;
import dev.perch.kernel.load.UtilEst;
import dev.perch.kernel.placement.CpuView;
import dev.perch.kernel.placement.WakeRequest;
import dev.perch.model.Topology;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * 4.3 and later: averages of load, runnable tasks and utilisation of CPUs and tasks, with estimates of what sleepers will want (spec
 * scheduler.md 3.4 to 3.7). Entities are tasks, queues CPUs.
 *
 * <p>The averages are stepped with what was queued since the last step, which is remembered here; so it does not matter that a queue has
 * changed already when its change is told. A delayed task that leaves for good is noticed when the scheduler has picked it out; its
 * own averages then go on as those of a sleeper, which they were already. Tasks of other classes have no averages.
 *
 * <p>Limitations: clocks count as full, whatever the governor does; interrupts, real-time and deadline tasks take no capacity; groups have no averages of their
 * own, their tasks have the part of the CPU's load that their weights give them at the moment.
 */
final class PeltLoads extends KeptLoads {
    private static final int WHOLE = 1024;

    private final Run run;
    private final TaskTable tasks;
    private final CpuView view;
    private final PeltClock clock;
    private final EntityLoads entities;
    private final QueueLoads queues;
    private final @Nullable UtilEst estimates;
    private final HierarchicalLoad hierarchical;
    private final boolean ownLoads;
    private final boolean unequal;
    private final boolean keepsRunnableLoad;
    private final int[] capacity;

    /** What was on a CPU's queue when it was last looked at: summed weight, runnable fair tasks, the fair task that runs. */
    private final long[] weight;

    private final int[] runnable;
    private final int[] running;
    private final boolean[] idle;

    /** The CPU's clock at its last tick, of 1024 = the highest; stays there without invariance. */
    private final int[] frequency;

    PeltLoads(Run run, LoadTracking tracking) {
        this.run = run;
        tasks = run.tasks;
        view = run.view;
        int cpus = run.cpuCount;
        clock = new PeltClock(cpus);
        entities = new EntityLoads(run.taskCount, tracking.pelt());
        queues = new QueueLoads(tracking, cpus, entities);
        boolean estimated = tracking.estimate() != LoadTracking.Estimate.NO_ESTIMATE && run.kernel.has("UTIL_EST");
        estimates = estimated ? new UtilEst(tracking, run.kernel.has("UTIL_EST_FASTUP"), run.taskCount, cpus) : null;
        hierarchical = new HierarchicalLoad(cpus);
        ownLoads = run.kernel.rules().wakeAffine().equals("4.3");
        keepsRunnableLoad = tracking.cpuLoads() == LoadTracking.CpuLoads.RUNNABLE;
        weight = new long[cpus];
        runnable = new int[cpus];
        running = new int[cpus];
        idle = new boolean[cpus];
        Arrays.fill(idle, true);
        frequency = new int[cpus];
        Arrays.fill(frequency, WHOLE);
        capacity = new int[cpus];
        Topology topology = run.topology;
        boolean smaller = false;
        for (int cpu = 0; cpu < cpus; cpu++) {
            capacity[cpu] = topology.capacity(cpu);
            smaller |= capacity[cpu] < WHOLE;
        }
        unequal = smaller;
    }

    @Override
    void begin(int cpu, int task) {
        if (!tasks.isFair(task)) {
            return;
        }
        step(cpu);
        entities.beginTask(task, weight(task));
        queues.attachNew(cpu, task, weight(task), capacity[cpu]);
        queues.enqueued(task, weight(task));
        if (estimates != null) {
            estimates.begin(task);
            estimates.enqueue(cpu, task);
        }
        show(cpu);
    }

    @Override
    void enqueue(int cpu, int task) {
        if (!tasks.isFair(task)) {
            return;
        }
        step(cpu);
        if (entities.queue(task) == cpu) {
            updateTask(task, clock.now(cpu), false, false);
        } else {
            queues.attach(cpu, task, weight(task));
        }
        queues.enqueued(task, weight(task));
        if (estimates != null) {
            estimates.enqueue(cpu, task);
        }
        show(cpu);
    }

    @Override
    void leave(int task) {
        if (!tasks.isFair(task)) {
            return;
        }
        queues.remove(task, weight(task));
    }

    @Override
    void requeue(int cpu, int task) {
        step(cpu);
        updateTask(task, clock.now(cpu), false, false);
        if (estimates != null) {
            estimates.enqueue(cpu, task);
        }
        show(cpu);
    }

    @Override
    void sleep(int cpu, int task) {
        if (!tasks.isFair(task)) {
            return;
        }
        step(cpu);
        queues.dequeued(task, weight(task));
        if (estimates != null) {
            estimates.dequeue(cpu, task);
            estimates.slept(task, entities.util(task), entities.runnable(task), capacity[cpu]);
        }
        running[cpu] = TaskTable.IDLE_TASK;
        show(cpu);
    }

    @Override
    void ended(int task) {
        leave(task);
    }

    @Override
    void moved(int task, int from, int to) {
        if (!tasks.isFair(task)) {
            return;
        }
        boolean counts = !tasks.delayed[task];
        step(from);
        updateTask(task, clock.now(from), counts, false);
        queues.dequeued(task, weight(task));
        queues.detach(task, weight(task));
        step(to);
        queues.attach(to, task, weight(task));
        queues.enqueued(task, weight(task));
        if (estimates != null && counts) {
            estimates.dequeue(from, task);
            estimates.enqueue(to, task);
        }
        show(from);
        show(to);
    }

    @Override
    void switching(int cpu) {
        step(cpu);
        running[cpu] = TaskTable.IDLE_TASK;
    }

    @Override
    void picked(int cpu, int task) {
        boolean fair = task != TaskTable.IDLE_TASK && tasks.isFair(task);
        if (fair) {
            updateTask(task, clock.now(cpu), true, false);
        }
        running[cpu] = fair ? task : TaskTable.IDLE_TASK;
        idle[cpu] = task == TaskTable.IDLE_TASK;
        if (idle[cpu]) {
            clock.enterIdle(cpu, queues.averages().utilSum(cpu));
        }
    }

    @Override
    void tick(int cpu) {
        if (!idle[cpu]) {
            step(cpu);
        }
        if (run.frequencyInvariant) {
            frequency[cpu] = (int) Math.min(WHOLE, (long) WHOLE * run.clocks.effectiveKhz(cpu) / run.fullKhz);
        }
    }

    @Override
    void age(int cpu) {
        step(cpu);
    }

    @Override
    void queueChanged(int cpu) {
        Runqueue runqueue = run.runqueues[cpu];
        weight[cpu] = runqueue.weight();
        runnable[cpu] = runqueue.nrFair() - runqueue.nrDelayed();
    }

    /** Brings the running task and the queue of a CPU up to now. */
    private void step(int cpu) {
        clock.advance(cpu, run.now, idle[cpu], capacity[cpu], frequency[cpu]);
        long now = clock.now(cpu);
        int task = running[cpu];
        boolean runs = task != TaskTable.IDLE_TASK;
        if (runs) {
            updateTask(task, now, true, true);
        }
        if (queues.update(cpu, now, weight[cpu], runnable[cpu], runs)) {
            show(cpu);
        }
    }

    private void updateTask(int task, long now, boolean queued, boolean current) {
        if (entities.updateTask(task, now, weight(task), queued, current) && estimates != null) {
            estimates.changed(task);
        }
    }

    /** A task's weight in the averages of its CPU: what it is of its group's weight there. */
    private long weight(int task) {
        return run.runqueues[tasks.cpu[task]].weightAtRoot(task);
    }

    private void show(int cpu) {
        view.loadAvg[cpu] = queues.load(cpu);
        view.runnableAvg[cpu] = queues.runnable(cpu);
        view.utilAvg[cpu] = queues.util(cpu);
        if (keepsRunnableLoad) {
            view.runnableLoad[cpu] = queues.runnableLoad(cpu);
        }
        if (estimates != null) {
            view.utilEst[cpu] = estimates.ofQueue(cpu);
        }
        run.balancing.changed(cpu);
    }

    @Override
    long cpuLoad(int cpu) {
        return keepsRunnableLoad ? queues.runnableLoad(cpu) : weight[cpu];
    }

    @Override
    long cpuUtil(int cpu) {
        return UtilEst.cpuUtil(view.utilAvg[cpu], view.utilEst[cpu], capacity[cpu]);
    }

    @Override
    void describe(WakeRequest request, int wakee, int waker) {
        if (!tasks.isFair(wakee)) {
            return;
        }
        int prev = entities.queue(wakee);
        if (prev < 0) {
            // a fork: it has the averages of a new task, and is not attached to its parent's queue, where it is
            // compared
            entities.beginTask(wakee, weight(wakee));
        } else if (unequal) {
            // whether a task fits is asked with its utilisation as old as its queue's
            entities.updateTask(wakee, queues.averages().last(prev), weight(wakee), false, false);
        }
        request.wakeeLoad = taskLoad(wakee);
        request.wakerLoad = waker != TaskTable.IDLE_TASK && tasks.isFair(waker) ? taskLoad(waker) : 0;
        request.wakeeUtilAvg = (int) entities.util(wakee);
        request.wakeeUtil = estimates == null
                ? request.wakeeUtilAvg
                : (int) Math.max(request.wakeeUtilAvg, estimates.estimate(wakee));
        request.wakeeRunnable = entities.runnable(wakee);
    }

    @Override
    long taskUtil(int task) {
        long util = entities.util(task);
        return estimates == null ? util : Math.max(util, estimates.estimate(task));
    }

    /** Before 4.13 the task's average itself. */
    @Override
    long taskLoad(int task) {
        long own = entities.load(task);
        if (ownLoads) {
            return own;
        }
        int attached = entities.queue(task);
        int queue = attached < 0 ? tasks.cpu[task] : attached;
        long queueLoad = queues.load(queue);
        hierarchical.root(queue, view.tick, queueLoad);
        return hierarchical.task(queue, own, queueLoad);
    }
}
