package dev.perch.kernel.domain;

import dev.perch.model.CpuMask;
import dev.perch.model.Topology;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Builds the chain of one CPU: its levels, their groups, and what is left when the useless ones are dropped.
 *
 * <p>Source: placement.md 11.1, 11.2, 11.4. Limitations: NUMA distances are collected from node 0's point of view, as the kernels up to
 * about 5.x do it; where NUMA groups overlap, the owner's group is exact and the others are the child spans of the CPUs not yet covered,
 * cut to the domain. A cache that spans several nodes counts only within the node.
 */
final class DomainBuilder {
    private final Topology topology;
    private final DomainRules rules;
    private final List<Level> levels = new ArrayList<>();

    /** One row of the level table; NUMA has one for each distance. */
    private record Level(DomainLevel level, int distance) {}

    DomainBuilder(Topology topology, DomainRules rules) {
        this.topology = topology;
        this.rules = rules;
        for (DomainLevel level : rules.levels()) {
            if (level == DomainLevel.NUMA) {
                numaDistances().forEach(distance -> levels.add(new Level(level, distance)));
            } else {
                levels.add(new Level(level, 0));
            }
        }
    }

    private TreeSet<Integer> numaDistances() {
        TreeSet<Integer> distances = new TreeSet<>();
        for (int node = 0; node < topology.nodes().size(); node++) {
            distances.add(topology.nodeDistance(0, node));
        }
        distances.remove(topology.nodeDistance(0, 0));
        return distances;
    }

    /** The lowest domain of {@code cpu}, linked to those above it; null if none is left. */
    @Nullable
    SchedDomain chain(int cpu, CpuMask partition) {
        SchedDomain lowest = null;
        SchedDomain top = null;
        for (int i = 0; i < levels.size(); i++) {
            SchedDomain domain = domain(i, cpu, partition);
            if (top == null) {
                lowest = domain;
            } else {
                top.setParent(domain);
                domain.setChild(top);
            }
            top = domain;
            if (domain.span().equals(partition)) {
                break;
            }
        }
        return lowest == null ? null : dropDegenerate(lowest);
    }

    private SchedDomain domain(int position, int cpu, CpuMask partition) {
        Level level = levels.get(position);
        CpuMask span = span(position, cpu, partition);
        SchedDomain domain = new SchedDomain(
                cpu,
                level.level,
                level.distance,
                span,
                rules.flags(level.level, level.distance),
                rules.parameters(level.level, span.count(), topology.cpuCount()));
        domain.setGroups(groups(position, cpu, span, partition));
        return domain;
    }

    private CpuMask span(int position, int cpu, CpuMask partition) {
        CpuMask node = topology.nodes().get(topology.nodeOf(cpu));
        Level level = levels.get(position);
        CpuMask mask = switch (level.level) {
            case SMT -> topology.smt(cpu);
            case CLS -> topology.cluster(cpu).and(node);
            case MC -> topology.llc(cpu).and(node);
            case CPU -> node;
            case NODE -> nearestNodes(topology.nodeOf(cpu));
            case ALLNODES -> topology.cpus();
            case NUMA -> nodesWithin(topology.nodeOf(cpu), level.distance);
        };
        return mask.and(partition);
    }

    private CpuMask nodesWithin(int from, int distance) {
        CpuMask cpus = CpuMask.empty();
        for (int node = 0; node < topology.nodes().size(); node++) {
            if (topology.nodeDistance(from, node) <= distance) {
                cpus = cpus.or(topology.nodes().get(node));
            }
        }
        return cpus;
    }

    /** The node and the nearest others; of equally near ones those whose numbers follow its own come first, wrapping. */
    private CpuMask nearestNodes(int from) {
        int count = topology.nodes().size();
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            order.add((from + i) % count);
        }
        order.sort(Comparator.comparingInt(node -> topology.nodeDistance(from, node)));
        CpuMask cpus = CpuMask.empty();
        for (int node : order.subList(0, Math.min(count, DomainRules.NODES_PER_DOMAIN))) {
            cpus = cpus.or(topology.nodes().get(node));
        }
        return cpus;
    }

    private CpuMask[] groups(int position, int cpu, CpuMask span, CpuMask partition) {
        CpuMask own = groupOf(position, cpu, span, partition);
        List<CpuMask> groups = new ArrayList<>();
        groups.add(own);
        CpuMask open = span.minus(own);
        while (!open.isEmpty()) {
            CpuMask group = groupOf(position, open.first(), span, partition);
            groups.add(group);
            open = open.minus(group);
        }
        groups.sort(Comparator.comparingInt(CpuMask::first));
        java.util.Collections.rotate(groups, -groups.indexOf(own));
        return groups.toArray(CpuMask[]::new);
    }

    private CpuMask groupOf(int position, int cpu, CpuMask span, CpuMask partition) {
        return position == 0
                ? CpuMask.of(cpu)
                : span(position - 1, cpu, partition).and(span);
    }

    private @Nullable SchedDomain dropDegenerate(SchedDomain lowest) {
        SchedDomain domain = lowest;
        for (SchedDomain up = domain.parent(); up != null; up = domain.parent()) {
            if (!addsNothing(domain, up)) {
                domain = up;
                continue;
            }
            SchedDomain above = up.parent();
            domain.setParent(above);
            if (above != null) {
                above.setChild(domain);
            }
            if (rules.handsPreferSiblingDown() && up.has(DomainFlags.PREFER_SIBLING)) {
                domain.addFlags(DomainFlags.PREFER_SIBLING);
            }
        }
        if (!degenerate(lowest)) {
            return lowest;
        }
        SchedDomain bottom = lowest.parent();
        if (bottom != null) {
            bottom.setChild(null);
        }
        return bottom;
    }

    private boolean degenerate(SchedDomain domain) {
        if (domain.weight() == 1) {
            return true;
        }
        boolean chooses = (domain.flags() & rules.flagsThatNeedGroups()) != 0 && domain.groupCount() >= 2;
        return !chooses && !domain.has(DomainFlags.WAKE_AFFINE);
    }

    private boolean addsNothing(SchedDomain domain, SchedDomain up) {
        if (degenerate(up)) {
            return true;
        }
        if (!domain.span().equals(up.span())) {
            return false;
        }
        int flags = up.flags();
        if (up.groupCount() == 1) {
            flags &= ~rules.flagsThatNeedGroups();
            if (topology.nodes().size() == 1) {
                flags &= ~DomainFlags.SERIALIZE;
            }
        }
        return (flags & ~domain.flags()) == 0;
    }
}
