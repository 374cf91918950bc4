package dev.perch.kernel.load;

/**
 * How long searches for an idle CPU take from each CPU, and how many CPUs they may look at for that ({@code avg_scan_cost} of a CPU's
 * last-level cache domain, SIS_AVG_CPU and SIS_PROP of Linux 4.9 to 6.6; spec: placement.md 5.3, 6.1, 6.2).
 *
 * <p>Times are ns. Which searches count is the rule's: until 5.11 those that found a CPU or saw them all, from 5.12 on every one that
 * kept to a budget and did not use it up.
 */
public final class ScanCost {
    /** A search is worth a 512th of the idle time that the CPU may expect; until 5.13. */
    public static final int IDLE_FRACTION = 512;

    /** What remains to a search when time is short; one less is looked at. */
    private static final int LEAST_BUDGET = 4;

    private final long[] average;

    public ScanCost(int cpus) {
        this(new long[cpus]);
    }

    /** Costs that are kept in {@code average}, by CPU, where placement rules read them. */
    public ScanCost(long[] average) {
        this.average = average;
    }

    /** Mean cost of a search from {@code cpu}. */
    public long average(int cpu) {
        return average[cpu];
    }

    /** A search from {@code cpu} has taken that long. */
    public void fold(int cpu, long time) {
        average[cpu] = IdleTime.averageToZero(average[cpu], time);
    }

    /** Whether no search is worth while: SIS_AVG_CPU from 4.13 on, where a search costs at least 1. */
    public boolean tooExpensive(int cpu, long idleTime) {
        return idleTime < average[cpu] + 1;
    }

    /** Whether no search is worth while by the rule of 4.9 to 4.12. */
    public boolean tooExpensiveUntil412(int cpu, long idleTime) {
        return idleTime < average[cpu];
    }

    /**
     * SIS_PROP: how many CPUs a search may come to, the last of which it does not look at.
     *
     * @param cpus of the domain to search
     * @param idleTime that may be spent: {@link IdleTime#average()} / {@link #IDLE_FRACTION}, from 5.14 on {@link IdleTime#forSearches}
     * @return at least 4
     */
    public long budget(int cpu, int cpus, long idleTime) {
        return budget(average[cpu], cpus, idleTime);
    }

    /** As {@link #budget(int, int, long)}, of a mean cost. */
    public static long budget(long average, int cpus, long idleTime) {
        long cost = average + 1;
        long proportional = cpus * idleTime;
        return proportional > LEAST_BUDGET * cost ? proportional / cost : LEAST_BUDGET;
    }
}
