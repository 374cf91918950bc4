package dev.perch.model;

/**
 * How far apart two CPUs are: the smallest set of the machine that holds both. The order is from near to far.
 *
 * <p>Two CPUs of one package that lie in different NUMA nodes are {@link #REMOTE}: the node border decides.
 */
public enum Distance {
    /** The same CPU. */
    CPU,
    /** Hardware threads of one core. */
    SMT,
    /** Cores of one cluster (shared L2 or L3 tag) below the last-level cache. */
    CLUSTER,
    /** Cores that share the last-level cache. */
    LLC,
    /** One package and node, different last-level caches. */
    PACKAGE,
    /** One NUMA node, different packages. */
    NODE,
    /** Different NUMA nodes. */
    REMOTE;

    private static final Distance[] ALL = values();

    /** All distances, near to far; shared, not to be changed. */
    public static Distance[] all() {
        return ALL;
    }

    /** The word used in files, tables and JSON, such as {@code smt}. */
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
