package dev.perch.kernel.domain;

import static dev.perch.kernel.domain.DomainFlags.ALL;
import static dev.perch.kernel.domain.DomainFlags.ASYM_CAPACITY;
import static dev.perch.kernel.domain.DomainFlags.BALANCE_EXEC;
import static dev.perch.kernel.domain.DomainFlags.BALANCE_FORK;
import static dev.perch.kernel.domain.DomainFlags.BALANCE_NEWIDLE;
import static dev.perch.kernel.domain.DomainFlags.CLUSTER;
import static dev.perch.kernel.domain.DomainFlags.LOAD_BALANCE;
import static dev.perch.kernel.domain.DomainFlags.NUMA;
import static dev.perch.kernel.domain.DomainFlags.OVERLAP;
import static dev.perch.kernel.domain.DomainFlags.PREFER_SIBLING;
import static dev.perch.kernel.domain.DomainFlags.SERIALIZE;
import static dev.perch.kernel.domain.DomainFlags.SHARE_CACHE;
import static dev.perch.kernel.domain.DomainFlags.SHARE_CAPACITY;
import static dev.perch.kernel.domain.DomainFlags.WAKE_AFFINE;

import dev.perch.model.CpuMask;
import dev.perch.model.InputException;
import dev.perch.model.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How an era builds its scheduling domains: which levels, with which flags, and what makes a level useless. Eras stand in the order of time
 * and each is named by the first version that has it.
 *
 * <p>Source: placement.md 11 (kernel functions {@code build_sched_domain}, {@code sd_init}, {@code sd_degenerate},
 * {@code sd_parent_degenerate}, {@code cpu_attach_domain}). Limitations: the power-saving knobs ({@code sched_mc_power_savings}) and the
 * relax-domain-level knob of cpusets are at their defaults; asym-packing is left out.
 */
public enum DomainRules {
    /** Up to 3.4: fixed NODE and ALLNODES levels above the node; MC prefers siblings. */
    UNTIL_3_4("3.2"),
    /** A NUMA level for each distance. A one-group CPU level survives above MC, since only it prefers siblings. */
    FROM_3_5("3.5"),
    /** Prefer-sibling needs groups, and a level that is dropped hands it to its child. */
    FROM_3_12("3.12"),
    /** One table for all levels; the CPU level is called DIE; intervals grow with the size of the domain. */
    FROM_3_16("3.16"),
    /** SMT prefers siblings. */
    FROM_4_4("4.4"),
    /** No DIE level if a package holds several nodes; unequal capacities are seen and make wakeups take the slow path. */
    FROM_4_9("4.9"),
    /** A NODE level, so that the nodes stay a level where DIE is left out. */
    FROM_4_14("4.14"),
    /** MC prefers siblings. */
    FROM_4_19("4.19"),
    /** The level below one of unequal capacities does not prefer siblings. */
    FROM_4_20("4.20"),
    /** The reclaim distance is the machine's; load indices are gone. */
    FROM_5_4("5.4"),
    /** Unequal capacities no longer make wakeups take the slow path. */
    FROM_5_7("5.7"),
    /** Load-balance is no flag any more. */
    FROM_5_8("5.8"),
    /** Every flag but wake-affine needs groups; new percentages and busy factor. */
    FROM_5_10("5.10"),
    /** NUMA distances are collected from the whole table. */
    FROM_5_12("5.12"),
    /** The groups of a NUMA level stay inside its span. */
    FROM_5_13("5.13"),
    /** Each domain is looked at for unequal capacities, and for whether it has all of them. */
    FROM_5_14("5.14"),
    /** Clusters, except on hybrid machines; groups record the flags of the level below. */
    FROM_5_16("5.16"),
    /** An allowance for imbalance between nodes is computed. */
    FROM_5_18("5.18"),
    /** Clusters on hybrid machines; the groups' record is corrected when a level is dropped. */
    FROM_6_6("6.6"),
    /** Clusters have a flag; DIE is called PKG. */
    FROM_6_7("6.7"),
    /** The flag of a shared cache got its present name. */
    FROM_6_9("6.9"),
    /** No SMT level on machines without SMT. */
    FROM_6_18("6.18");

    /** How many nodes a NODE domain holds at most ({@code SD_NODES_PER_DOMAIN}). */
    static final int NODES_PER_DOMAIN = 16;

    private static final int SPREADING = BALANCE_EXEC | BALANCE_FORK | WAKE_AFFINE;

    private static final int NEED_GROUPS_ALWAYS =
            LOAD_BALANCE | BALANCE_NEWIDLE | BALANCE_FORK | BALANCE_EXEC | SHARE_CAPACITY | SHARE_CACHE;

    private final String id;

    DomainRules(String id) {
        this.id = id;
    }

    /**
     * The rules that a kernel file names under {@code sched-domains}.
     *
     * @throws InputException if there are none of that name
     */
    public static DomainRules named(String id) {
        for (DomainRules rules : values()) {
            if (rules.id.equals(id)) {
                return rules;
            }
        }
        throw new InputException("there are no sched-domains rules '" + id + "'; known are "
                + Arrays.stream(values()).map(rules -> rules.id).collect(Collectors.joining(", ")));
    }

