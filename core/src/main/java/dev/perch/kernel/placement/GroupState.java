package dev.perch.kernel.placement;

import dev.perch.kernel.domain.DomainFlags;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.model.CpuMask;

/**
 * What the slow path of 5.5 and later knows of one group of a domain: sums over its CPUs without the task itself, and the type that
 * follows from them ({@code update_sg_wakeup_stats}, {@code group_classify}). Source: placement.md 8.8.
 *
 * <p>Limitation: the mark of a group whose tasks are pinned, which load balancing sets, is not seen; neither are core-scheduling cookies.
 */
final class GroupState {
    /** How well a group can take a task, best first. */
    enum Type {
        HAS_SPARE,
        FULLY_BUSY,
        MISFIT_TASK,
        OVERLOADED
    }

    int position = -1;
    Type type = Type.OVERLOADED;

    /** Load for the capacity, 1024 = a CPU's worth; of busy and overloaded groups only. */
    long averageLoad;

    long util;
    int tasks;
    int idleCpus;

    /** Capacity of the largest CPU. */
    int largestCapacity;

    private int weight;
    private long capacity;
    private long load;
    private long runnable;
    private boolean fits;

    /** Worse than any group. */
    void clear() {
        position = -1;
        type = Type.OVERLOADED;
        averageLoad = Long.MAX_VALUE;
        largestCapacity = 0;
    }

    /**
     * Looks at a group.
     *
     * @param allowedOnly the task's allowed CPUs are summed, not all
     * @param asksEachCpu whether the task fits is asked of each CPU, not of the group's largest capacity
     */
    void read(
            SchedDomain domain,
            int at,
            WakeRequest request,
            CpuView view,
            boolean allowedOnly,
            boolean asksEachCpu) {
        CpuMask group = domain.group(at);
        position = at;
        addCapacities(group, view);
        load = 0;
        util = 0;
        runnable = 0;
        tasks = 0;
        idleCpus = 0;
        fits = false;
        for (int cpu = group.first(); cpu >= 0; cpu = group.next(cpu + 1)) {
            if (!allowedOnly || request.allowed.contains(cpu)) {
                add(cpu, request, view);
                fits |= asksEachCpu && CapacityFit.of(request, cpu, view) > 0;
            }
        }
        fits |= !asksEachCpu && CapacityFit.fits(request, largestCapacity);
        type = classify(domain);
        boolean scaled = type == Type.FULLY_BUSY || type == Type.OVERLOADED;
        averageLoad = scaled ? load * 1024 / capacity : 0;
    }

    private void addCapacities(CpuMask group, CpuView view) {
        weight = 0;
        capacity = 0;
        largestCapacity = 0;
        for (int cpu = group.first(); cpu >= 0; cpu = group.next(cpu + 1)) {
            weight++;
            capacity += view.capacity[cpu];
            largestCapacity = Math.max(largestCapacity, view.capacity[cpu]);
        }
    }

    private void add(int cpu, WakeRequest request, CpuView view) {
        view.probe(cpu);
        boolean own = Utilisation.counts(cpu, request);
        boolean queued = own && request.queuedOnPrev;
        int others = view.nrRunning[cpu] - (queued ? 1 : 0);
        load += Math.max(0, view.loadAvg[cpu] - (own ? request.wakeeLoad : 0));
        runnable += Math.max(0, view.runnableAvg[cpu] - (own ? request.wakeeRunnable : 0));
        util += Utilisation.without(cpu, request, view);
        tasks += others;
        if (others == 0 && (view.currentIdle[cpu] || queued) && !view.wakePending[cpu]) {
            idleCpus++;
        }
    }

    private Type classify(SchedDomain domain) {
        long percent = domain.parameters().imbalancePercent();
        boolean crowded = capacity * percent < runnable * 100;
        if (tasks > weight && (capacity * 100 < util * percent || crowded)) {
            return Type.OVERLOADED;
        }
        if (domain.has(DomainFlags.ASYM_CAPACITY) && !fits) {
            return Type.MISFIT_TASK;
        }
        boolean hasCapacity = tasks < weight || !crowded && capacity * 100 > util * percent;
        return hasCapacity ? Type.HAS_SPARE : Type.FULLY_BUSY;
    }
}
