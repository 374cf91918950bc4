package dev.perch.kernel.domain;

import org.jspecify.annotations.Nullable;

/**
 * Drops the domains of a chain that change nothing: one CPU, or the same CPUs as the child and no flag that it lacks.
 *
 * <p>Source: placement.md 11.2 (kernel functions {@code sd_degenerate}, {@code sd_parent_degenerate}, {@code cpu_attach_domain}).
 */
final class Degeneration {
    private final DomainRules rules;
    private final int nodes;

    /** @param nodes number of NUMA nodes of the machine */
    Degeneration(DomainRules rules, int nodes) {
        this.rules = rules;
        this.nodes = nodes;
    }

    /** The lowest domain of what is left of the chain that begins with {@code lowest}; null if nothing is. */
    @Nullable
    SchedDomain drop(SchedDomain lowest) {
        SchedDomain domain = lowest;
        for (SchedDomain up = domain.parent(); up != null; up = domain.parent()) {
            if (addsNothing(domain, up)) {
                unlink(domain, up);
            } else {
                domain = up;
            }
        }
        if (!degenerate(lowest)) {
            return lowest;
        }
        SchedDomain bottom = lowest.parent();
        if (bottom != null) {
            bottom.setChild(null);
            bottom.setFirstGroupFlags(0);
        }
        return bottom;
    }

    private void unlink(SchedDomain domain, SchedDomain up) {
        SchedDomain above = up.parent();
        domain.setParent(above);
        if (above != null) {
            above.setChild(domain);
            if (rules.since(DomainRules.FROM_6_6)) {
                above.setFirstGroupFlags(domain.flags());
            }
        }
        if (rules.handsPreferSiblingDown() && up.has(DomainFlags.PREFER_SIBLING)) {
            domain.addFlags(DomainFlags.PREFER_SIBLING);
        }
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
            if (nodes == 1) {
                flags &= ~DomainFlags.SERIALIZE;
            }
        }
        return (flags & ~domain.flags()) == 0;
    }
}
