package dev.perch.kernel.placement;

import dev.perch.kernel.domain.SchedDomain;
import dev.perch.kernel.domain.SchedDomains;
import org.jspecify.annotations.Nullable;

/**
 * The descent to the idlest CPU of the idlest group, domain by domain; for FORK and EXEC, and for wakeups where a domain asks for it.
 *
 * <p>{@code select_task_rq_fair}, from 4.15 on {@code find_idlest_cpu}. Source: placement.md 8.7, 8.8.
 */
final class SlowPath {
    private final SchedDomains domains;
    private final IdlestGroup groups;
    private final IdlestCpu cpus;
    private final boolean prevOutsideAffinity;

    /** @param prevOutsideAffinity prev is the answer if no CPU of the domain is allowed; from 4.15 */
    SlowPath(SchedDomains domains, IdlestGroup groups, IdlestCpu cpus, boolean prevOutsideAffinity) {
        this.domains = domains;
        this.groups = groups;
        this.cpus = cpus;
        this.prevOutsideAffinity = prevOutsideAffinity;
    }

    /**
     * The idlest CPU that the descent from {@code top} reaches.
     *
     * @param top a domain of the waker's CPU with the event's flag
     */
    int search(SchedDomain top, WakeRequest request, CpuView view) {
        if (prevOutsideAffinity && !view.intersect(top.span(), request.allowed)) {
            return request.prevCpu;
        }
        int flag = request.kind.domainFlag();
        int cpu = request.thisCpu;
        SchedDomain d = top;
        while (d != null) {
            int idlest = d.has(flag) ? idlest(d, request, view) : cpu;
            if (idlest == cpu) {
                d = d.child();
            } else {
                cpu = idlest;
                d = highestBelow(d.weight(), cpu, flag);
            }
        }
        return cpu;
    }

    /** One step: the idlest CPU of the idlest group of a domain; the domain's own CPU to stay. */
    int idlest(SchedDomain domain, WakeRequest request, CpuView view) {
        int group = groups.find(domain, request, view);
        if (group < 0) {
            return domain.cpu();
        }
        int cpu = cpus.find(domain.group(group), domain.cpu(), request, view);
        view.report(PlacementStep.IDLEST_CPU, cpu, cpu != domain.cpu());
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
}
