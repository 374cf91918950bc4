package dev.perch.audit;

import dev.perch.model.SchedEvents;
import dev.perch.model.TaskState;

/** Passes events on and tells of each waking record first; on request as {@code perf sched record} would, without wakeup records. */
record Tap(SchedEvents to, boolean withWakeupRecords, WakingHeard heard) implements SchedEvents {
    interface WakingHeard {
        void waking(long ns, int cpu, int wakee);
    }

    @Override
    public void switched(long ns, int cpu, int prev, int prevPrio, TaskState prevState, int next, int nextPrio) {
        to.switched(ns, cpu, prev, prevPrio, prevState, next, nextPrio);
    }

    @Override
    public void waking(long ns, int cpu, int current, int context, int wakee, int prio, int prevCpu) {
        heard.waking(ns, cpu, wakee);
        to.waking(ns, cpu, current, context, wakee, prio, prevCpu);
    }

    @Override
    public void wakeup(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        if (withWakeupRecords) {
            to.wakeup(ns, cpu, current, context, wakee, prio, targetCpu);
        }
    }

    @Override
    public void wakeupNew(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        to.wakeupNew(ns, cpu, current, context, wakee, prio, targetCpu);
    }

    @Override
    public void migrated(long ns, int cpu, int current, int task, int prio, int fromCpu, int toCpu) {
        to.migrated(ns, cpu, current, task, prio, fromCpu, toCpu);
    }

    @Override
    public void forked(long ns, int cpu, int parent, int child) {
        to.forked(ns, cpu, parent, child);
    }

    @Override
    public void exec(long ns, int cpu, int pid, int oldPid) {
        to.exec(ns, cpu, pid, oldPid);
    }

    @Override
    public void exited(long ns, int cpu, int pid, int prio) {
        to.exited(ns, cpu, pid, prio);
    }

    @Override
    public void wakeIdleWithoutIpi(long ns, int cpu, int targetCpu) {
        if (withWakeupRecords) {
            to.wakeIdleWithoutIpi(ns, cpu, targetCpu);
        }
    }

    @Override
    public void idle(long ns, int cpu, int state) {
        if (withWakeupRecords) {
            to.idle(ns, cpu, state);
        }
    }

    @Override
    public void ipiSent(long ns, int cpu, int targetCpu) {
        if (withWakeupRecords) {
            to.ipiSent(ns, cpu, targetCpu);
        }
    }

    @Override
    public void rescheduleIpi(long ns, int cpu) {
        if (withWakeupRecords) {
            to.rescheduleIpi(ns, cpu);
        }
    }

    @Override
    public void callFunctionIpi(long ns, int cpu) {
        if (withWakeupRecords) {
            to.callFunctionIpi(ns, cpu);
        }
    }
}
