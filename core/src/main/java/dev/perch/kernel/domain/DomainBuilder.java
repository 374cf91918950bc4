package dev.perch.kernel.domain;

import dev.perch.model.CpuMask;
import dev.perch.model.Topology;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds the chains of the CPUs of one partition: levels, flags, groups and numbers, and what is left when the useless levels are dropped.
 *
 * <p>Source: placement.md 11.1, 11.3 and 8.8 (kernel function {@code build_sched_domains}).
 */
final class DomainBuilder {
    private final Topology topology;
    private final DomainRules rules;
    private final LevelSpans spans;
    private final DomainGroups groups;
    private final AsymCapacity asym;

    DomainBuilder(Topology topology, CpuMask partition, DomainRules rules) {
        this.topology = topology;
        this.rules = rules;
        spans = new LevelSpans(topology, partition, rules);
        groups = new DomainGroups(spans, rules);
        asym = new AsymCapacity(topology, partition, rules, spans);
    }

    /** The lowest domain of {@code cpu}, linked to those above it; null if none is left. */
    @Nullable
    SchedDomain chain(int cpu) {
        List<SchedDomain> chain = new ArrayList<>();
        for (int position = 0; position <= spans.top(cpu); position++) {
            SchedDomain domain = domain(position, cpu);
            if (position > 0) {
                SchedDomain child = chain.getLast();
                child.setParent(domain);
                domain.setChild(child);
            }
            chain.add(domain);
            asym.mark(position, chain);
        }
        if (rules.since(DomainRules.FROM_5_16)) {
            for (int i = 1; i < chain.size(); i++) {
                chain.get(i).setFirstGroupFlags(chain.get(i - 1).flags());
            }
        }
        if (rules.since(DomainRules.FROM_5_18)) {
            allowImbalance(chain);
        }
        return new Degeneration(rules, topology.nodes().size()).drop(chain.getFirst());
    }

    private SchedDomain domain(int position, int cpu) {
        DomainLevel level = spans.level(position);
        int distance = spans.distance(position);
        CpuMask span = spans.span(position, cpu);
        SchedDomain domain = new SchedDomain(
                cpu,
                level,
                level.name(rules),
                position,
                distance,
                span,
                rules.flags(level, distance, topology),
                rules.parameters(level, span.count(), topology.cpuCount()));
        domain.setGroups(groups.ring(position, cpu));
        return domain;
    }

    /** So many tasks that a last-level cache each gets one, or an eighth of the CPUs where a node is one cache; more above the nodes. */
    private static void allowImbalance(List<SchedDomain> chain) {
        int tasks = 0;
        int unit = 1;
        for (SchedDomain domain : chain) {
            SchedDomain child = domain.child();
            if (child == null || domain.has(DomainFlags.SHARE_CACHE) || !child.has(DomainFlags.SHARE_CACHE)) {
                domain.setImbNuma(tasks * Math.max(1, domain.weight() / unit));
                continue;
            }
            int caches = domain.weight() / child.weight();
            tasks = Math.max(1, caches == 1 ? domain.weight() / 8 : caches);
            domain.setImbNuma(tasks);
            unit = firstNumaAbove(domain).weight();
        }
    }

    private static SchedDomain firstNumaAbove(SchedDomain domain) {
        for (SchedDomain up = domain.parent(); up != null; up = up.parent()) {
            if (up.has(DomainFlags.NUMA)) {
                return up;
            }
        }
        return domain;
    }
}
