package dev.perch.kernel.domain;

import static dev.perch.kernel.domain.DomainFlags.ASYM_CAPACITY;
import static dev.perch.kernel.domain.DomainFlags.ASYM_CAPACITY_FULL;
import static dev.perch.kernel.domain.DomainFlags.BALANCE_WAKE;
import static dev.perch.kernel.domain.DomainFlags.PREFER_SIBLING;

import dev.perch.model.CpuMask;
import dev.perch.model.Topology;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which domains hold CPUs of unequal capacity, and what that changes in them.
 *
 * <p>From 4.9 to 5.13 it is one level: the lowest at which every CPU sees a largest one. From 5.14 each domain is asked for its own CPUs, and
 * is full if it has all capacities of the partition. Source: placement.md 11.3, scheduler.md 4.1 (kernel functions
 * {@code asym_cpu_capacity_level}, {@code asym_cpu_capacity_classify}). Limitation: in 4.9 to 4.19 the architecture's level table says which
 * level it is; here it is found as in later kernels.
 */
final class AsymCapacity {
    private final Topology topology;
    private final CpuMask partition;
    private final DomainRules rules;
    private final SortedSet<Integer> all;
    private final boolean asymmetric;
    private final int level;

    AsymCapacity(Topology topology, CpuMask partition, DomainRules rules, LevelSpans spans) {
        this.topology = topology;
        this.partition = partition;
        this.rules = rules;
        all = capacities(partition);
        asymmetric = rules.since(DomainRules.FROM_4_9) && all.size() > 1;
        level = asymmetric ? lowestLevelWithTheLargest(spans) : -1;
    }

    private SortedSet<Integer> capacities(CpuMask cpus) {
        SortedSet<Integer> found = new TreeSet<>();
        for (int cpu = cpus.first(); cpu >= 0; cpu = cpus.next(cpu + 1)) {
            found.add(topology.capacity(cpu));
        }
        return found;
    }

    private int lowestLevelWithTheLargest(LevelSpans spans) {
        int lowest = 0;
        for (int cpu = partition.first(); cpu >= 0; cpu = partition.next(cpu + 1)) {
            while (lowest < spans.top(cpu)
                    && !capacities(spans.span(lowest, cpu)).last().equals(all.last())) {
                lowest++;
            }
        }
        return lowest;
    }

    /**
     * Sets the flags that follow from capacities.
     *
     * @param position of the last domain of {@code chain} in the level table
     * @param chain the domains of a CPU so far, bottom-up
     */
    void mark(int position, List<SchedDomain> chain) {
        SchedDomain domain = chain.getLast();
        int flags = asymmetric ? flags(position, domain) : 0;
        if (flags == 0) {
            return;
        }
        domain.addFlags(flags);
        SchedDomain child = domain.child();
        if (child != null && rules.since(DomainRules.FROM_4_20)) {
            child.removeFlags(PREFER_SIBLING);
        }
        if (!rules.since(DomainRules.FROM_5_7)) {
            chain.forEach(lower -> lower.addFlags(BALANCE_WAKE));
        }
    }

    private int flags(int position, SchedDomain domain) {
        if (!rules.since(DomainRules.FROM_5_14)) {
            return position == level ? ASYM_CAPACITY : 0;
        }
        SortedSet<Integer> own = capacities(domain.span());
        if (own.size() < 2) {
            return 0;
        }
        return own.size() == all.size() ? ASYM_CAPACITY | ASYM_CAPACITY_FULL : ASYM_CAPACITY;
    }
}
