package dev.perch.kernel.balance;

/**
 * The load of one group of a domain as an attempt to balance sees it ({@code sg_lb_stats}). Filled anew by each attempt, so that
 * nothing is allocated.
 */
final class GroupLoad {
    /** Capacity of a CPU of its own. */
    static final long POWER_OF_CPU = 1024;

    /** Summed load of the CPUs, present or past. */
    long load;

    /** Summed present weight. */
    long weight;

    /** Summed capacity of all CPUs of the group. */
    long power;

    /** Tasks. */
    int nrRunning;

    int idleCpus;

    /** All CPUs of the group, candidates or not. */
    int cpus;

    /** For how many tasks there is room. */
    long capacity;

    /** Less tasks than that. */
    boolean hasCapacity;

    /** The load is distributed unevenly within the group. */
    boolean imbalanced;

    /** {@link #load} per 1024 of capacity. */
    long average;

    void clear() {
        load = 0;
        weight = 0;
        power = 0;
        nrRunning = 0;
        idleCpus = 0;
        cpus = 0;
        capacity = 0;
        hasCapacity = false;
        imbalanced = false;
        average = 0;
    }

    /** Derives {@link #average} and {@link #hasCapacity}. */
    void summarize() {
        average = load * POWER_OF_CPU / power;
        hasCapacity = capacity > nrRunning;
    }

    long weightPerTask() {
        return nrRunning == 0 ? 0 : weight / nrRunning;
    }
}
