package dev.perch.kernel.placement;

import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;

/**
 * One fixed buddy at each level, from the last-level cache downward: at most one probe a level.
 *
 * <p>{@code select_idle_sibling} of 3.6-rc1 … rc5 (commit 970e178985ca, "cross-wired buddies"; policy BUD). Source: placement.md 3.3.
 */
final class BuddySearch implements IdleSearch {
    private final SchedDomains domains;

    /** The buddy of each domain's own CPU, by domain index. */
    private final int[] buddy;

    BuddySearch(SchedDomains domains) {
        this.domains = domains;
        buddy = new int[domains.all().size()];
        for (int cpu = 0; cpu < domains.cpuCount(); cpu++) {
            for (SchedDomain d = domains.llc(cpu); d != null; d = d.child()) {
                buddy[d.index()] = buddyGroupFirst(d);
            }
        }
    }

    @Override
    public int search(WakeRequest request, int target, CpuView view) {
        if (SearchSteps.targetIdle(request, target, view)) {
            return target;
        }
        for (SchedDomain d = domains.llc(target); d != null; d = d.child()) {
            int cpu = buddy[d.index()];
            boolean usable = request.allowed.contains(cpu) && view.idle(cpu);
            view.report(PlacementStep.BUDDY, cpu, usable);
            if (usable) {
                return cpu;
            }
        }
        return SearchSteps.target(target, view);
    }

    /**
     * Pairs the groups 0↔1, 2↔3, … counted from the lowest CPU of the span; with an odd number the last points to the left. Walks the
     * ring from the group of the lowest CPU to the own one, turning round at each step.
     */
    private static int buddyGroupFirst(SchedDomain domain) {
        int count = domain.groupCount();
        int start = 0;
        while (domain.group(start).first() != domain.span().first()) {
            start++;
        }
        int position = (count - start) % count;
        boolean right = position % 2 == 0;
        if (position == count - 1) {
            right = false;
        }
        int own = 0;
        int neighbour = right ? own + 1 : position == 0 ? own : own - 1;
        return domain.group(Math.floorMod(neighbour, count)).first();
    }
}
