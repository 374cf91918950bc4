package dev.perch.kernel.domain;

import static dev.perch.kernel.domain.DomainFlags.BALANCE_EXEC;
import static dev.perch.kernel.domain.DomainFlags.BALANCE_FORK;
import static dev.perch.kernel.domain.DomainFlags.BALANCE_NEWIDLE;
import static dev.perch.kernel.domain.DomainFlags.CLUSTER;
import static dev.perch.kernel.domain.DomainFlags.LOAD_BALANCE;
import static dev.perch.kernel.domain.DomainFlags.PREFER_SIBLING;
import static dev.perch.kernel.domain.DomainFlags.SERIALIZE;
import static dev.perch.kernel.domain.DomainFlags.SHARE_CACHE;
import static dev.perch.kernel.domain.DomainFlags.SHARE_CAPACITY;
import static dev.perch.kernel.domain.DomainFlags.WAKE_AFFINE;

import dev.perch.model.InputException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How an era builds its scheduling domains: which levels, with which flags and numbers, and when a level counts as useless.
 *
 * <p>Source: placement.md 11 (kernel functions {@code build_sched_domain}, {@code sd_degenerate}, {@code sd_parent_degenerate},
 * {@code cpu_attach_domain}). Limitations: the power-saving knobs ({@code sched_mc_power_savings}) and the relax-domain-level knob of
 * cpusets are at their defaults.
 */
public enum DomainRules {
    /** Up to 3.4: fixed NODE and ALLNODES levels above the node; MC prefers siblings. */
    UNTIL_3_4(
            "3.2",
            List.of(DomainLevel.SMT, DomainLevel.MC, DomainLevel.CPU, DomainLevel.NODE, DomainLevel.ALLNODES),
            false),
    /** 3.5 – 3.11: a NUMA level for each distance. A one-group CPU level survives above MC, since only it prefers siblings. */
    FROM_3_5("3.5", List.of(DomainLevel.SMT, DomainLevel.MC, DomainLevel.CPU, DomainLevel.NUMA), false),
    /** 3.12 – 3.15: prefer-sibling needs groups, and a level that is dropped hands it to its child. */
    FROM_3_12("3.12", List.of(DomainLevel.SMT, DomainLevel.MC, DomainLevel.CPU, DomainLevel.NUMA), true),
    /** 6.7, 6.8: a cluster level below MC, with a flag of its own. */
    FROM_6_7("6.7", List.of(DomainLevel.SMT, DomainLevel.CLS, DomainLevel.MC, DomainLevel.CPU, DomainLevel.NUMA), true);

    /** NUMA levels beyond this distance lose wake-affine, fork and exec balancing ({@code RECLAIM_DISTANCE}). */
    static final int RECLAIM_DISTANCE = 30;

    /** How many nodes a NODE domain holds at most ({@code SD_NODES_PER_DOMAIN}). */
    static final int NODES_PER_DOMAIN = 16;

    private static final int EVERYWHERE = LOAD_BALANCE | BALANCE_NEWIDLE | BALANCE_EXEC | BALANCE_FORK | WAKE_AFFINE;

    private static final int NEED_GROUPS_ALWAYS =
            LOAD_BALANCE | BALANCE_NEWIDLE | BALANCE_FORK | BALANCE_EXEC | SHARE_CAPACITY | SHARE_CACHE | CLUSTER;

    private final String id;
    private final List<DomainLevel> levels;
    private final boolean preferSiblingNeedsGroups;

    DomainRules(String id, List<DomainLevel> levels, boolean preferSiblingNeedsGroups) {
        this.id = id;
        this.levels = levels;
        this.preferSiblingNeedsGroups = preferSiblingNeedsGroups;
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

    /** The levels, bottom-up; NUMA stands for one level for each distance. */
    List<DomainLevel> levels() {
        return levels;
    }

    /** Flags whose only use is to choose between groups: with one group they say nothing. */
    int flagsThatNeedGroups() {
        return preferSiblingNeedsGroups ? NEED_GROUPS_ALWAYS | PREFER_SIBLING : NEED_GROUPS_ALWAYS;
    }

    /** Whether the child of a dropped level inherits prefer-sibling. */
    boolean handsPreferSiblingDown() {
        return preferSiblingNeedsGroups;
    }

    /** @param distance of a NUMA level, as the firmware gives it; not looked at for other levels */
    int flags(DomainLevel level, int distance) {
        return switch (level) {
            case SMT -> EVERYWHERE | SHARE_CAPACITY | SHARE_CACHE;
            case CLS -> EVERYWHERE | SHARE_CACHE | CLUSTER;
            case MC -> EVERYWHERE | SHARE_CACHE | (this == UNTIL_3_4 ? PREFER_SIBLING : 0);
            case CPU -> EVERYWHERE | PREFER_SIBLING;
            case NODE -> EVERYWHERE | SERIALIZE;
            case ALLNODES -> LOAD_BALANCE | BALANCE_NEWIDLE | SERIALIZE;
            case NUMA ->
                distance <= RECLAIM_DISTANCE ? EVERYWHERE | SERIALIZE : LOAD_BALANCE | BALANCE_NEWIDLE | SERIALIZE;
        };
    }

    /**
     * @param weight number of CPUs of the domain
     * @param cpus number of CPUs of the machine
     */
    DomainParameters parameters(DomainLevel level, int weight, int cpus) {
        return switch (level) {
            case SMT -> new DomainParameters(1, 2, 1, 64, 110, 0, 0, 0, 0);
            case CLS, MC -> new DomainParameters(1, 4, 1, 64, 125, 1, 2, 0, 0);
            case CPU -> new DomainParameters(1, 4, 1, 64, 125, 1, 2, 1, 0);
            case NODE -> new DomainParameters(8, 32, 1, 32, 125, 2, 3, 2, 0);
            case ALLNODES -> new DomainParameters(64, 64 * cpus, 64, 128, 133, 1, 3, 3, 0);
            case NUMA -> new DomainParameters(weight, 2 * weight, weight, 32, 125, 2, 3, 2, 0);
        };
    }
}
