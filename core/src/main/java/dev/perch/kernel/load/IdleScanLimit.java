package dev.perch.kernel.load;

/**
 * How many CPUs of a last-level cache a search for an idle one may look at, by how busy they were when load was last balanced ({@code
 * nr_idle_scan}, {@code update_idle_cpu_scan} of Linux 6.0 and later, SIS_UTIL; spec: placement.md 7.2).
 *
 * <p>A cache is known by its lowest CPU. Balancing tells it at the end of its statistics, unless it is of the newly-idle kind, when the
 * domain balanced is as large as the cache. A kernel that has just booted allows nothing until then.
 */
public final class IdleScanLimit {
    private final int[] limit;

    /** Limits of the caches of that many CPUs, all 0. */
    public IdleScanLimit(int cpus) {
        this(new int[cpus]);
    }

    /** Limits that are kept in {@code limit}, by the lowest CPU of each cache, where placement rules read them. */
    public IdleScanLimit(int[] limit) {
        this.limit = limit;
    }

    /** How many CPUs a search in the cache may look at ({@code nr_idle_scan}). */
    public int of(int llc) {
        return limit[llc];
    }

    /**
     * Takes the statistics of a balance of the cache's domain.
     *
     * @param utilSum summed utilisation of its CPUs, each at most its capacity, out of 1024
     * @param cpus of the cache
     * @param imbalancePct of the domain: 117 if nothing else is said
     */
    public void update(int llc, long utilSum, int cpus, int imbalancePct) {
        limit[llc] = limit(utilSum, cpus, imbalancePct);
    }

    /** The cache has been without load for so long that a balance has seen it. */
    public void idle(int llc, int cpus) {
        limit[llc] = limit(0, cpus, 0);
    }

    /** The limit that such statistics give, from 0 to {@code cpus}. */
    public static int limit(long utilSum, int cpus, int imbalancePct) {
        long mean = utilSum / cpus;
        long busy = mean * mean * imbalancePct * imbalancePct / (10_000L * 1024);
        return (int) ((1024 - Math.min(busy, 1024)) * cpus / 1024);
    }
}
