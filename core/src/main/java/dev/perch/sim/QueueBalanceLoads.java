package dev.perch.sim;

import dev.perch.kernel.balance.BalanceLoads;

/**
 * Loads for the balancer of 5.5 and later, as they would be if everything had always been as it is now: a CPU's load is the weight of its
 * queue, and it is in full use or not at all.
 *
 * <p>Limitation: no averages.
 */
final class QueueBalanceLoads implements BalanceLoads {
    private static final int WHOLE = 1024;

    private final Run run;

    QueueBalanceLoads(Run run) {
        this.run = run;
    }

    @Override
    public long load(int cpu) {
        return run.runqueues[cpu].weight();
    }

    @Override
    public long runnable(int cpu) {
        return (long) WHOLE * run.runqueues[cpu].nrFair();
    }

    @Override
    public long util(int cpu) {
        return run.runqueues[cpu].nrRunning() > 0 ? originalCapacity(cpu) : 0;
    }

    @Override
    public long boostedUtil(int cpu) {
        return util(cpu);
    }

    @Override
    public int capacity(int cpu) {
        return run.view.capacity[cpu];
    }

    @Override
    public int originalCapacity(int cpu) {
        return run.view.originalCapacity[cpu];
    }

    @Override
    public long taskLoad(int task) {
        return run.tasks.weight[task];
    }

    @Override
    public long taskUtil(int task) {
        return WHOLE / Math.max(1, run.runqueues[run.tasks.cpu[task]].nrRunning());
    }
}
