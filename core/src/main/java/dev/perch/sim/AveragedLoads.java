package dev.perch.sim;

import dev.perch.kernel.TaskTable;
import dev.perch.kernel.balance.BalanceLoads;
import dev.perch.kernel.load.FairCapacity;
import dev.perch.kernel.load.UtilEst;
import dev.perch.kernel.placement.CpuView;

/**
 * The tasks, weights and averages by which kernels balance, as the run keeps them for placement too.
 *
 * <p>Limitation: whether a running task is too large for its CPU is judged when it is asked, where kernels note it at picks and ticks.
 */
final class AveragedLoads implements BalanceLoads {
    private final Run run;
    private final CpuView view;
    private final boolean boosts;
    private final boolean unequal;
    private final int[] nrFair;

    /** @param boosts the runnable average counts as use of a CPU, 6.5+ */
    AveragedLoads(Run run, boolean boosts) {
        this.run = run;
        this.boosts = boosts;
        view = run.view;
        nrFair = new int[run.cpuCount];
        boolean smaller = false;
        for (int cpu = 0; cpu < run.cpuCount; cpu++) {
            smaller |= run.topology.capacity(cpu) != run.topology.capacity(0);
        }
        unequal = smaller;
    }

    /** The queue of a CPU has changed. */
    void counted(int cpu) {
        nrFair[cpu] = run.runqueues[cpu].nrFair();
    }

    @Override
    public boolean tellsChanges() {
        return true;
    }

    @Override
    public int nrRunning(int cpu) {
        return view.nrRunning[cpu];
    }

    @Override
    public int nrFair(int cpu) {
        return nrFair[cpu];
    }

    @Override
    public long weight(int cpu) {
        return view.load[cpu];
    }

    @Override
    public long load(int cpu) {
        return view.loadAvg[cpu];
    }

    @Override
    public long runnable(int cpu) {
        return view.runnableAvg[cpu];
    }

    @Override
    public long util(int cpu) {
        return UtilEst.cpuUtil(view.utilAvg[cpu], view.utilEst[cpu], view.originalCapacity[cpu]);
    }

    @Override
    public long boostedUtil(int cpu) {
        return boosts
                ? UtilEst.boostedCpuUtil(
                        view.utilAvg[cpu], view.runnableAvg[cpu], view.utilEst[cpu], view.originalCapacity[cpu])
                : util(cpu);
    }

    @Override
    public int capacity(int cpu) {
        return view.capacity[cpu];
    }

    @Override
    public int originalCapacity(int cpu) {
        return view.originalCapacity[cpu];
    }

    @Override
    public long taskLoad(int task) {
        return run.loads.taskLoad(task);
    }

    @Override
    public long taskUtil(int task) {
        return run.loads.taskUtil(task);
    }

    @Override
    public long misfitLoad(int cpu) {
        int task = run.cpus.current[cpu];
        if (!unequal || task == TaskTable.IDLE_TASK || FairCapacity.fits(taskUtil(task), view.capacity[cpu])) {
            return 0;
        }
        return Math.max(1, taskLoad(task));
    }

    @Override
    public boolean hasBlocked(int cpu) {
        return view.currentIdle[cpu] && (view.loadAvg[cpu] | view.runnableAvg[cpu] | view.utilAvg[cpu]) != 0;
    }
}
