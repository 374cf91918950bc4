package dev.perch.sim;

import dev.perch.kernel.TaskTable;
import dev.perch.kernel.fair.Runqueue;
import dev.perch.model.CpuMask;
import dev.perch.sim.check.CheckedRun;

/** A run as the checks of its invariants see it. */
final class CheckedState implements CheckedRun {
    private final Run run;

    CheckedState(Run run) {
        this.run = run;
    }

    @Override
    public String nameOf(int task) {
        return run.workload.tasks().get(task - 1).name();
    }

    /** {@inheritDoc} Tasks of the workload may be in its cpuset, kernel threads anywhere. */
    @Override
    public CpuMask allowed(int task) {
        boolean workload = run.programs.instanceOf[task] != dev.perch.sim.workload.Workload.NO_INSTANCE;
        return workload && !run.spec.cpuset().isEmpty() ? run.spec.cpuset() : run.topology.cpus();
    }

    @Override
    public int current(int cpu) {
        return run.cpus.current[cpu];
    }

    @Override
    public TimeOf timeOf(int cpu) {
        if (!run.cpus.isIdle(cpu)) {
            return TimeOf.TASK;
        }
        return switch (run.cpus.phase[cpu]) {
            case Cpus.IDLE, Cpus.LEAVING, Cpus.IDLE_ENTRY -> TimeOf.IDLE;
            default -> TimeOf.INTERRUPT;
        };
    }

    @Override
    public long idleNs(int cpu) {
        return run.idling.idleNs(cpu);
    }

    @Override
    public boolean isAsleep(int cpu) {
        return run.cpus.phase[cpu] == Cpus.IDLE;
    }

    @Override
    public boolean interruptIsComing(int cpu) {
        return run.queue.timeOf(run.ipiSlot + cpu) != EventQueue.NEVER
                || run.queue.timeOf(run.callSlot + cpu) != EventQueue.NEVER;
    }

    @Override
    public boolean hasWakeList(int cpu) {
        return run.wakeups.firstOfList(cpu) != TaskTable.IDLE_TASK;
    }

    @Override
    public boolean isHandedOver(int task) {
        for (int cpu = 0; cpu < run.cpuCount; cpu++) {
            int phase = run.cpus.phase[cpu];
            if ((phase == Cpus.WAKING || phase == Cpus.SPINNING) && run.cpus.wakee[cpu] == task) {
                return true;
            }
            for (int listed = run.wakeups.firstOfList(cpu);
                    listed != TaskTable.IDLE_TASK;
                    listed = run.wakeups.nextOfList(listed)) {
                if (listed == task) {
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    public boolean leavesCpu(int task) {
        Runqueue runqueue = run.runqueues[run.tasks.cpu[task]];
        return runqueue.current() == task && run.programs.sleeping[task];
    }
}
