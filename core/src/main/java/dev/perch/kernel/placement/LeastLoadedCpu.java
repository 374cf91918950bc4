package dev.perch.kernel.placement;

import dev.perch.model.CpuMask;

/**
 * The allowed CPU of least load; of equals the reference CPU if it is among them, else the first.
 *
 * <p>{@code find_idlest_cpu} of 2.6.39 – 3.15. Source: placement.md 8.7.
 */
final class LeastLoadedCpu implements IdlestCpu {
    private final LoadTerm term;

    LeastLoadedCpu(LoadTerm term) {
        this.term = term;
    }

    @Override
    public int find(CpuMask group, int reference, WakeRequest request, CpuView view) {
        int idlest = reference;
        long least = Long.MAX_VALUE;
        for (int cpu = group.nextAnd(request.allowed, 0); cpu >= 0; cpu = group.nextAnd(request.allowed, cpu + 1)) {
            long load = term.of(view, cpu);
            if (load < least || load == least && cpu == reference) {
                least = load;
                idlest = cpu;
            }
        }
        return idlest;
    }
}
