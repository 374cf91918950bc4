package dev.perch.sim;

import dev.perch.kernel.TaskTable;
import dev.perch.kernel.fair.Runqueue;
import dev.perch.kernel.placement.CpuView;
import dev.perch.kernel.placement.Placement;
import dev.perch.kernel.placement.PlacementRules;
import dev.perch.kernel.placement.ScanResult;
import dev.perch.kernel.placement.WakeKind;
import dev.perch.kernel.placement.WakeRequest;
import dev.perch.kernel.wakeup.RemoteQueue;
import dev.perch.kernel.wakeup.Signal;
import dev.perch.kernel.wakeup.WakeeClass;
import dev.perch.model.CostItem;
import dev.perch.model.SchedEvents;
import java.util.Arrays;

/**
 * The path of a wakeup ({@code try_to_wake_up}): choose a CPU, enqueue there or have the target do it, decide on preemption, signal.
 *
 * <p>Choosing and enqueueing are two moments: between them lie the cost of the search and of the target's lock, and two wakers may
 * choose the same idle CPU. What the search costs is what it touched. Source: spec placement.md 9, scheduler.md 5.2–5.4.
 */
final class Wakeups {
    private final Run run;
    private final Cpus cpus;
    private final Programs programs;
    private final TaskTable tasks;
    private final CpuView view;
    private final PlacementRules rules;
    private final RemoteQueue remoteQueue;
    private final WakeRequest request = new WakeRequest();
    /** Wake lists: the task pushed last on each CPU's list, and for each task the one pushed before it. */
    private final int[] listHead;

    private final int[] listNext;

    Wakeups(Run run) {
        this.run = run;
        cpus = run.cpus;
        programs = run.programs;
        tasks = run.tasks;
        view = run.view;
        rules = Placement.rules(run.kernel, run.topology, run.domains);
        remoteQueue = RemoteQueue.of(run.kernel, run.domains);
        listHead = new int[run.cpuCount];
        listNext = new int[run.taskCount];
        Arrays.fill(listHead, TaskTable.IDLE_TASK);
    }

    /** A task runs for the first time, on {@code cpu}. */
    void startTask(int task, int cpu) {
        tasks.cpu[task] = cpu;
        Runqueue runqueue = run.runqueues[cpu];
        runqueue.refresh(run.now);
        run.events.wakeupNew(run.now, cpu, TaskTable.IDLE_TASK, SchedEvents.IN_TASK, task, tasks.prio[task], cpu);
        runqueue.placeNew(task);
        run.inputs.begin(task, cpu);
        run.loads.begin(cpu, task);
        runqueue.enqueueNew(task);
        run.refreshView(cpu);
        if (runqueue.checkPreemptByNew(task)) {
            run.idling.wake(cpu);
        }
    }

    /** The current task of {@code cpu} starts {@code child}; the CPU is then busy with choosing where. */
    void fork(int cpu, int child) {
        run.events.forked(run.now, cpu, cpus.current[cpu], child);
        tasks.cpu[child] = cpu;
        run.beginChild(child, cpus.current[cpu]);
        Runqueue runqueue = run.runqueues[cpu];
        runqueue.refresh(run.now);
        runqueue.placeNew(child);
        run.inputs.begin(child, cpu);
        request.kind = WakeKind.FORK;
        int target = tasks.isFair(child) ? select(cpu, child, false, false) : selectRealTime(cpu, child);
        request.kind = WakeKind.WAKE;
        tasks.cpu[child] = target;
        cpus.wakee[cpu] = child;
        cpus.chosen[cpu] = target;
        run.work(
                cpu,
                Cpus.FORKING,
                searchCoreNs() + activationCoreNs(),
                searchWallNs(cpu) + lockedActivationWallNs(cpu, target, afterSearch(cpu)));
    }