    /** The name in kernel files: the first version that had these rules. */
    public String id() {
        return id;
    }

    /** Whether this is the era that {@code first} began, or a later one. */
    public boolean since(DomainRules first) {
        return compareTo(first) >= 0;
    }

    /** The levels, bottom-up; NUMA stands for one level for each distance. */
    List<DomainLevel> levels(Topology topology) {
        List<DomainLevel> levels = new ArrayList<>();
        if (!since(FROM_6_18) || topology.hasSmt()) {
            levels.add(DomainLevel.SMT);
        }
        if (since(FROM_6_6) || since(FROM_5_16) && !hybrid(topology)) {
            levels.add(DomainLevel.CLS);
        }
        levels.add(DomainLevel.MC);
        if (!since(FROM_4_9) || !nodesInsidePackage(topology)) {
            levels.add(DomainLevel.PKG);
        }
        if (!since(FROM_3_5)) {
            levels.addAll(List.of(DomainLevel.NODE, DomainLevel.ALLNODES));
            return levels;
        }
        if (since(FROM_4_14) && topology.nodes().size() > 1) {
            levels.add(DomainLevel.LOCAL_NODE);
        }
        levels.add(DomainLevel.NUMA);
        return levels;
    }

    /** Whether some cores have more hardware threads than others, by which a hybrid part is told here. */
    private static boolean hybrid(Topology topology) {
        int threads = topology.smt(0).count();
        return topology.cores().stream().anyMatch(core -> core.count() != threads);
    }

    private static boolean nodesInsidePackage(Topology topology) {
        for (CpuMask node : topology.nodes()) {
            CpuMask pkg = topology.packages().get(topology.packageOf(node.first()));
            if (!node.containsAll(pkg)) {
                return true;
            }
        }
        return false;
    }

    /** Flags whose only use is to choose between groups: with one group they say nothing. */
    int flagsThatNeedGroups() {
        if (since(FROM_5_10)) {
            return ALL & ~WAKE_AFFINE;
        }
        return NEED_GROUPS_ALWAYS | (since(FROM_3_12) ? PREFER_SIBLING : 0) | (since(FROM_4_9) ? ASYM_CAPACITY : 0);
    }

    /** Whether the child of a dropped level inherits prefer-sibling. */
    boolean handsPreferSiblingDown() {
        return since(FROM_3_12);
    }

    /**
     * The flags that a level is built with; those of unequal capacities are found later.
     *
     * @param distance of a NUMA level, as the firmware gives it; not looked at for other levels
     */
    int flags(DomainLevel level, int distance, Topology topology) {
        int everywhere = (since(FROM_5_8) ? 0 : LOAD_BALANCE) | BALANCE_NEWIDLE;
        return everywhere
                | switch (level) {
                    case SMT -> SPREADING | SHARE_CAPACITY | SHARE_CACHE | (since(FROM_4_4) ? PREFER_SIBLING : 0);
                    case CLS -> SPREADING | SHARE_CACHE | PREFER_SIBLING | (since(FROM_6_7) ? CLUSTER : 0);
                    case MC -> SPREADING | SHARE_CACHE | (mcPrefersSiblings() ? PREFER_SIBLING : 0);
                    case PKG, LOCAL_NODE -> SPREADING | PREFER_SIBLING;
                    case NODE -> SPREADING | SERIALIZE;
                    case ALLNODES -> SERIALIZE;
                    case NUMA ->
                        SERIALIZE
                                | OVERLAP
                                | (since(FROM_3_16) ? NUMA : 0)
                                | (distance <= reclaimDistance(topology) ? SPREADING : 0);
                };
    }

    private boolean mcPrefersSiblings() {
        return this == UNTIL_3_4 || since(FROM_4_19);
    }

    private int reclaimDistance(Topology topology) {
        return since(FROM_5_4) ? topology.reclaimDistance() : Topology.USUAL_RECLAIM_DISTANCE;
    }

    /**
     * The numbers of a level.
     *
     * @param weight number of CPUs of the domain
     * @param cpus number of CPUs of the machine
     */
    DomainParameters parameters(DomainLevel level, int weight, int cpus) {
        if (!since(FROM_3_16)) {
            return DomainParameters.until315(level, weight, cpus);
        }
        boolean lastingNumbers = since(FROM_5_10);
        int percent = switch (level) {
            case SMT -> 110;
            case CLS, MC -> 117;
            case PKG, LOCAL_NODE, NODE, ALLNODES, NUMA -> lastingNumbers ? 117 : 125;
        };
        int tries = switch (level) {
            case SMT -> 0;
            case CLS, MC, PKG, LOCAL_NODE, NODE, ALLNODES -> 1;
            case NUMA -> 2;
        };
        int[] index = since(FROM_5_4) ? new int[] {0, 0} : DomainParameters.loadIndices(level);
        return new DomainParameters(
                weight, 2 * weight, weight, lastingNumbers ? 16 : 32, percent, tries, index[0], index[1], 0);
    }
}
