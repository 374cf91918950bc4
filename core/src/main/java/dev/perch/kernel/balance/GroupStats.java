package dev.perch.kernel.balance;

/**
 * What an attempt to balance by types knows of one group of a domain ({@code sg_lb_stats}, {@code group_classify} of Linux 5.5 and later;
 * spec: scheduler.md 4.8). Filled anew by each attempt, so that nothing is allocated.
 */
final class GroupStats {
    /** Loads per capacity are out of this, and so are capacities of CPUs. */
    static final long WHOLE = 1024;

    /** A capacity that is greater is so by 5 %. */
    private static final long GREATER = 1078;

    int position;

    /** Hardware threads of one core. */
    boolean smt;

    int cores;

    /** CPUs. */
    int weight;

    long load;
    long util;
    long runnable;
    long capacity;
    int minCapacity;
    int maxCapacity;

    /** Tasks of all classes. */
    int nrRunning;

    /** Fair tasks, delayed ones included. */
    int nrFair;

    int idleCpus;

    /** Load of the largest task that is too large for its CPU, or of a task on a CPU of reduced capacity; 0 for none. */
    long misfitLoad;

    /** The CPU of the highest priority, where tasks are packed. */
    int preferredCpu;

    /** A smaller domain could not do its part because tasks are pinned. */
    boolean pinned;

    /** The balancing CPU is to be preferred to those of the group. */
    boolean asymPacking;

    /** A core with several busy threads, seen from an idle CPU. */
    boolean smtBusy;

    GroupType type = GroupType.HAS_SPARE;

    /** {@link #load} for the capacity; 0 unless it was asked for. */
    long average;

    void clear() {
        position = 0;
        smt = false;
        cores = 0;
        weight = 0;
        load = 0;
        util = 0;
        runnable = 0;
        capacity = 0;
        minCapacity = Integer.MAX_VALUE;
        maxCapacity = 0;
        nrRunning = 0;
        nrFair = 0;
        idleCpus = 0;
        misfitLoad = 0;
        preferredCpu = -1;
        pinned = false;
        asymPacking = false;
        smtBusy = false;
        type = GroupType.HAS_SPARE;
        average = 0;
    }

    /** Derives {@link #type}, and {@link #average} of an overloaded group, from the sums. */
    void classify(int imbalancePercent) {
        if (isOverloaded(imbalancePercent)) {
            type = GroupType.OVERLOADED;
            computeAverage();
        } else if (pinned) {
            type = GroupType.IMBALANCED;
        } else if (asymPacking) {
            type = GroupType.ASYM_PACKING;
        } else if (smtBusy) {
            type = GroupType.SMT_BALANCE;
        } else if (misfitLoad > 0) {
            type = GroupType.MISFIT_TASK;
        } else {
            type = hasCapacity(imbalancePercent) ? GroupType.HAS_SPARE : GroupType.FULLY_BUSY;
        }
    }

    private boolean isOverloaded(int percent) {
        return nrRunning > weight && (capacity * 100 < util * percent || capacity * percent < runnable * 100);
    }

    private boolean hasCapacity(int percent) {
        if (nrRunning < weight) {
            return true;
        }
        return capacity * percent >= runnable * 100 && capacity * 100 > util * percent;
    }

    void computeAverage() {
        average = load * WHOLE / capacity;
    }

    /** Whether a capacity is greater than another by what counts. */
    static boolean greater(long a, long b) {
        return a * WHOLE > b * GREATER;
    }
}