    /** The cost of choosing a CPU for a new task has been paid: it is enqueued there, and its parent goes on. */
    void deliverNew(int cpu) {
        int child = cpus.wakee[cpu];
        int target = cpus.chosen[cpu];
        Runqueue runqueue = run.runqueues[target];
        runqueue.refresh(run.now);
        run.events.wakeupNew(run.now, cpu, cpus.current[cpu], SchedEvents.IN_TASK, child, tasks.prio[child], target);
        run.loads.begin(target, child);
        runqueue.enqueueNew(child);
        run.refreshView(target);
        run.governing.utilisationChanged(target);
        if (runqueue.checkPreemptByNew(child)) {
            signal(cpu, target);
        }
        realTimeWoken(cpu, child, target);
        cpus.phase[cpu] = Cpus.RUNNING;
        run.execution.proceed(cpu);
    }

    /**
     * The current task of {@code cpu} wakes {@code wakee}.
     *
     * @param sync it announces that it will sleep soon
     * @return whether this takes time: the CPU is then busy with it
     */
    boolean begin(int cpu, int wakee, boolean sync) {
        run.events.waking(
                run.now, cpu, cpus.current[cpu], SchedEvents.IN_TASK, wakee, tasks.prio[wakee], tasks.cpu[wakee]);
        programs.wokenAt[wakee] = run.now;
        if (tasks.delayed[wakee]) {
            cpus.owe(cpu, activationCoreNs(), lockedActivationWallNs(cpu, tasks.cpu[wakee], run.now));
            requeue(cpu, wakee, tasks.cpu[wakee], SchedEvents.IN_TASK);
            return false;
        }
        if (tasks.onQueue[wakee]) {
            stayAwake(cpu, wakee, SchedEvents.IN_TASK);
            return false;
        }
        cpus.sync[cpu] = sync;
        if (tasks.onCpu[wakee]) {
            int own = tasks.cpu[wakee];
            if (useOwnList(cpu, own, wakee)) {
                cpus.owe(cpu, pushCoreNs(), pushWallNs(cpu, own));
                run.runqueues[own].prepareWakeup(wakee);
                push(cpu, wakee, own);
                return false;
            }
            cpus.phase[cpu] = Cpus.SPINNING;
            cpus.wakee[cpu] = wakee;
            programs.spinner[wakee] = cpu;
            return true;
        }
        place(cpu, wakee);
        return true;
    }

    /** Chooses a CPU for {@code wakee}; the enqueueing follows when its cost has been paid. */
    void place(int cpu, int wakee) {
        int target = choose(cpu, wakee, cpus.sync[cpu], false);
        long core = searchCoreNs();
        long wall = searchWallNs(cpu);
        if (useWakeList(cpu, target, wakee)) {
            core += pushCoreNs();
            wall += pushWallNs(cpu, target);
        } else {
            core += activationCoreNs();
            wall += lockedActivationWallNs(cpu, target, afterSearch(cpu));
        }
        cpus.wakee[cpu] = wakee;
        cpus.chosen[cpu] = target;
        run.work(cpu, Cpus.WAKING, core, wall);
    }

    private boolean useWakeList(int cpu, int target, int wakee) {
        return remoteQueue.useWakeList(
                cpu,
                target,
                run.runqueues[target].nrRunning(),
                true,
                tasks.allowed[wakee].contains(target),
                WakeeClass.ORDINARY);
    }

    private boolean useOwnList(int cpu, int own, int wakee) {
        return remoteQueue.useOwnList(
                cpu,
                own,
                run.runqueues[own].nrRunning(),
                true,
                tasks.allowed[wakee].contains(own),
                WakeeClass.ORDINARY);
    }

