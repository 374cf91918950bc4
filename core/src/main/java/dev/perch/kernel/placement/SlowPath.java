package dev.perch.kernel.placement;

import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.model.CpuMask;
import org.jspecify.annotations.Nullable;

/**
 * The descent to the idlest CPU of the idlest group, domain by domain; for FORK and EXEC.
 *
 * <p>{@code select_task_rq_fair} with {@code find_idlest_group} and {@code find_idlest_cpu} of 3.1 – 3.11. Source: placement.md 8.7.
 */
final class SlowPath {
    private final SchedDomains domains;

    SlowPath(SchedDomains domains) {
        this.domains = domains;
    }

    /**
     * The idlest CPU that the descent from {@code top} reaches.
     *
     * @param top a domain of the waker's CPU with the event's flag
     */
    int search(SchedDomain top, WakeRequest request, CpuView view) {
        int flag = request.kind.domainFlag();
        int cpu = request.thisCpu;
        SchedDomain d = top;
        while (d != null) {
            int group = d.has(flag) ? idlestGroup(d, request, view) : -1;
            int idlest = group < 0 ? cpu : idlestCpu(d.group(group), cpu, request, view);
            if (idlest == cpu) {
                d = d.child();
            } else {
                cpu = idlest;
                d = highestBelow(d.weight(), cpu, flag);
            }
        }
        return cpu;
    }

    private @Nullable SchedDomain highestBelow(int weight, int cpu, int flag) {
        SchedDomain highest = null;
        for (SchedDomain d = domains.lowest(cpu); d != null && d.weight() < weight; d = d.parent()) {
            if (d.has(flag)) {
                highest = d;
            }
        }
        return highest;
    }

    /** Ring position of the group with the smallest load for its capacity; −1 if the local one is not clearly busier. */
    private static int idlestGroup(SchedDomain domain, WakeRequest request, CpuView view) {
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
        long bias = 100L + (domain.parameters().imbalancePercent() - 100) / 2;
        boolean stays = idlest < 0 || 100 * localLoad < bias * idlestLoad;
        view.report(
                PlacementStep.IDLEST_GROUP, stays ? -1 : domain.group(idlest).first(), !stays);
        return stays ? -1 : idlest;
    }

    private static long scaledLoad(CpuMask group, CpuView view) {
        long load = 0;
        long capacity = 0;
        for (int cpu = group.first(); cpu >= 0; cpu = group.next(cpu + 1)) {
            load += view.load(cpu);
            capacity += view.capacity[cpu];
        }
        return load * 1024 / capacity;
    }

    /** The allowed CPU of least load; of equals {@code reference} if it is among them, else the first. */
    private static int idlestCpu(CpuMask group, int reference, WakeRequest request, CpuView view) {
        int idlest = reference;
        long least = Long.MAX_VALUE;
        for (int cpu = group.nextAnd(request.allowed, 0); cpu >= 0; cpu = group.nextAnd(request.allowed, cpu + 1)) {
            long load = view.load(cpu);
            if (load < least || load == least && cpu == reference) {
                least = load;
                idlest = cpu;
            }
        }
        view.report(PlacementStep.IDLEST_CPU, idlest, idlest != reference);
        return idlest;
    }
}
