package dev.perch.kernel.domain;

/**
 * Flag bits of a scheduling domain ({@code sd->flags}). Names follow the later kernels where a flag was renamed: share-capacity was
 * {@code SD_SHARE_CPUPOWER}, share-cache {@code SD_SHARE_PKG_RESOURCES}. Source: placement.md 11.3.
 */
public final class DomainFlags {
    public static final int LOAD_BALANCE = 1;
    public static final int BALANCE_NEWIDLE = 1 << 1;
    public static final int BALANCE_EXEC = 1 << 2;
    public static final int BALANCE_FORK = 1 << 3;

    /** Wakeups take the slow path; no level has it by default. */
    public static final int BALANCE_WAKE = 1 << 4;

    /** A wakee may be pulled to the waker's CPU inside this domain. */
    public static final int WAKE_AFFINE = 1 << 5;

    /** The CPUs are hardware threads of one core. */
    public static final int SHARE_CAPACITY = 1 << 6;

    /** The CPUs share a last-level cache. */
    public static final int SHARE_CACHE = 1 << 7;

    /** The balancer spreads tasks over the groups of the parent: one task a group before two in one. */
    public static final int PREFER_SIBLING = 1 << 8;

    /** Only one CPU of the machine balances such a domain at a time. */
    public static final int SERIALIZE = 1 << 9;

    /** The CPUs are a cluster: they share what is between core and last-level cache, such as L2 or L3 tags; 6.7+. */
    public static final int CLUSTER = 1 << 10;

    /** The span has CPUs of different capacity; from 5.14 on all capacities of the machine ({@code SD_ASYM_CPUCAPACITY[_FULL]}). */
    public static final int ASYM_CAPACITY = 1 << 11;

    private static final String[] WORDS = {
        "load-balance",
        "newidle",
        "exec",
        "fork",
        "wake",
        "wake-affine",
        "share-capacity",
        "share-cache",
        "prefer-sibling",
        "serialize",
        "cluster",
        "asym-capacity"
    };

    private DomainFlags() {}

    /** The names of the bits set, in bit order, separated by blanks; such as {@code load-balance newidle share-cache}. */
    public static String words(int flags) {
        StringBuilder text = new StringBuilder();
        for (int bit = 0; bit < WORDS.length; bit++) {
            if ((flags & 1 << bit) != 0) {
                text.append(text.isEmpty() ? "" : " ").append(WORDS[bit]);
            }
        }
        return text.toString();
    }
}
