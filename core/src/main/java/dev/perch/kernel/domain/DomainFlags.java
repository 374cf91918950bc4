package dev.perch.kernel.domain;

/**
 * Flag bits of a scheduling domain ({@code sd->flags}), in the order in which kernels list them. Names follow the later kernels where a
 * flag was renamed. Source: placement.md 11.3; order and spelling from what recorded kernels print.
 *
 * <p>Limitation: asym-packing of machines with favoured cores is left out; it has no effect on wakeups.
 */
public final class DomainFlags {
    /** The domain takes part in balancing; from 5.8 on every domain does, and there is no flag for it. */
    public static final int LOAD_BALANCE = 1;

    public static final int BALANCE_NEWIDLE = 1 << 1;
    public static final int BALANCE_EXEC = 1 << 2;
    public static final int BALANCE_FORK = 1 << 3;

    /** Wakeups take the slow path; from 4.9 to 5.6 where CPU capacities differ, else no level has it by default. */
    public static final int BALANCE_WAKE = 1 << 4;

    /** A wakee may be pulled to the waker's CPU inside this domain. */
    public static final int WAKE_AFFINE = 1 << 5;

    /** The CPUs are not all of the same capacity. */
    public static final int ASYM_CAPACITY = 1 << 6;

    /** All capacities of the partition occur in the domain. */
    public static final int ASYM_CAPACITY_FULL = 1 << 7;

    /** The CPUs are hardware threads of one core. */
    public static final int SHARE_CAPACITY = 1 << 8;

    /** The CPUs are a cluster: they share an L2 or the tags of the last-level cache. */
    public static final int CLUSTER = 1 << 9;

    /** The CPUs share a last-level cache. */
    public static final int SHARE_CACHE = 1 << 10;

    /** Only one CPU of the machine balances such a domain at a time. */
    public static final int SERIALIZE = 1 << 11;

    /** The balancer spreads tasks over the groups of the parent: one task a group before two in one. */
    public static final int PREFER_SIBLING = 1 << 12;

    /** The groups may overlap each other. */
    public static final int OVERLAP = 1 << 13;

    /** The domain holds several NUMA nodes. */
    public static final int NUMA = 1 << 14;

    static final int ALL = (1 << 15) - 1;

    private static final String[] WORDS = {
        "load-balance",
        "newidle",
        "exec",
        "fork",
        "wake",
        "wake-affine",
        "asym-capacity",
        "asym-capacity-full",
        "share-capacity",
        "cluster",
        "share-cache",
        "serialize",
        "prefer-sibling",
        "overlap",
        "numa"
    };

    private static final String[] KERNEL_NAMES = {
        "SD_LOAD_BALANCE",
        "SD_BALANCE_NEWIDLE",
        "SD_BALANCE_EXEC",
        "SD_BALANCE_FORK",
        "SD_BALANCE_WAKE",
        "SD_WAKE_AFFINE",
        "SD_ASYM_CPUCAPACITY",
        "SD_ASYM_CPUCAPACITY_FULL",
        "SD_SHARE_CPUCAPACITY",
        "SD_CLUSTER",
        "SD_SHARE_LLC",
        "SD_SERIALIZE",
        "SD_PREFER_SIBLING",
        "SD_OVERLAP",
        "SD_NUMA"
    };

    private DomainFlags() {}

    /** Perch's words for the bits set, in bit order, separated by blanks; such as {@code load-balance newidle share-cache}. */
    public static String words(int flags) {
        StringBuilder text = new StringBuilder();
        for (int bit = 0; bit < WORDS.length; bit++) {
            if ((flags & 1 << bit) != 0) {
                text.append(text.isEmpty() ? "" : " ").append(WORDS[bit]);
            }
        }
        return text.toString();
    }

    /** The names of the bits set in kernels of an era, in bit order, with a comma between; such as {@code SD_WAKE_AFFINE,SD_NUMA}. */
    public static String names(int flags, DomainRules rules) {
        StringBuilder text = new StringBuilder();
        for (int bit = 0; bit < KERNEL_NAMES.length; bit++) {
            if ((flags & 1 << bit) != 0) {
                text.append(text.isEmpty() ? "" : ",").append(name(bit, rules));
            }
        }
        return text.toString();
    }

    private static String name(int bit, DomainRules rules) {
        if (1 << bit == SHARE_CAPACITY && !rules.since(DomainRules.FROM_3_16)) {
            return "SD_SHARE_CPUPOWER";
        }
        if (1 << bit == SHARE_CACHE && !rules.since(DomainRules.FROM_6_9)) {
            return "SD_SHARE_PKG_RESOURCES";
        }
        return KERNEL_NAMES[bit];
    }
}