    private int choose(int cpu, int wakee, boolean sync, boolean fromInterrupt) {
        int previous = tasks.cpu[wakee];
        run.runqueues[previous].prepareWakeup(wakee);
        int target = tasks.isFair(wakee) ? select(cpu, wakee, sync, fromInterrupt) : selectRealTime(cpu, wakee);
        if (target != previous) {
            run.runqueues[previous].leaveForWakeup(wakee);
            run.loads.leave(wakee);
            tasks.cpu[wakee] = target;
            run.events.migrated(run.now, cpu, cpus.current[cpu], wakee, tasks.prio[wakee], previous, target);
        }
        run.measurements.placed(
                wakee,
                run.topology.distance(cpu, target).ordinal(),
                run.topology.distance(previous, target).ordinal(),
                view.currentIdle[target] && view.nrRunning[target] == 0);
        if (view.scan != ScanResult.NONE) {
            run.measurements.scanned(wakee, view.scan, view.probeCount);
        }
        return target;
    }

    private int select(int cpu, int wakee, boolean sync, boolean fromInterrupt) {
        request.thisCpu = cpu;
        request.prevCpu = tasks.cpu[wakee];
        request.sync = sync;
        request.allow(tasks.allowed[wakee]);
        request.wakeeGroup = tasks.group[wakee];
        request.wakerGroup = tasks.group[cpus.current[cpu]];
        request.wakeeWeight = tasks.weight[wakee];
        request.wakerWeight = tasks.weight[cpus.current[cpu]];
        run.inputs.describe(request, cpu, wakee, fromInterrupt);
        int target = rules.select(request, view);
        run.inputs.decided(request, cpu, wakee);
        return target;
    }

    /** Real-time tasks are placed by priorities; it costs an operation on a mask, if there is a search at all. */
    private int selectRealTime(int cpu, int wakee) {
        int target = run.balancing.realTime().select(wakee, cpu);
        view.probeCount = 0;
        view.maskOperations = target == tasks.cpu[wakee] ? 0 : 1;
        return target;
    }

    private long searchCoreNs() {
        return (long) view.probeCount * run.costs.coreNs(CostItem.PROBE)
                + (long) view.maskOperations * run.costs.coreNs(CostItem.MASK_OP);
    }

    private long searchWallNs(int cpu) {
        long wall = (long) view.probeCount * run.costs.wallNs(CostItem.PROBE);
        for (int probe = 0; probe < view.probeCount; probe++) {
            wall += run.costs.lineNs(CostItem.PROBE, view.probedCpu[probe], cpu);
        }
        return wall;
    }

    /** Core ns of putting a task on a wake list. */
    private long pushCoreNs() {
        return run.costs.coreNs(CostItem.RUNQUEUE_LOCK);
    }

    private long pushWallNs(int cpu, int target) {
        return run.costs.wallNs(CostItem.RUNQUEUE_LOCK) + run.costs.lineNs(1, target, cpu);
    }

    /** Core ns of taking a runqueue's lock, enqueueing and deciding on preemption. */
    private long activationCoreNs() {
        return (long) run.costs.coreNs(CostItem.RUNQUEUE_LOCK)
                + run.costs.coreNs(CostItem.ENQUEUE)
                + run.costs.coreNs(CostItem.PREEMPTION_CHECK);
    }

    /** When a search that {@code cpu} begins now will be over, and with it what the CPU owed before. */
    private long afterSearch(int cpu) {
        return run.now
                + cpus.debtWallNs[cpu]
                + searchWallNs(cpu)
                + run.processors.wallNs(cpu, cpus.debtCoreNs[cpu] + searchCoreNs());
    }

    /** As {@link #activationWallNs}, after waiting for the lock of the queue from {@code at} on. */
    private long lockedActivationWallNs(int cpu, int target, long at) {
        long wall = activationWallNs(cpu, target);
        long held = wall + run.processors.wallNs(cpu, activationCoreNs());
        return wall + (cpu == target ? run.locks.takeOwn(cpu, at, held) : run.locks.waitFor(target, cpu, at, held));
    }

