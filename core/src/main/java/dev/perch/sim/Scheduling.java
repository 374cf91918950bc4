package dev.perch.sim;

import dev.perch.kernel.TaskTable;
import dev.perch.kernel.fair.Runqueue;
import dev.perch.model.CostItem;
import dev.perch.model.TaskState;
import dev.perch.sim.workload.Workload;

/**
 * What happens on a CPU that is not idle: tasks block, are preempted; the scheduler switches between them.
 *
 * <p>The order inside the scheduler is that of 3.2: dequeue, newly-idle balance, put-prev, pick, switch (spec scheduler.md 5.7). The
 * kernel is a voluntary-preemption one: a request to reschedule is honoured at once in user mode, otherwise on return to it (5.6).
 */
final class Scheduling {
    private final Run run;
    private final Cpus cpus;
    private final Programs programs;
    private final TaskTable tasks;

    Scheduling(Run run) {
        this.run = run;
        cpus = run.cpus;
        programs = run.programs;
        tasks = run.tasks;
    }

    /**
     * An interrupt returns to the current task: if it runs in user mode and should be rescheduled, it is, at once.
     *
     * @return whether it was
     */
    boolean preemptIfUser(int cpu) {
        int task = cpus.current[cpu];
        if (!run.runqueues[cpu].reschedulePending() || !run.execution.isUser(task)) {
            return false;
        }
        run.processors.interrupt(cpu, run.now);
        programs.leftCoreNs[task] = run.processors.coreLeft(cpu);
        programs.leftWallNs[task] = run.processors.wallLeft(cpu);
        schedule(cpu);
        return true;
    }

    /** The current task has decided to sleep and now leaves its queue, unless it was woken in the meantime. */
    void block(int cpu) {
        int task = cpus.current[cpu];
        if (!programs.sleeping[task]) {
            cpus.phase[cpu] = Cpus.RUNNING;
            run.execution.proceed(cpu);
            return;
        }
        Runqueue runqueue = run.runqueues[cpu];
        runqueue.refreshForSwitch(run.now);
        run.loads.sleep(cpu, task);
        if (programs.exited[task] || !tasks.allowed[task].contains(cpu)) {
            runqueue.dequeueAtOnce(task);
        } else {
            runqueue.dequeueSleep(task);
        }
        if (!tasks.isFair(task)) {
            run.balancing.realTimeLeft(cpu, task);
        }
        boolean dry = runqueue.runsDry();
        run.refreshView(cpu);
        run.governing.utilisationChanged(cpu);
        if (dry) {
            run.balancing.newlyIdle(cpu);
        }
        schedule(cpu, true);
    }

    /** The current task is going to sleep: its CPU takes its queue's lock, and keeps it until it has switched to another task. */
    void beginBlocking(int cpu) {
        CostItem next = run.runqueues[cpu].nrRunning() > 1 ? CostItem.SWITCH_PROCESS : CostItem.SWITCH_IDLE;
        long core = run.costs.coreNs(CostItem.DEQUEUE);
        long wall = run.costs.wallNs(CostItem.DEQUEUE);
        long held = wall
                + run.costs.wallNs(CostItem.PICK)
                + run.costs.wallNs(next)
                + run.processors.wallNs(cpu, core + run.costs.coreNs(CostItem.PICK) + run.costs.coreNs(next));
        run.work(cpu, Cpus.BLOCKING, core, wall + run.locks.takeOwn(cpu, run.now, held));
    }

    /** The scheduler: puts the current task back, picks the next one and begins to switch to it. */
    void schedule(int cpu) {
        schedule(cpu, false);
    }

    private void schedule(int cpu, boolean locked) {
        Runqueue runqueue = run.runqueues[cpu];
        int previous = cpus.current[cpu];
        cpus.switchedFrom[cpu] = previous;
        run.loads.switching(cpu);
        if (run.balancing.stopperPending(cpu)) {
            runqueue.refresh(run.now);
            runqueue.putPrevious();
            leave(previous);
            cpus.switchedFrom[cpu] = TaskTable.IDLE_TASK;
            run.balancing.runStopper(cpu);
        }
        int next = runqueue.schedule(run.now);
        run.loads.picked(cpu, next);
        long core = run.costs.coreNs(CostItem.PICK);
        long wall = run.costs.wallNs(CostItem.PICK);
        if (next != TaskTable.IDLE_TASK) {
            tasks.onCpu[next] = true;
        }
        if (next != previous) {
            CostItem item = switchBetween(previous, next);
            core += run.costs.coreNs(item);
            wall += run.costs.wallNs(item);
            boolean sleeps = previous != TaskTable.IDLE_TASK && (!tasks.onQueue[previous] || tasks.delayed[previous]);
            TaskState asleep = programs.exited[previous] ? TaskState.DEAD : TaskState.SLEEPING;
            TaskState state = sleeps ? asleep : TaskState.RUNNABLE;
            run.events.switched(run.now, cpu, previous, tasks.prio[previous], state, next, tasks.prio[next]);
            cpus.current[cpu] = next;
        }
        run.refreshView(cpu);
        if (next == TaskTable.IDLE_TASK) {
            run.inputs.pickedIdle(cpu);
        }
        if (!locked) {
            wall += run.locks.takeOwn(cpu, run.now, wall + run.processors.wallNs(cpu, core));
        }
        run.work(cpu, Cpus.SWITCHING, core, wall);
    }

    private CostItem switchBetween(int previous, int next) {
        if (previous == TaskTable.IDLE_TASK || next == TaskTable.IDLE_TASK) {
            return CostItem.SWITCH_IDLE;
        }
        return programs.process[previous] == programs.process[next] ? CostItem.SWITCH_THREAD : CostItem.SWITCH_PROCESS;
    }

    /** A task is no longer on its CPU; a waker that spins for that goes on. */
    private void leave(int task) {
        if (task == TaskTable.IDLE_TASK) {
            return;
        }
        tasks.onCpu[task] = false;
        if (programs.exited[task] && !tasks.onQueue[task]) {
            run.loads.ended(task);
        }
        int spinner = programs.spinner[task];
        if (spinner >= 0) {
            programs.spinner[task] = -1;
            run.wakeups.place(spinner, task);
        }
    }

    /** The switch is done. */
    void switched(int cpu) {
        int previous = cpus.switchedFrom[cpu];
        int next = cpus.current[cpu];
        if (previous != next) {
            leave(previous);
        }
        run.balancing.switched(cpu);
        if (next == TaskTable.IDLE_TASK) {
            run.idling.enter(cpu);
            return;
        }
        refillCaches(cpu, next);
        if (programs.latency[next] != Workload.NO_SERIES) {
            long latency = programs.followsWakeup(next, run.now);
            if (latency != Programs.NOT_WOKEN) {
                run.measurements.latency(programs.latency[next], latency);
            }
        }
        cpus.phase[cpu] = Cpus.RUNNING;
        run.execution.proceed(cpu);
    }

    /** A task that runs on another core than before pays for its cold private caches. */
    private void refillCaches(int cpu, int task) {
        int before = tasks.lastCpu[task];
        if (before >= 0 && run.topology.coreOf(before) != run.topology.coreOf(cpu)) {
            CostItem item = CostItem.MIGRATION_REFILL;
            cpus.owe(cpu, run.costs.coreNs(item), run.costs.wallNs(item) + run.costs.lineNs(item, before, cpu));
        }
        tasks.lastCpu[task] = cpu;
    }
}
