package dev.perch.kernel.load;

/**
 * The load that each task group has on each CPU, averaged as its era averages it, and what follows of it for the group's weight there ({@code
 * update_cfs_load}, {@code update_tg_load_avg}, {@code calc_cfs_shares}, {@code calc_group_shares}; spec: scheduler.md 1.19). Until 3.7 the
 * average is one over a window of 10 ms, later it decays. Times are ns of the CPU's clock, weights those of nice 0 = 1024. Nothing here
 * allocates after construction.
 *
 * <p>Limitations: from 3.8 on the load of a queue follows the weight that was queued on it, so what a task that changes its CPU has done elsewhere
 * does not come along with it; 3.8 to 4.2 add up what entities have run, which comes to the same for what is queued for long.
 */
public final class GroupLoads {
    private final LoadTracking.Shares kind;
    private final int cpus;
    private final GroupShares shares;
    private final LoadAverages averages;

    /** Groups 1 to {@code groups}, without load. */
    public GroupLoads(LoadTracking tracking, int groups, int cpus) {
        kind = tracking.shares();
        this.cpus = cpus;
        shares = new GroupShares(tracking, groups + 1, (groups + 1) * cpus);
        averages = new LoadAverages(kind == LoadTracking.Shares.WINDOW ? 0 : (groups + 1) * cpus, tracking.pelt());
    }

    /**
     * Accounts the weight that a group's queue on a CPU has had since the last call; before every change of it, at ticks, and when the CPU balances.
     *
     * @param weight summed weight of what is queued, before the change
     * @param force the CPU balances; until 3.7 that makes the load known whatever the difference
     */
    public void account(int group, int cpu, long clock, long weight, boolean force) {
        int queue = group * cpus + cpu;
        if (kind == LoadTracking.Shares.WINDOW) {
            shares.averageWindow(queue, group, clock, weight, force);
            return;
        }
        if (averages.step(queue, clock, weight, 0, false)) {
            averages.average(queue, 1);
        }
        shares.contribute(queue, group, clock, averages.load(queue));
    }

    /**
     * Weight of the group's entity on a CPU.
     *
     * @param ofGroup shares of the group
     * @param weight summed weight of what is queued there
     */
    public long weight(int group, int cpu, long ofGroup, long weight) {
        int queue = group * cpus + cpu;
        long load = kind == LoadTracking.Shares.AVERAGES ? Math.max(weight, averages.load(queue)) : weight;
        return shares.weight(queue, group, ofGroup, load);
    }

    /** Load of the group on all CPUs but one, as far as it is known. */
    public long elsewhere(int group, int cpu) {
        return shares.total(group) - shares.contribution(group * cpus + cpu);
    }
}