    /** Wall ns of the same, done by {@code cpu} on the queue of {@code target}. */
    private long activationWallNs(int cpu, int target) {
        return (long) run.costs.wallNs(CostItem.RUNQUEUE_LOCK)
                + run.costs.wallNs(CostItem.ENQUEUE)
                + run.costs.wallNs(CostItem.PREEMPTION_CHECK)
                + run.costs.lineNs(CostItem.RUNQUEUE_LOCK, target, cpu)
                + run.costs.lineNs(CostItem.ENQUEUE, target, cpu);
    }

    /** The cost of choosing has been paid: hands the wakee over, and the waker goes on. */
    void deliver(int cpu) {
        int wakee = cpus.wakee[cpu];
        int target = cpus.chosen[cpu];
        if (useWakeList(cpu, target, wakee)) {
            push(cpu, wakee, target);
        } else {
            activate(cpu, wakee, target, SchedEvents.IN_TASK);
        }
        cpus.phase[cpu] = Cpus.RUNNING;
        run.execution.proceed(cpu);
    }

    private void push(int cpu, int wakee, int target) {
        boolean wasEmpty = listHead[target] == TaskTable.IDLE_TASK;
        listNext[wakee] = listHead[target];
        listHead[target] = wakee;
        setPending(target, true);
        tell(remoteQueue.announce(wasEmpty, run.idling.isPolling(target)), cpu, target);
    }

    /** The task pushed last on a CPU's wake list, or the idle task if the list is empty. */
    int firstOfList(int cpu) {
        return listHead[cpu];
    }

    /** The task pushed before {@code task}, or the idle task. */
    int nextOfList(int task) {
        return listNext[task];
    }

    private void tell(Signal signal, int cpu, int target) {
        switch (signal) {
            case NONE, SET_FLAG -> {} // seen by itself
            case SET_POLLING_FLAG -> {
                run.runqueues[target].requestReschedule();
                watchedFlagSet(cpu, target);
            }
            case RESCHEDULE_IPI -> run.interrupts.sendIpi(cpu, target);
            case CALL_FUNCTION_IPI -> run.interrupts.sendCall(cpu, target);
        }
    }

    private void watchedFlagSet(int cpu, int target) {
        if (remoteQueue.savesInterrupts()) {
            run.events.wakeIdleWithoutIpi(run.now, cpu, target);
        }
        run.idling.wake(target);
    }

    /** The idle thread leaves its loop; it works off a list for which only its flag was set. */
    void drainAfterIdle(int cpu) {
        if (listHead[cpu] != TaskTable.IDLE_TASK && remoteQueue.savesInterrupts()) {
            drain(cpu, SchedEvents.IN_TASK);
        }
    }

    /** The target enqueues what others have put on its wake list. */
    void drain(int cpu, int context) {
        int task = remoteQueue.drainsInOrder() ? reversed(listHead[cpu]) : listHead[cpu];
        listHead[cpu] = TaskTable.IDLE_TASK;
        if (remoteQueue.clearsPendingFirst()) {
            setPending(cpu, false);
        }
        while (task != TaskTable.IDLE_TASK) {
            int next = listNext[task];
            cpus.owe(cpu, activationCoreNs(), lockedActivationWallNs(cpu, cpu, run.now));
            activate(cpu, task, cpu, context);
            task = next;
        }
        setPending(cpu, false);
    }

    private void setPending(int cpu, boolean pending) {
        view.wakePending[cpu] = pending;
        run.balancing.changed(cpu);
    }

    /** The list from its other end. */
    private int reversed(int head) {
        int first = TaskTable.IDLE_TASK;
        int task = head;
        while (task != TaskTable.IDLE_TASK) {
            int next = listNext[task];
            listNext[task] = first;
            first = task;
            task = next;
        }
        return first;
    }

