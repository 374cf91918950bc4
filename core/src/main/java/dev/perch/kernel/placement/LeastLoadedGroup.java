package dev.perch.kernel.placement;

import dev.perch.kernel.domain.SchedDomain;
import dev.perch.model.CpuMask;

/**
 * The group with the smallest load for its capacity, unless the own one is clearly less loaded; groups without any load are no reason to
 * stay.
 *
 * <p>{@code find_idlest_group} of 2.6.39 – 4.9. Source: placement.md 8.7. The load index for fork and exec is 0, so that present loads are
 * compared.
 */
final class LeastLoadedGroup implements IdlestGroup {
    private final LoadTerm term;

    LeastLoadedGroup(LoadTerm term) {
        this.term = term;
    }

    @Override
    public int find(SchedDomain domain, WakeRequest request, CpuView view) {
        long localLoad = 0;
        long idlestLoad = Long.MAX_VALUE;
        int idlest = -1;
        for (int position = 0; position < domain.groupCount(); position++) {
            CpuMask group = domain.group(position);
            if (!view.intersect(group, request.allowed)) {
                continue;
            }
            long load = scaledLoad(group, view);
            if (position == 0) {
                localLoad = load;
            } else if (load < idlestLoad) {
                idlestLoad = load;
                idlest = position;
            }
        }
        if (idlest < 0) {
            return IdlestGroup.answer(domain, -1, view);
        }
        long own = 100 * localLoad;
        long other = WakeAffine.bias(domain) * idlestLoad;
        view.compare(PlacementStep.IDLEST_GROUP, own, other);
        return IdlestGroup.answer(domain, own < other ? -1 : idlest, view);
    }

    private long scaledLoad(CpuMask group, CpuView view) {
        long load = 0;
        for (int cpu = group.first(); cpu >= 0; cpu = group.next(cpu + 1)) {
            load += term.of(view, cpu);
        }
        return load * 1024 / IdlestGroup.capacity(group, view);
    }
}
