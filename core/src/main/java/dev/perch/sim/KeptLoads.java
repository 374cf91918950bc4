package dev.perch.sim;

import dev.perch.kernel.load.LoadTracking;
import dev.perch.kernel.placement.WakeRequest;

/**
 * The loads of CPUs and tasks that the kernel of a run keeps beside the weights of its runqueues, told of everything by which they change
 * (spec scheduler.md 3.1 to 3.8); what placement rules read of them goes into the view and the request. Which era's it is, is chosen
 * once a run.
 *
 * <p>Whoever changes a runqueue calls first what says how, at the time of the change, and {@link #queueChanged} afterwards. Limitation:
 * the averages of tasks in groups follow the present weights of the groups.
 */
abstract sealed class KeptLoads permits WeightsOnly, FirstAverages, PeltLoads {
    /** Those of the run's kernel; the run has queues, tasks and a view by now. */
    static KeptLoads of(Run run) {
        LoadTracking tracking = LoadTracking.named(run.kernel.rules().loadTracking());
        return switch (tracking.cpuLoads()) {
            case WEIGHT -> new WeightsOnly(run);
            case FIRST_RUNNABLE -> new FirstAverages(run);
            case RUNNABLE, AVERAGE -> new PeltLoads(run, tracking);
        };
    }

    /** A new task is about to be enqueued for the first time. */
    abstract void begin(int cpu, int task);

    /** A woken task is about to be enqueued. */
    abstract void enqueue(int cpu, int task);

    /** A task that is being woken will be enqueued on another CPU than the one on which it slept. */
    abstract void leave(int task);

    /** A delayed task is about to compete again. */
    abstract void requeue(int cpu, int task);

    /** The current task is about to be dequeued, or delayed, because it sleeps. */
    abstract void sleep(int cpu, int task);

    /** A task that has ended, and been dequeued, has left its CPU for good ({@code task_dead}). */
    abstract void ended(int task);

    /** A waiting task has been moved between queues. */
    abstract void moved(int task, int from, int to);

    /** The scheduler takes the CPU from its current task and is about to choose the next. */
    abstract void switching(int cpu);

    /** It has chosen it; the idle task if there is none. */
    abstract void picked(int cpu, int task);

    /** The tick, once the running task has been charged. */
    abstract void tick(int cpu);

    /** What sleeps on the CPU decays up to now ({@code update_blocked_averages}). */
    abstract void age(int cpu);

    /** The runqueue of the CPU is in its new state. */
    abstract void queueChanged(int cpu);

    /** The load of the CPU from which {@code cpu_load[]} is made. */
    abstract long cpuLoad(int cpu);

    /** Utilisation of the CPU by fair tasks, 0 to its capacity; 0 where none is kept. */
    abstract long cpuUtil(int cpu);

    /** Load of a task as its part of its CPU's load ({@code task_h_load}); its weight where no averages are kept. */
    abstract long taskLoad(int task);

    /** Utilisation of a task, the greater of average and estimate; 0 where none is kept. */
    abstract long taskUtil(int task);

    /**
     * Says what the rules may read of the wakee and of the task on the waker's CPU.
     *
     * @param waker that task, or the idle task
     */
    abstract void describe(WakeRequest request, int wakee, int waker);
}