    /** An interrupt handler on {@code cpu} wakes a task whose timer has expired. */
    void wakeFromTimer(int cpu, int wakee) {
        run.events.waking(
                run.now, cpu, cpus.current[cpu], SchedEvents.IN_HARDIRQ, wakee, tasks.prio[wakee], tasks.cpu[wakee]);
        programs.wokenAt[wakee] = programs.dueAt[wakee];
        if (tasks.delayed[wakee]) {
            cpus.owe(cpu, activationCoreNs(), lockedActivationWallNs(cpu, tasks.cpu[wakee], run.now));
            requeue(cpu, wakee, tasks.cpu[wakee], SchedEvents.IN_HARDIRQ);
            return;
        }
        if (tasks.onQueue[wakee]) {
            stayAwake(cpu, wakee, SchedEvents.IN_HARDIRQ);
            return;
        }
        int target = choose(cpu, wakee, false, true);
        if (useWakeList(cpu, target, wakee)) {
            cpus.owe(cpu, searchCoreNs() + pushCoreNs(), searchWallNs(cpu) + pushWallNs(cpu, target));
            push(cpu, wakee, target);
        } else {
            long wall = searchWallNs(cpu) + lockedActivationWallNs(cpu, target, afterSearch(cpu));
            cpus.owe(cpu, searchCoreNs() + activationCoreNs(), wall);
            activate(cpu, wakee, target, SchedEvents.IN_HARDIRQ);
        }
    }

    /** The wakee has not left its queue yet, and now it never will ({@code ttwu_runnable}). */
    private void stayAwake(int cpu, int wakee, int context) {
        programs.sleeping[wakee] = false;
        programs.wokenAt[wakee] = Programs.NOT_WOKEN;
        run.owe(cpu, CostItem.RUNQUEUE_LOCK);
        woken(cpu, wakee, tasks.cpu[wakee], context);
    }

    /** Puts a woken task on its queue and lets it preempt; done by {@code cpu}. */
    private void activate(int cpu, int wakee, int target, int context) {
        Runqueue runqueue = run.runqueues[target];
        runqueue.refresh(run.now);
        programs.sleeping[wakee] = false;
        boolean idleTimed = run.inputs.isIdleTimed(target);
        run.loads.enqueue(target, wakee);
        runqueue.enqueueWakeup(wakee);
        run.refreshView(target);
        run.inputs.activated(target, idleTimed);
        run.governing.utilisationChanged(target);
        woken(cpu, wakee, target, context);
        if (runqueue.checkPreempt(wakee)) {
            signal(cpu, target);
        }
        realTimeWoken(cpu, wakee, target);
    }

    /** Real-time tasks that cannot run where they were enqueued are sent elsewhere; done by {@code cpu}. */
    private void realTimeWoken(int cpu, int wakee, int target) {
        if (!tasks.isFair(wakee) && run.balancing.realTimeWoken(cpu, wakee, target)) {
            signal(cpu, target);
        }
    }

    /** A task that sleeps but has never left its queue competes again where it is; done by {@code cpu}. */
    private void requeue(int cpu, int wakee, int target, int context) {
        Runqueue runqueue = run.runqueues[target];
        runqueue.refresh(run.now);
        programs.sleeping[wakee] = false;
        run.loads.requeue(target, wakee);
        runqueue.requeueDelayed(wakee);
        run.refreshView(target);
        woken(cpu, wakee, target, context);
        if (runqueue.checkPreempt(wakee)) {
            signal(cpu, target);
        }
    }

    private void woken(int cpu, int wakee, int target, int context) {
        run.events.wakeup(run.now, cpu, cpus.current[cpu], context, wakee, tasks.prio[wakee], target);
    }

    /** The reschedule flag of {@code target} has just been set by {@code cpu}: makes sure that it is seen. */
    void signal(int cpu, int target) {
        boolean idle = cpus.isIdle(target);
        boolean watched = idle && !run.idling.needsInterrupt(target);
        switch (RemoteQueue.reschedule(cpu, target, false, idle, watched, false)) {
            case NONE, SET_FLAG -> {} // seen on return from the kernel
            case SET_POLLING_FLAG -> watchedFlagSet(cpu, target);
            case RESCHEDULE_IPI, CALL_FUNCTION_IPI -> run.interrupts.sendIpi(cpu, target);
        }
    }
}
