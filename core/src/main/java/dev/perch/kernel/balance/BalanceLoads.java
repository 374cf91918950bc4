package dev.perch.kernel.balance;

import dev.perch.kernel.domain.SchedDomain;

/**
 * The averages by which kernels from 5.5 on balance, present values (spec: scheduler.md 3.4 to 3.7, 4.8). Loads have nice 0 = 1024,
 * utilisations and capacities 1024 for a whole CPU of the machine's fastest. Older balance rules ask for none of them.
 *
 * <p>What is counted and not averaged, tasks and idle CPUs, comes from the runqueues and from {@link BalanceHost}.
 */
public interface BalanceLoads {
    /** Whether {@link Balancer#changed} is called after all changes of these figures, so that they need not be asked for in between. */
    default boolean tellsChanges() {
        return false;
    }

    /** Tasks of all classes on a CPU's queue ({@code rq->nr_running}). */
    int nrRunning(int cpu);

    /** Fair tasks on a CPU's queue, delayed ones included ({@code cfs.h_nr_queued}). */
    int nrFair(int cpu);

    /** Weight of the fair tasks on a CPU's queue ({@code cfs.load.weight}). */
    long weight(int cpu);

    /** Load average of a CPU's fair tasks, sleeping ones included ({@code cfs.avg.load_avg}). */
    long load(int cpu);

    /** Runnable average, 1024 for each task that always wants to run ({@code cfs.avg.runnable_avg}). */
    long runnable(int cpu);

    /** Utilisation or what is estimated of it, at most the CPU's capacity ({@code cpu_util_cfs}). */
    long util(int cpu);

    /** As {@link #util}, from 6.5 on the runnable average if that is more ({@code cpu_util_cfs_boost}). */
    long boostedUtil(int cpu);

    /** Capacity left for fair tasks, at least 1 ({@code cpu_capacity}). */
    int capacity(int cpu);

    /** Capacity of the CPU itself ({@code cpu_capacity_orig}). */
    int originalCapacity(int cpu);

    /** Load of a task at the root of its CPU's queue ({@code task_h_load}). */
    long taskLoad(int task);

    /** Estimated utilisation of a task ({@code task_util_est}). */
    long taskUtil(int task);

    /** Load of the running task if it is too large for its CPU, else 0 ({@code misfit_task_load}). */
    default long misfitLoad(int cpu) {
        return 0;
    }

    /** Whether tasks that sleep still count in the averages of a CPU ({@code has_blocked_load}). */
    default boolean hasBlocked(int cpu) {
        return false;
    }

    /** Whether tasks of a domain should be on its CPUs of highest {@link #priority} ({@code SD_ASYM_PACKING}). */
    default boolean packs(SchedDomain domain) {
        return false;
    }

    /** How much a CPU is preferred where tasks are packed ({@code arch_asym_cpu_priority}). */
    default int priority(int cpu) {
        return 0;
    }
}
