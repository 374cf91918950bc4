package dev.perch.kernel.fair;

import dev.perch.kernel.load.GroupLoads;
import dev.perch.kernel.load.LoadTracking;

/**
 * What part of its shares a task group has on a CPU; asked at each change of the group's queue there ({@code calc_cfs_shares}, {@code
 * calc_group_shares}; spec: scheduler.md 1.19). Which load of the group counts, and how old it may be, is load tracking's matter.
 */
public interface GroupWeights {
    /**
     * The summed weight of a group's queue on a CPU is about to change, or time has passed.
     *
     * @param clock of the CPU, ns
     * @param weight before the change
     * @param balances the CPU balances
     */
    void beforeChange(int group, int cpu, long clock, long weight, boolean balances);

    /**
     * Weight of the group's entity on a CPU.
     *
     * @param shares of the group, nice 0 = 1024
     * @param weight summed weight of the group's queue there
     * @return from 2 to {@code shares}
     */
    long weight(int group, int cpu, long shares, long weight);

    /** Summed load of a group's queues on all CPUs but one, as far as it is known. */
    long elsewhere(int group, int cpu);

    /** Shares by loads that are averaged as the kernels of an era do. */
    static GroupWeights averaged(LoadTracking tracking, int groups, int cpus) {
        return new AveragedWeights(new GroupLoads(tracking, groups, cpus));
    }

    /**
     * Shares by the summed weights of this moment. Limitation: kernels average over 10 ms and more, so after a change their shares are off
     * for that long and these are not.
     */
    static GroupWeights ofThisMoment(int groups, int cpus) {
        return new PresentWeights(groups, cpus);
    }
}
