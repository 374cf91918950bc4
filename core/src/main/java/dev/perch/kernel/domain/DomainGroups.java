package dev.perch.kernel.domain;

import dev.perch.model.CpuMask;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The groups of domains, each the span of the level below as one of its CPUs sees it.
 *
 * <p>Up to the node, groups never overlap and all CPUs of a domain enter the same ring. Above, they do where the nodes are not all equally
 * far from each other: the owner's group comes first, then a group for each CPU not covered yet, walking up from the owner and around. A
 * group may then reach out of the domain, until 5.13 takes the group from a lower level.
 *
 * <p>Source: placement.md 11.4; the walk as in the recorded kernels ({@code build_sched_groups}, {@code build_overlap_sched_groups}).
 * Limitations: kernels before 4.13 begin the walk of overlapping groups at the lowest CPU instead of the owner. Groups of the NODE and ALLNODES
 * levels are cut to the domain.
 */
final class DomainGroups {
    private final LevelSpans spans;
    private final DomainRules rules;
    private final List<Map<CpuMask, List<CpuMask>>> rings = new ArrayList<>();

    DomainGroups(LevelSpans spans, DomainRules rules) {
        this.spans = spans;
        this.rules = rules;
        for (int position = 0; position < spans.count(); position++) {
            rings.add(new HashMap<>());
        }
    }

    /** The groups of a CPU's domain at a level, its own first. */
    CpuMask[] ring(int position, int cpu) {
        return switch (spans.level(position)) {
            case SMT, CLS, MC, PKG, LOCAL_NODE -> commonRing(position, cpu);
            case NODE, ALLNODES, NUMA -> ownRing(position, cpu);
        };
    }

    private CpuMask[] commonRing(int position, int cpu) {
        List<CpuMask> ring = rings.get(position)
                .computeIfAbsent(spans.span(position, cpu), span -> {
                    List<CpuMask> groups = new ArrayList<>();
                    CpuMask covered = CpuMask.empty();
                    for (int i = span.first(); i >= 0; i = span.next(i + 1)) {
                        if (!covered.contains(i)) {
                            CpuMask group = below(position, i);
                            groups.add(group);
                            covered = covered.or(group);
                        }
                    }
                    return groups;
                });
        int own = 0;
        while (!ring.get(own).contains(cpu)) {
            own++;
        }
        CpuMask[] rotated = new CpuMask[ring.size()];
        for (int i = 0; i < rotated.length; i++) {
            rotated[i] = ring.get((own + i) % rotated.length);
        }
        return rotated;
    }

    private CpuMask[] ownRing(int position, int cpu) {
        CpuMask span = spans.span(position, cpu);
        List<CpuMask> groups = new ArrayList<>();
        CpuMask open = span;
        CpuMask covered = CpuMask.empty();
        boolean overlap = false;
        for (int i = cpu; i >= 0; i = nextWrapping(open, cpu, i)) {
            open = open.minus(CpuMask.of(i));
            if (position > spans.top(i)) {
                continue;
            }
            CpuMask group = group(position, i, span);
            overlap |= group.intersects(covered);
            covered = covered.or(group);
            open = open.minus(group);
            groups.add(group);
        }
        if (!overlap) {
            CpuMask own = groups.getFirst();
            groups.sort(Comparator.comparingInt(CpuMask::first));
            Collections.rotate(groups, -groups.indexOf(own));
        }
        return groups.toArray(CpuMask[]::new);
    }

    /** The next member on the walk that began at {@code start} and has come to {@code at}; −1 at its end. */
    private static int nextWrapping(CpuMask open, int start, int at) {
        int next = open.next(at + 1);
        if (at >= start) {
            return next >= 0 ? next : before(open, start, 0);
        }
        return before(open, start, at + 1);
    }

    private static int before(CpuMask open, int start, int from) {
        int next = open.next(from);
        return next < start ? next : -1;
    }

    private CpuMask group(int position, int cpu, CpuMask span) {
        CpuMask group = below(position, cpu);
        if (!rules.since(DomainRules.FROM_3_5)) {
            return group.and(span);
        }
        if (!rules.since(DomainRules.FROM_5_13) || span.containsAll(group)) {
            return group;
        }
        int from = position;
        while (from > 0 && !span.containsAll(spans.span(from - 1, cpu))) {
            from--;
        }
        while (from > 0 && spans.span(from - 1, cpu).equals(spans.span(from, cpu))) {
            from--;
        }
        return from == 0 ? spans.span(0, cpu) : spans.span(from - 1, cpu);
    }

    private CpuMask below(int position, int cpu) {
        return position == 0 ? CpuMask.of(cpu) : spans.span(position - 1, cpu);
    }
}
