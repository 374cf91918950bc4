package dev.perch.trace;

import dev.perch.model.CpuMask;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskState;

/** Passes events on and counts what passes: each kind, lost events, the CPUs seen, the first and the last time. */
final class CountedEvents implements SchedEvents {
    private final SchedEvents sink;
    private final long[] counts = new long[EventKind.values().length];
    private final boolean[] seen = new boolean[CpuMask.MAX_CPUS];
    private long lost;
    private boolean any;
    private long firstNs;
    private long lastNs;

    CountedEvents(SchedEvents sink) {
        this.sink = sink;
    }

    private void count(EventKind kind, long ns, int cpu) {
        counts[kind.ordinal()]++;
        if (!any) {
            any = true;
            firstNs = ns;
        }
        lastNs = ns;
        saw(cpu);
    }

    private void saw(int cpu) {
        if (cpu >= 0 && cpu < seen.length) {
            seen[cpu] = true;
        }
    }

    long count(EventKind kind) {
        return counts[kind.ordinal()];
    }

    long lost() {
        return lost;
    }

    long firstNs() {
        return firstNs;
    }

    long lastNs() {
        return lastNs;
    }

    /** The CPUs on which something happened, or that an event named. */
    CpuMask cpus() {
        int[] cpus = new int[seen.length];
        int size = 0;
        for (int cpu = 0; cpu < seen.length; cpu++) {
            if (seen[cpu]) {
                cpus[size++] = cpu;
            }
        }
        return CpuMask.of(java.util.Arrays.copyOf(cpus, size));
    }

    @Override
    public void switched(long ns, int cpu, int prev, int prevPrio, TaskState prevState, int next, int nextPrio) {
        count(EventKind.SWITCH, ns, cpu);
        sink.switched(ns, cpu, prev, prevPrio, prevState, next, nextPrio);
    }

    @Override
    public void waking(long ns, int cpu, int current, int context, int wakee, int prio, int prevCpu) {
        count(EventKind.WAKING, ns, cpu);
        saw(prevCpu);
        sink.waking(ns, cpu, current, context, wakee, prio, prevCpu);
    }

    @Override
    public void wakeup(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        count(EventKind.WAKEUP, ns, cpu);
        saw(targetCpu);
        sink.wakeup(ns, cpu, current, context, wakee, prio, targetCpu);
    }

    @Override
    public void wakeupNew(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        count(EventKind.WAKEUP_NEW, ns, cpu);
        saw(targetCpu);
        sink.wakeupNew(ns, cpu, current, context, wakee, prio, targetCpu);
    }

    @Override
    public void migrated(long ns, int cpu, int current, int task, int prio, int fromCpu, int toCpu) {
        count(EventKind.MIGRATE, ns, cpu);
        saw(fromCpu);
        saw(toCpu);
        sink.migrated(ns, cpu, current, task, prio, fromCpu, toCpu);
    }

    @Override
    public void forked(long ns, int cpu, int parent, int child) {
        count(EventKind.FORK, ns, cpu);
        sink.forked(ns, cpu, parent, child);
    }

    @Override
    public void exec(long ns, int cpu, int pid, int oldPid) {
        count(EventKind.EXEC, ns, cpu);
        sink.exec(ns, cpu, pid, oldPid);
    }

    @Override
    public void exited(long ns, int cpu, int pid, int prio) {
        count(EventKind.EXIT, ns, cpu);
        sink.exited(ns, cpu, pid, prio);
    }

    @Override
    public void freed(long ns, int cpu, int pid) {
        count(EventKind.FREE, ns, cpu);
        sink.freed(ns, cpu, pid);
    }

    @Override
    public void wakeIdleWithoutIpi(long ns, int cpu, int targetCpu) {
        count(EventKind.WAKE_IDLE_WITHOUT_IPI, ns, cpu);
        saw(targetCpu);
        sink.wakeIdleWithoutIpi(ns, cpu, targetCpu);
    }

    @Override
    public void idle(long ns, int cpu, int state) {
        count(EventKind.CPU_IDLE, ns, cpu);
        sink.idle(ns, cpu, state);
    }

    @Override
    public void frequency(long ns, int cpu, int khz) {
        count(EventKind.CPU_FREQUENCY, ns, cpu);
        sink.frequency(ns, cpu, khz);
    }

    @Override
    public void ipiSent(long ns, int cpu, int targetCpu) {
        count(EventKind.IPI_SEND, ns, cpu);
        saw(targetCpu);
        sink.ipiSent(ns, cpu, targetCpu);
    }

    @Override
    public void rescheduleIpi(long ns, int cpu) {
        count(EventKind.RESCHEDULE_IPI, ns, cpu);
        sink.rescheduleIpi(ns, cpu);
    }

    @Override
    public void callFunctionIpi(long ns, int cpu) {
        count(EventKind.CALL_FUNCTION_IPI, ns, cpu);
        sink.callFunctionIpi(ns, cpu);
    }

    @Override
    public void runtime(long ns, int cpu, int pid, long runtimeNs) {
        count(EventKind.STAT_RUNTIME, ns, cpu);
        sink.runtime(ns, cpu, pid, runtimeNs);
    }

    @Override
    public void lost(long ns, int cpu, long count) {
        lost += Math.max(1, count);
        saw(cpu);
        sink.lost(ns, cpu, count);
    }
}
