package dev.perch.kernel.placement;

import dev.perch.model.CpuMask;

/** An era's choice among the CPUs of a group for a task that is placed off the fast path ({@code find_idlest_cpu}). */
interface IdlestCpu {
    /**
     * An allowed CPU of the group.
     *
     * @param reference the CPU that the descent has reached; it is the answer if the group has no other
     */
    int find(CpuMask group, int reference, WakeRequest request, CpuView view);
}
