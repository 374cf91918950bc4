package dev.perch.sim.check;

import dev.perch.kernel.TaskTable;
import dev.perch.kernel.fair.CfsTunables;
import dev.perch.kernel.fair.LoadWeights;
import dev.perch.kernel.fair.Runqueue;
import dev.perch.kernel.fair.Runqueues;
import dev.perch.model.CpuMask;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskState;
import java.util.Map;

/** A run of two CPUs and five tasks that is played by hand, rightly or wrongly: tasks 1 to 5, nice 0, allowed everywhere. */
final class StandIn implements CheckedRun {
    static final int CPUS = 2;

    final TaskTable tasks = new TaskTable(6);
    final Runqueue[] runqueues;
    final RunInvariants invariants;
    final SchedEvents events;
    final int[] current = new int[CPUS];
    final TimeOf[] timeOf = {TimeOf.IDLE, TimeOf.IDLE};
    final long[] idleNs = new long[CPUS];
    final boolean[] asleep = new boolean[CPUS];
    final boolean[] wakeList = new boolean[CPUS];
    boolean interruptIsComing;
    boolean handedOver;
    private final TimeOf[] before = {TimeOf.IDLE, TimeOf.IDLE};
    private long inspected;
    CpuMask cpuset = CpuMask.range(0, CPUS - 1);

    /** @param rules of the runqueues */
    StandIn(String rules) {
        for (int task = 1; task < tasks.capacity(); task++) {
            LoadWeights.assign(tasks, task, TaskTable.POLICY_NORMAL, 0);
            tasks.allowed[task] = cpuset;
        }
        runqueues = new Runqueues(rules, tasks, CPUS).byCpu();
        CfsTunables tunables = CfsTunables.scaled(CPUS, Map.of());
        long credit = tunables.latency() / 2;
        VirtualTimeRules bounds = new VirtualTimeRules(tunables, credit, credit, false, 4_000_000);
        invariants = new RunInvariants(this, tasks, runqueues, bounds);
        events = invariants.events();
    }

    /** A new task is put on the queue of a CPU. */
    void start(long ns, int cpu, int task) {
        tasks.cpu[task] = cpu;
        runqueues[cpu].refresh(ns);
        runqueues[cpu].placeNew(task);
        runqueues[cpu].enqueueNew(task);
        runqueues[cpu].checkPreemptByNew(task);
        events.wakeupNew(ns, cpu, current[cpu], SchedEvents.IN_TASK, task, 120, cpu);
    }

    /** The scheduler of a CPU switches to whom its queue chooses; the task before sleeps, or only waits. */
    void schedule(long ns, int cpu, TaskState state) {
        Runqueue runqueue = runqueues[cpu];
        int previous = current[cpu];
        if (state == TaskState.SLEEPING) {
            runqueue.refreshForSwitch(ns);
            runqueue.dequeueSleep(previous);
        }
        int next = runqueue.schedule(ns);
        tasks.onCpu[previous] = false;
        tasks.onCpu[next] = next != TaskTable.IDLE_TASK;
        current[cpu] = next;
        timeOf[cpu] = next == TaskTable.IDLE_TASK ? TimeOf.IDLE : TimeOf.TASK;
        if (next != previous) {
            events.switched(ns, cpu, previous, 120, state, next, 120);
        }
    }

    /** A sleeping task is woken on the CPU where it was. */
    void wake(long ns, int task) {
        int cpu = tasks.cpu[task];
        events.waking(ns, cpu, current[cpu], SchedEvents.IN_TASK, task, 120, cpu);
        if (tasks.delayed[task]) {
            runqueues[cpu].refresh(ns);
            runqueues[cpu].requeueDelayed(task);
        } else {
            runqueues[cpu].prepareWakeup(task);
            runqueues[cpu].refresh(ns);
            runqueues[cpu].enqueueWakeup(task);
        }
        runqueues[cpu].checkPreempt(task);
        events.wakeup(ns, cpu, current[cpu], SchedEvents.IN_TASK, task, 120, cpu);
    }

    /** An event is over; idle time is accounted as it should be. */
    void inspect(long ns) {
        for (int cpu = 0; cpu < CPUS; cpu++) {
            idleNs[cpu] += before[cpu] == TimeOf.IDLE ? ns - inspected : 0;
            before[cpu] = timeOf[cpu];
        }
        inspected = ns;
        invariants.inspect(ns);
    }

    @Override
    public String nameOf(int task) {
        return "actor";
    }

    @Override
    public CpuMask allowed(int task) {
        return cpuset;
    }

    @Override
    public int current(int cpu) {
        return current[cpu];
    }

    @Override
    public TimeOf timeOf(int cpu) {
        return timeOf[cpu];
    }

    @Override
    public long idleNs(int cpu) {
        return idleNs[cpu];
    }

    @Override
    public boolean isAsleep(int cpu) {
        return asleep[cpu];
    }

    @Override
    public boolean interruptIsComing(int cpu) {
        return interruptIsComing;
    }

    @Override
    public boolean hasWakeList(int cpu) {
        return wakeList[cpu];
    }

    @Override
    public boolean isHandedOver(int task) {
        return handedOver;
    }

    @Override
    public boolean leavesCpu(int task) {
        return false;
    }
}
