package dev.perch.kernel.balance;

import dev.perch.kernel.domain.SchedDomain;

/** Loads as another has them, of a machine that packs tasks on its CPUs of the highest numbers. */
record Priorities(BalanceLoads loads) implements BalanceLoads {
    @Override
    public boolean packs(SchedDomain domain) {
        return true;
    }

    @Override
    public int priority(int cpu) {
        return cpu;
    }

    @Override
    public int nrRunning(int cpu) {
        return loads.nrRunning(cpu);
    }

    @Override
    public int nrFair(int cpu) {
        return loads.nrFair(cpu);
    }

    @Override
    public long weight(int cpu) {
        return loads.weight(cpu);
    }

    @Override
    public long load(int cpu) {
        return loads.load(cpu);
    }

    @Override
    public long runnable(int cpu) {
        return loads.runnable(cpu);
    }

    @Override
    public long util(int cpu) {
        return loads.util(cpu);
    }

    @Override
    public long boostedUtil(int cpu) {
        return loads.boostedUtil(cpu);
    }

    @Override
    public int capacity(int cpu) {
        return loads.capacity(cpu);
    }

    @Override
    public int originalCapacity(int cpu) {
        return loads.originalCapacity(cpu);
    }

    @Override
    public long taskLoad(int task) {
        return loads.taskLoad(task);
    }

    @Override
    public long taskUtil(int task) {
        return loads.taskUtil(task);
    }
}
