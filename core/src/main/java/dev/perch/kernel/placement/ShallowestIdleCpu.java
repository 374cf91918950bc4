package dev.perch.kernel.placement;

import dev.perch.model.CpuMask;

/**
 * The idle CPU that wakes fastest: smallest exit latency of its idle state, then the one that became idle last; without an idle one the
 * CPU of least load.
 *
 * <p>{@code find_idlest_cpu} ({@code find_idlest_group_cpu}) of 3.16 and later. Source: placement.md 8.7, 8.8. Of idle CPUs that never
 * ran anything the first counts as idle longest.
 */
final class ShallowestIdleCpu implements IdlestCpu {
    /** The forms, oldest first; each has what the earlier ones brought. */
    enum Form {
        /** 3.16 – 4.8. */
        FIRST,
        /** 4.9 – 4.15: a group of one CPU is answered without a look at it or the affinity. */
        SINGLE_AT_ONCE,
        /** 4.16 – 5.3: of busy CPUs of equal load the lowest, not the reference CPU. */
        LOWEST_OF_EQUALS,
        /** 5.4: without an idle CPU the first that runs only SCHED_IDLE work. */
        SCHED_IDLE_IF_NONE_IDLE,
        /** From 5.5: the first CPU that runs only SCHED_IDLE work, even before idle ones. */
        SCHED_IDLE_AT_ONCE;

        boolean has(Form since) {
            return compareTo(since) >= 0;
        }
    }

    private final Form form;
    private final LoadTerm term;

    ShallowestIdleCpu(Form form) {
        this.form = form;
        term = form.has(Form.SCHED_IDLE_AT_ONCE) ? LoadTerm.AVERAGE : LoadTerm.RUNNABLE;
    }

    @Override
    public int find(CpuMask group, int reference, WakeRequest request, CpuView view) {
        if (form.has(Form.SINGLE_AT_ONCE) && group.first() == group.last()) {
            return group.first();
        }
        int idle = -1;
        int schedIdle = -1;
        int busy = reference;
        long leastLoad = Long.MAX_VALUE;
        for (int cpu = group.nextAnd(request.allowed, 0); cpu >= 0; cpu = group.nextAnd(request.allowed, cpu + 1)) {
            if (view.idle(cpu)) {
                idle = idle < 0 || wakesFaster(cpu, idle, view) ? cpu : idle;
            } else if (form.has(Form.SCHED_IDLE_IF_NONE_IDLE) && view.schedIdle(cpu)) {
                if (form.has(Form.SCHED_IDLE_AT_ONCE)) {
                    return cpu;
                }
                schedIdle = schedIdle < 0 ? cpu : schedIdle;
            } else if (idle < 0) {
                long load = term.ofProbed(view, cpu);
                boolean stays = load == leastLoad && cpu == reference && !form.has(Form.LOWEST_OF_EQUALS);
                if (load < leastLoad || stays) {
                    leastLoad = load;
                    busy = cpu;
                }
            }
        }
        return idle >= 0 ? idle : schedIdle >= 0 ? schedIdle : busy;
    }

    /** Whether {@code cpu} is to be preferred to {@code other}, which was met before. */
    private static boolean wakesFaster(int cpu, int other, CpuView view) {
        int latency = view.exitLatencyNs[cpu];
        int shortest = view.exitLatencyNs[other];
        boolean known = latency >= 0;
        if (known && (shortest < 0 || latency < shortest)) {
            return true;
        }
        return (!known || latency == shortest) && view.idleStamp[cpu] > view.idleStamp[other];
    }
}
