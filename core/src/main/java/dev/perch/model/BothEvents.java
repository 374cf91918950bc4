package dev.perch.model;

/** Passes events on to two listeners, to the first before the second. */
public record BothEvents(SchedEvents first, SchedEvents second) implements SchedEvents {
    @Override
    public void switched(long ns, int cpu, int prev, int prevPrio, TaskState prevState, int next, int nextPrio) {
        first.switched(ns, cpu, prev, prevPrio, prevState, next, nextPrio);
        second.switched(ns, cpu, prev, prevPrio, prevState, next, nextPrio);
    }

    @Override
    public void waking(long ns, int cpu, int current, int context, int wakee, int prio, int prevCpu) {
        first.waking(ns, cpu, current, context, wakee, prio, prevCpu);
        second.waking(ns, cpu, current, context, wakee, prio, prevCpu);
    }

    @Override
    public void wakeup(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        first.wakeup(ns, cpu, current, context, wakee, prio, targetCpu);
        second.wakeup(ns, cpu, current, context, wakee, prio, targetCpu);
    }

    @Override
    public void wakeupNew(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        first.wakeupNew(ns, cpu, current, context, wakee, prio, targetCpu);
        second.wakeupNew(ns, cpu, current, context, wakee, prio, targetCpu);
    }

    @Override
    public void migrated(long ns, int cpu, int current, int task, int prio, int fromCpu, int toCpu) {
        first.migrated(ns, cpu, current, task, prio, fromCpu, toCpu);
        second.migrated(ns, cpu, current, task, prio, fromCpu, toCpu);
    }

    @Override
    public void forked(long ns, int cpu, int parent, int child) {
        first.forked(ns, cpu, parent, child);
        second.forked(ns, cpu, parent, child);
    }

    @Override
    public void exited(long ns, int cpu, int pid, int prio) {
        first.exited(ns, cpu, pid, prio);
        second.exited(ns, cpu, pid, prio);
    }

    @Override
    public void idle(long ns, int cpu, int state) {
        first.idle(ns, cpu, state);
        second.idle(ns, cpu, state);
    }

    @Override
    public void frequency(long ns, int cpu, int khz) {
        first.frequency(ns, cpu, khz);
        second.frequency(ns, cpu, khz);
    }

    @Override
    public void ipiSent(long ns, int cpu, int targetCpu) {
        first.ipiSent(ns, cpu, targetCpu);
        second.ipiSent(ns, cpu, targetCpu);
    }

    @Override
    public void rescheduleIpi(long ns, int cpu) {
        first.rescheduleIpi(ns, cpu);
        second.rescheduleIpi(ns, cpu);
    }

    @Override
    public void callFunctionIpi(long ns, int cpu) {
        first.callFunctionIpi(ns, cpu);
        second.callFunctionIpi(ns, cpu);
    }

    @Override
    public void wakeIdleWithoutIpi(long ns, int cpu, int targetCpu) {
        first.wakeIdleWithoutIpi(ns, cpu, targetCpu);
        second.wakeIdleWithoutIpi(ns, cpu, targetCpu);
    }

    @Override
    public void exec(long ns, int cpu, int pid, int oldPid) {
        first.exec(ns, cpu, pid, oldPid);
        second.exec(ns, cpu, pid, oldPid);
    }

    @Override
    public void freed(long ns, int cpu, int pid) {
        first.freed(ns, cpu, pid);
        second.freed(ns, cpu, pid);
    }

    @Override
    public void runtime(long ns, int cpu, int pid, long runtimeNs) {
        first.runtime(ns, cpu, pid, runtimeNs);
        second.runtime(ns, cpu, pid, runtimeNs);
    }

    @Override
    public void lost(long ns, int cpu, long count) {
        first.lost(ns, cpu, count);
        second.lost(ns, cpu, count);
    }
}
