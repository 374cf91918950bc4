package dev.perch.kernel.placement;

import dev.perch.kernel.domain.SchedDomain;
import dev.perch.model.CpuMask;

/** An era's choice among the groups of a domain for a task that is placed off the fast path ({@code find_idlest_group}). */
interface IdlestGroup {
    /**
     * Ring position of the group to go to; −1 to stay with the group of the domain's own CPU.
     *
     * @param domain its {@link SchedDomain#cpu} is the CPU that the descent has reached
     */
    int find(SchedDomain domain, WakeRequest request, CpuView view);

    /** Ends a choice. */
    static int answer(SchedDomain domain, int position, CpuView view) {
        int first = position < 0 ? -1 : domain.group(position).first();
        view.report(PlacementStep.IDLEST_GROUP, first, position >= 0);
        return position;
    }

    /** Sum of the capacities of a group's CPUs ({@code sgc->capacity}), which the kernel keeps with the group. */
    static long capacity(CpuMask group, CpuView view) {
        long capacity = 0;
        for (int cpu = group.first(); cpu >= 0; cpu = group.next(cpu + 1)) {
            capacity += view.capacity[cpu];
        }
        return capacity;
    }
}
