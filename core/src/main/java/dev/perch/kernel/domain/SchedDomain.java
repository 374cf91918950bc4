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
    private final int distance;
    private final CpuMask span;
    private final int weight;
    private final DomainParameters parameters;
    private CpuMask[] groups = new CpuMask[0];
    private int index = -1;
    private int flags;
    private @Nullable SchedDomain child;
    private @Nullable SchedDomain parent;

    SchedDomain(int cpu, DomainLevel level, int distance, CpuMask span, int flags, DomainParameters parameters) {
        this.cpu = cpu;
        this.level = level;
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

    @Override
    public String toString() {
        return level + " of CPU " + cpu + ": " + span;
    }
}
