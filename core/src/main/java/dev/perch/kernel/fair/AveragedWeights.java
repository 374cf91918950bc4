package dev.perch.kernel.fair;

import dev.perch.kernel.load.GroupLoads;

/** {@link GroupWeights} by averages: {@link GroupLoads} of an era. */
record AveragedWeights(GroupLoads loads) implements GroupWeights {
    @Override
    public void beforeChange(int group, int cpu, long clock, long weight, boolean balances) {
        loads.account(group, cpu, clock, weight, balances);
    }

    @Override
    public long elsewhere(int group, int cpu) {
        return loads.elsewhere(group, cpu);
    }

    @Override
    public long weight(int group, int cpu, long shares, long weight) {
        return loads.weight(group, cpu, shares, weight);
    }
}
