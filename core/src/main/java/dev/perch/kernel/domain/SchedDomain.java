package dev.perch.kernel.domain;

import dev.perch.model.CpuMask;
import org.jspecify.annotations.Nullable;

/**
 * One scheduling domain of one CPU ({@code struct sched_domain}): a set of CPUs, divided into groups. Immutable once
 * {@link SchedDomains} is built; every CPU has its own chain of them, from small to large.
 */
public final class SchedDomain {
    private final int cpu;
    private final DomainLevel level;
    private final String name;
    private final int levelIndex;
    private final int distance;
    private final CpuMask span;
    private final int weight;
    private final DomainParameters parameters;
    private CpuMask[] groups = new CpuMask[0];
    private int index = -1;
    private int flags;
    private int firstGroupFlags;
    private int imbNuma;
    private @Nullable SchedDomain child;
    private @Nullable SchedDomain parent;

    SchedDomain(
            int cpu,
            DomainLevel level,
            String name,
            int levelIndex,
            int distance,
            CpuMask span,
            int flags,
            DomainParameters parameters) {
        this.cpu = cpu;
        this.level = level;
        this.name = name;
        this.levelIndex = levelIndex;
        this.distance = distance;
        this.span = span;
        this.weight = span.count();
        this.flags = flags;
        this.parameters = parameters;
    }

    /** Number of this domain among all of {@link SchedDomains#all}, from 0; for state kept in arrays. */
    public int index() {
        return index;
    }

    /** The CPU whose chain this domain is in. */
    public int cpu() {
        return cpu;
    }

    public DomainLevel level() {
        return level;
    }

    /** The level's name in the kernel of the era, such as {@code DIE} or {@code PKG} for {@link DomainLevel#PKG}. */
    public String name() {
        return name;
    }

    /** Position of the level in the era's table, from 0 at the bottom; levels that were dropped count ({@code sd->level} of 5.10 on). */
    public int levelIndex() {
        return levelIndex;
    }

    /** The node distance up to which a NUMA domain reaches, as the firmware gives it; 0 for the other levels. */
    public int distance() {
        return distance;
    }

    public CpuMask span() {
        return span;
    }

    /** Number of CPUs in the span ({@code span_weight}). */
    public int weight() {
        return weight;
    }

    /** Bits of {@link DomainFlags}. */
    public int flags() {
        return flags;
    }

    /** Whether all bits of {@code flag} are set. */
    public boolean has(int flag) {
        return (flags & flag) == flag;
    }

    public int groupCount() {
        return groups.length;
    }

    /**
     * A group, in ring order: 0 is the group of {@link #cpu} itself, the others follow by ascending first CPU, then wrapping to the
     * lowest.
     */
    public CpuMask group(int position) {
        return groups[position];
    }

    /**
     * Flags of the level below as the first group, {@link #group} 0, has them on record ({@code sd->groups->flags}, 5.16 and later); 0 at
     * the bottom and in older kernels.
     */
    public int firstGroupFlags() {
        return firstGroupFlags;
    }

    /**
     * How many tasks a node may have before tasks go to another one ({@code imb_numa_nr}, 5.18 and later), at least 1 from the first level
     * above the last-level cache on; 0 below and in older kernels.
     */
    public int imbNuma() {
        return imbNuma;
    }

    /** The next smaller domain of the same CPU, or null at the bottom. */
    public @Nullable SchedDomain child() {
        return child;
    }

    /** The next larger domain of the same CPU, or null at the top. */
    public @Nullable SchedDomain parent() {
        return parent;
    }

    public DomainParameters parameters() {
        return parameters;
    }

    void setGroups(CpuMask[] groups) {
        this.groups = groups;
    }

    void setIndex(int index) {
        this.index = index;
    }

    void setChild(@Nullable SchedDomain child) {
        this.child = child;
    }

    void setParent(@Nullable SchedDomain parent) {
        this.parent = parent;
    }

    void addFlags(int flag) {
        flags |= flag;
    }

    void removeFlags(int flag) {
        flags &= ~flag;
    }

    void setFirstGroupFlags(int flags) {
        firstGroupFlags = flags;
    }

    void setImbNuma(int tasks) {
        imbNuma = tasks;
    }

    @Override
    public String toString() {
        return name + " of CPU " + cpu + ": " + span;
    }
}
