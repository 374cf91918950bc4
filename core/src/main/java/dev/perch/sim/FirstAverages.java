package dev.perch.sim;

import dev.perch.kernel.TaskTable;
import dev.perch.kernel.load.RunnableAverages;
import dev.perch.kernel.placement.WakeRequest;

/**
 * 3.11 to 4.2: a task counts for the share of time in which it was runnable, and the load of a CPU is the sum of that over what is queued
 * (spec scheduler.md 3.8). Entities are tasks, queues CPUs.
 */
final class FirstAverages extends KeptLoads {
    /** Binary logarithm of the ns of a unit of {@link RunnableAverages}. */
    private static final int UNIT_SHIFT = 10;

    private final Run run;
    private final TaskTable tasks;
    private final RunnableAverages averages;
    private final long[] load;
    private final int[] running;

    FirstAverages(Run run) {
        this.run = run;
        tasks = run.tasks;
        averages = new RunnableAverages(run.taskCount, run.cpuCount);
        load = run.view.runnableLoad;
        running = new int[run.cpuCount];
    }

    @Override
    void begin(int cpu, int task) {
        if (!tasks.isFair(task)) {
            return;
        }
        long units = run.runqueues[cpu].slice(task) >> UNIT_SHIFT;
        averages.begin(task, run.now, units, weight(task));
        enqueue(cpu, task);
    }

    @Override
    void enqueue(int cpu, int task) {
        if (!tasks.isFair(task)) {
            return;
        }
        update(cpu);
        averages.enqueue(task, cpu, run.now, weight(task));
        load[cpu] = averages.runnableLoad(cpu);
    }

    @Override
    void leave(int task) {
        if (!tasks.isFair(task)) {
            return;
        }
        averages.removed(task, run.now, weight(task));
    }

    @Override
    void requeue(int cpu, int task) {
        // no task is delayed in these kernels, and if one is it stays in the load
    }

    @Override
    void sleep(int cpu, int task) {
        if (!tasks.isFair(task)) {
            return;
        }
        averages.dequeue(task, cpu, run.now, weight(task), true);
        running[cpu] = TaskTable.IDLE_TASK;
        load[cpu] = averages.runnableLoad(cpu);
    }

    @Override
    void ended(int task) {
        // what it leaves behind decays with the rest of what sleeps
    }

    @Override
    void moved(int task, int from, int to) {
        if (!tasks.isFair(task)) {
            return;
        }
        averages.dequeue(task, from, run.now, weight(task), false);
        load[from] = averages.runnableLoad(from);
        enqueue(to, task);
    }

    @Override
    void switching(int cpu) {
        update(cpu);
        running[cpu] = TaskTable.IDLE_TASK;
    }

    @Override
    void picked(int cpu, int task) {
        running[cpu] = tasks.isFair(task) ? task : TaskTable.IDLE_TASK;
        update(cpu);
    }

    @Override
    void tick(int cpu) {
        update(cpu);
        averages.ageBlocked(cpu, run.now, false);
    }

    /** The running task is brought up to now; what waits is when its turn comes. */
    private void update(int cpu) {
        int task = running[cpu];
        if (task != TaskTable.IDLE_TASK) {
            averages.update(task, cpu, run.now, weight(task), true);
            load[cpu] = averages.runnableLoad(cpu);
        }
    }

    /** A task's weight in the load of its CPU: what it is of its group's weight there. */
    private long weight(int task) {
        return run.runqueues[tasks.cpu[task]].weightAtRoot(task);
    }

    @Override
    void age(int cpu) {
        averages.ageBlocked(cpu, run.now, true);
    }

    @Override
    void queueChanged(int cpu) {
        // all that counts has been told
    }

    @Override
    long cpuLoad(int cpu) {
        return load[cpu];
    }

    @Override
    long cpuUtil(int cpu) {
        return 0;
    }

    @Override
    long taskLoad(int task) {
        return weight(task);
    }

    @Override
    long taskUtil(int task) {
        return 0;
    }

    @Override
    void describe(WakeRequest request, int wakee, int waker) {
        // tasks count by weight
    }
}
