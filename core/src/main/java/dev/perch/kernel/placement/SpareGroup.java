package dev.perch.kernel.placement;

import dev.perch.kernel.domain.DomainLevel;
import dev.perch.kernel.domain.SchedDomain;
import dev.perch.model.CpuMask;

/**
 * The group with the CPU of most spare capacity if that is enough for the task, except for new tasks; else the group of least runnable
 * load, where loads within a margin are told apart by the average load with blocked tasks.
 *
 * <p>{@code find_idlest_group} of 4.10 – 5.4. Source: placement.md 8.7. Among groups within the margin the runnable load of the first is
 * kept as the one to compare with.
 */
final class SpareGroup implements IdlestGroup {
    /** The forms, oldest first; each has what the earlier ones brought. */
    enum Form {
        /** 4.10 – 4.14. */
        FIRST,
        /** 4.15 – 4.18: without an allowed CPU in the own group, that counts as loaded without end. */
        NO_LOCAL_GROUP_IS_LOADED,
        /** 4.19 – 5.4: spare is what real-time tasks and interrupts leave; a node is left only for a clear gain. */
        NODES_HOLD;

        boolean has(Form since) {
            return compareTo(since) >= 0;
        }
    }

    /** More than any load; sums with a margin do not overflow. */
    private static final long ENDLESS = Long.MAX_VALUE >> 10;

    private final Form form;
    private long localRunnable;
    private long localAverage;
    private long localSpare;
    private long bestRunnable;
    private long bestAverage;
    private int best;
    private long mostSpare;
    private int sparest;

    SpareGroup(Form form) {
        this.form = form;
    }

    @Override
    public int find(SchedDomain domain, WakeRequest request, CpuView view) {
        lookAtGroups(domain, request, view);
        if (request.kind != WakeKind.FORK) {
            int util = request.wakeeUtilAvg / 2;
            view.compare(PlacementStep.IDLEST_GROUP, localSpare, mostSpare);
            if (localSpare > util && WakeAffine.bias(domain) * localSpare > 100 * mostSpare) {
                return IdlestGroup.answer(domain, -1, view);
            }
            if (mostSpare > util) {
                return IdlestGroup.answer(domain, sparest, view);
            }
        }
        return IdlestGroup.answer(domain, best >= 0 && !localWillDo(domain) ? best : -1, view);
    }

    private void lookAtGroups(SchedDomain domain, WakeRequest request, CpuView view) {
        localRunnable = form.has(Form.NO_LOCAL_GROUP_IS_LOADED) ? ENDLESS : 0;
        localAverage = localRunnable;
        localSpare = 0;
        bestRunnable = ENDLESS;
        bestAverage = ENDLESS;
        best = -1;
        mostSpare = 0;
        sparest = -1;
        for (int position = 0; position < domain.groupCount(); position++) {
            if (view.intersect(domain.group(position), request.allowed)) {
                lookAt(domain, position, request, view);
            }
        }
    }

    private void lookAt(SchedDomain domain, int position, WakeRequest request, CpuView view) {
        CpuMask group = domain.group(position);
        long runnable = 0;
        long average = 0;
        long spare = 0;
        for (int cpu = group.first(); cpu >= 0; cpu = group.next(cpu + 1)) {
            runnable += view.runnableLoad(cpu);
            average += view.loadAvg[cpu];
            spare = Math.max(spare, spare(cpu, request, view));
        }
        long capacity = IdlestGroup.capacity(group, view);
        runnable = runnable * 1024 / capacity;
        average = average * 1024 / capacity;
        if (position == 0) {
            localRunnable = runnable;
            localAverage = average;
            localSpare = spare;
            return;
        }
        keepLessLoaded(domain, position, runnable, average);
        if (spare > mostSpare) {
            mostSpare = spare;
            sparest = position;
        }
    }

    private void keepLessLoaded(SchedDomain domain, int position, long runnable, long average) {
        long margin = margin(domain);
        if (bestRunnable > runnable + margin) {
            bestRunnable = runnable;
            bestAverage = average;
            best = position;
        } else if (runnable < bestRunnable + margin && 100 * bestAverage > WakeAffine.bias(domain) * average) {
            bestAverage = average;
            best = position;
        }
    }

    private long spare(int cpu, WakeRequest request, CpuView view) {
        int capacity = form.has(Form.NODES_HOLD) ? view.capacity[cpu] : view.originalCapacity[cpu];
        return capacity - Utilisation.without(cpu, request, view);
    }

    private boolean localWillDo(SchedDomain domain) {
        long margin = margin(domain);
        if (form.has(Form.NODES_HOLD)
                && domain.level() == DomainLevel.NUMA
                && bestRunnable + margin >= localRunnable) {
            return true;
        }
        return bestRunnable > localRunnable + margin
                || localRunnable < bestRunnable + margin
                        && 100 * localAverage < WakeAffine.bias(domain) * bestAverage;
    }

    /** Runnable loads closer than this are alike. */
    private static long margin(SchedDomain domain) {
        return 1024L * (domain.parameters().imbalancePercent() - 100) / 100;
    }
}
