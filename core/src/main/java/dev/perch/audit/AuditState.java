package dev.perch.audit;

import dev.perch.model.InputException;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskState;
import org.jspecify.annotations.Nullable;

/**
 * The machine's state, rebuilt event by event: what runs and waits on each CPU, where each task is, which wakeups are under way.
 *
 * <p>Nothing is taken for known before it was seen. A CPU of which events were lost is unknown until its next switch. A recording that
 * starts in the middle begins with everything unknown; the task in whose context an event happens is then known to run there.
 * Allocates only when a task, a CPU or a deeper nesting of wakeups appears for the first time.
 *
 * <p>Limitations: a task whose dequeue the kernel delayed (6.12) looks asleep; a task that is stopped or throttled while it waits
 * looks queued.
 */
final class AuditState implements SchedEvents {
    private final AuditTasks tasks;
    private final AuditCpus cpus;
    private final EventCounts counts;
    private final WakeupTracker tracker;
    private final SystemMeter meter;
    private final int cpuLimit;
    private final String machineName;
    private StateListener listener = StateListener.NONE;

    /** @param cpuLimit number of CPUs of the machine, or the largest int if it is not known */
    AuditState(
            AuditTasks tasks,
            AuditCpus cpus,
            EventCounts counts,
            WakeupTracker tracker,
            SystemMeter meter,
            int cpuLimit,
            String machineName) {
        this.tasks = tasks;
        this.cpus = cpus;
        this.counts = counts;
        this.tracker = tracker;
        this.meter = meter;
        this.cpuLimit = cpuLimit;
        this.machineName = machineName;
    }

    /** Who hears of wakeups at the moments at which the rules may have looked at the state. */
    void listenWith(StateListener stateListener) {
        listener = stateListener;
    }

    private void begin(long ns, int cpu) {
        meter.advance(ns);
        if (cpu >= cpus.size() || !cpus.seen.contains(cpu)) {
            see(cpu);
        }
    }

    /** Something happens on {@code cpu} that cannot happen while a CPU is being chosen. */
    private void close(int cpu, long ns) {
        Wakeup wakeup = tracker.open(cpu);
        if (wakeup != null) {
            tracker.close(cpu);
            enqueueWithoutRecord(wakeup, ns);
        }
    }

    /** In a recording without wakeup records a wakee counts as queued as soon as its CPU has been chosen. */
    private void enqueueWithoutRecord(Wakeup wakeup, long ns) {
        int slot = wakeup.wakeeSlot;
        if (counts.wakeup == 0 && wakeup.chosenCpu >= 0 && tasks.state[slot] == AuditTasks.WAKING) {
            tracker.uncountPending(wakeup, ns);
            enqueue(slot, wakeup.chosenCpu, ns);
        }
    }

    private void see(int cpu) {
        if (cpu >= cpuLimit) {
            throw new InputException("the recording has events of CPU " + cpu + ", but machine '" + machineName
                    + "' has only CPUs 0-" + (cpuLimit - 1) + "; name the machine that was recorded with --machine");
        }
        cpus.ensure(cpu);
        tracker.ensure(cpu);
    }

    /** {@code current} runs on {@code cpu}: a look at a CPU whose last switch is not known. */
    private void observe(long ns, int cpu, int current) {
        if (current < 0) {
            return;
        }
        int known = cpus.current[cpu];
        if (known == AuditCpus.NOBODY_KNOWN) {
            setCurrent(ns, cpu, current == 0 ? 0 : tasks.slot(current));
            tracker.stateLearned(cpu, current == 0);
        } else if (tasks.pid[known] != current) {
            counts.gaps++;
            forgetCurrent(ns, cpu);
            setCurrent(ns, cpu, current == 0 ? 0 : tasks.slot(current));
        }
    }

    private void setCurrent(long ns, int cpu, int slot) {
        if (slot > 0) {
            leaveQueue(slot, ns);
            tasks.state[slot] = AuditTasks.RUNNING;
            tasks.cpu[slot] = cpu;
            tasks.seenOn[slot].add(cpu);
            tasks.readySince[slot] = -1;
            tasks.runningSince[slot] = -1;
        }
        cpus.current[cpu] = slot;
        cpus.changed(cpu, ns);
    }

    private void forgetCurrent(long ns, int cpu) {
        int slot = cpus.current[cpu];
        if (slot > 0) {
            tasks.state[slot] = AuditTasks.UNSEEN;
            tasks.runningSince[slot] = -1;
            tasks.leftAt[slot] = -1;
        }
        cpus.current[cpu] = AuditCpus.NOBODY_KNOWN;
        cpus.changed(cpu, ns);
    }

    private void leaveQueue(int slot, long ns) {
        int cpu = tasks.cpu[slot];
        if (tasks.state[slot] == AuditTasks.QUEUED) {
            cpus.queued[cpu]--;
            cpus.changed(cpu, ns);
        } else if (tasks.state[slot] == AuditTasks.RUNNING && cpus.current[cpu] == slot) {
            cpus.current[cpu] = AuditCpus.NOBODY_KNOWN;
            cpus.changed(cpu, ns);
        }
    }

    private void enqueue(int slot, int cpu, long ns) {
        leaveQueue(slot, ns);
        tasks.state[slot] = AuditTasks.QUEUED;
        tasks.cpu[slot] = cpu;
        cpus.queued[cpu]++;
        cpus.changed(cpu, ns);
    }

    @Override
    public void switched(long ns, int cpu, int prev, int prevPrio, TaskState prevState, int next, int nextPrio) {
        counts.switches++;
        begin(ns, cpu);
        close(cpu, ns);
        int prevSlot = prev == 0 ? 0 : tasks.slot(prev);
        int nextSlot = next == 0 ? 0 : tasks.slot(next);
        int known = cpus.current[cpu];
        if (known == AuditCpus.NOBODY_KNOWN) {
            setCurrent(ns, cpu, prevSlot);
            tracker.stateLearned(cpu, prevSlot == 0);
        } else if (known != prevSlot) {
            counts.gaps++;
            forgetCurrent(ns, cpu);
            setCurrent(ns, cpu, prevSlot);
        }
        boolean blocked = prevSlot != 0 && !prevState.isRunnable() && prevState != TaskState.UNKNOWN;
        tracker.cpuSwitched(cpu, prevSlot, blocked, ns);
        // the CPU's clocks are read before they change, the state of both tasks afterwards
        ran(nextSlot, cpu, ns);
        if (prevSlot != 0) {
            left(prevSlot, cpu, prevPrio, prevState, blocked, ns);
        }
        if (nextSlot != 0) {
            enter(nextSlot, cpu, nextPrio, ns);
        }
        cpus.current[cpu] = nextSlot;
        cpus.lost.remove(cpu);
        cpus.switches[cpu]++;
        if (nextSlot == 0) {
            cpus.idleSince[cpu] = ns;
        } else {
            cpus.idleState[cpu] = cpus.idleState[cpu] == -2 ? -2 : -1;
        }
        cpus.changed(cpu, ns);
        if (prevSlot != 0) {
            afterLeaving(prevSlot, cpu, blocked, ns);
        }
    }

    private void left(int slot, int cpu, int prio, TaskState state, boolean blocked, long ns) {
        tasks.setPrio(slot, prio);
        long since = tasks.runningSince[slot];
        if (since >= 0) {
            meter.ranFor(slot, cpu, since, ns);
        }
        tasks.runningSince[slot] = -1;
        tasks.leftAt[slot] = ns;
        tasks.leftState[slot] = state;
        tasks.readySince[slot] = -1;
        int queue = tasks.movedTo[slot] >= 0 ? tasks.movedTo[slot] : cpu;
        tasks.movedTo[slot] = -1;
        if (state.isRunnable()) {
            tasks.state[slot] = AuditTasks.QUEUED;
            tasks.cpu[slot] = queue;
            cpus.queued[queue]++;
            if (queue != cpu) {
                cpus.changed(queue, ns);
            }
            tasks.readySince[slot] = ns;
            tasks.readyByWakeup[slot] = false;
        } else if (blocked) {
            boolean gone = state == TaskState.DEAD || state == TaskState.ZOMBIE;
            tasks.state[slot] = gone ? AuditTasks.DEAD : AuditTasks.ASLEEP;
        } else {
            tasks.state[slot] = AuditTasks.UNSEEN;
        }
    }

    /** What the task's own wakeups have to know once it has left. */
    private void afterLeaving(int slot, int cpu, boolean blocked, long ns) {
        tracker.stintEnded(slot, ns);
        for (Wakeup wakeup = tasks.pending[slot]; wakeup != null; ) {
            Wakeup older = wakeup.olderOfWakee;
            if (wakeup.wakeeWas == Wakeup.WAS_RUNNING && !wakeup.woken && !wakeup.leftAfterWaking) {
                if (blocked && older == null && tasks.state[slot] == AuditTasks.ASLEEP) {
                    onItsWayOff(wakeup, slot, cpu, ns);
                } else {
                    tracker.endWithoutRunning(wakeup, ns);
                }
            }
            wakeup = older;
        }
    }

    /** It was woken before it had left its CPU, and left it to sleep: the wakeup is still to come. */
    private void onItsWayOff(Wakeup wakeup, int slot, int cpu, long ns) {
        tasks.state[slot] = AuditTasks.WAKING;
        tasks.readySince[slot] = ns;
        tasks.readyByWakeup[slot] = true;
        tracker.leftAfterWaking(wakeup, cpu, ns);
        boolean choosing = wakeup.thisCpu >= 0 && tracker.open(wakeup.thisCpu) == wakeup;
        if (choosing) {
            wakeup.chosenCpu = -1;
            wakeup.certainty = Certainty.UNKNOWN;
            wakeup.waitCpu = -1;
            listener.choiceMayBegin(wakeup);
        } else {
            wakeup.chosenCpu = -1;
            wakeup.waitCpu = -1;
            tracker.chosen(wakeup, cpu, Certainty.DERIVED, ns);
            enqueueWithoutRecord(wakeup, ns);
        }
    }

    private void enter(int slot, int cpu, int prio, long ns) {
        tasks.setPrio(slot, prio);
        byte state = tasks.state[slot];
        if (state == AuditTasks.QUEUED) {
            cpus.queued[tasks.cpu[slot]]--;
            if (tasks.cpu[slot] != cpu) {
                cpus.changed(tasks.cpu[slot], ns);
            }
        } else if (state == AuditTasks.RUNNING && tasks.cpu[slot] != cpu) {
            counts.gaps++;
            leaveQueue(slot, ns);
        }
        for (Wakeup wakeup = tasks.pending[slot]; wakeup != null; wakeup = wakeup.olderOfWakee) {
            tracker.uncountPending(wakeup, ns);
        }
        long ready = tasks.readySince[slot];
        if (ready >= 0) {
            meter.waited(slot, ready, ns, tasks.readyByWakeup[slot]);
        } else if (state == AuditTasks.UNSEEN && tasks.seenOn[slot].count() == 0) {
            meter.cutAtStart();
        }
        long before = tasks.leftAt[slot];
        if (before >= 0) {
            meter.offCpu(slot, before, ns);
        }
        if (tasks.cpu[slot] != cpu && tasks.cpu[slot] >= 0) {
            tasks.recentCpu[slot] = tasks.cpu[slot];
        }
        tasks.state[slot] = AuditTasks.RUNNING;
        tasks.cpu[slot] = cpu;
        tasks.seenOn[slot].add(cpu);
        tasks.runningSince[slot] = ns;
        tasks.readySince[slot] = -1;
        tasks.movedFrom[slot] = -1;
        meter.entered(slot, ns);
    }

    @Override
    public void waking(long ns, int cpu, int current, int context, int wakee, int prio, int prevCpu) {
        if (counts.waking++ == 0) {
            tracker.wakingRecordsExist();
        }
        begin(ns, cpu);
        close(cpu, ns);
        observe(ns, cpu, current);
        int slot = tasks.slot(wakee);
        int prev = prevCpu >= 0 ? prevCpu : tasks.cpu[slot];
        if (prev >= 0) {
            begin(ns, prev);
        }
        int waker = current < 0 ? -1 : tasks.slot(current);
        Wakeup wakeup = tracker.begin(ns, cpu, waker, context, slot, prio >= 0 ? prio : tasks.prio[slot], prev);
        wakes(wakeup, slot, prio, prev, ns);
        listener.begun(wakeup);
        tracker.setOpen(cpu, wakeup);
        if (wakeup.wakeeWas == Wakeup.WAS_ASLEEP) {
            if (waker > 0) {
                tasks.recordWakee(waker, slot, ns);
            }
            listener.choiceMayBegin(wakeup);
        }
    }

    private void wakes(Wakeup wakeup, int slot, int prio, int prev, long ns) {
        tasks.setPrio(slot, prio);
        switch (tasks.state[slot]) {
            case AuditTasks.RUNNING -> wakeup.wakeeWas = Wakeup.WAS_RUNNING;
            case AuditTasks.QUEUED, AuditTasks.WAKING -> againBeforeRunning(wakeup, slot, prev, ns);
            default -> becomesWaking(slot, prev, ns);
        }
        meter.woken(slot, ns);
    }

    /**
     * A waking record of a task that is taken for queued or about to be. The kernel writes one only if the task is not runnable: it gave way while
     * it was about to sleep, or the wakeup before had been satisfied before it slept.
     */
    private void againBeforeRunning(Wakeup wakeup, int slot, int prev, long ns) {
        Wakeup first = wakeup.olderOfWakee;
        if (first == null || first.woken || !first.leftAfterWaking && counts.wakeup == 0) {
            wakeup.wakeeWas = Wakeup.WAS_QUEUED;
            return;
        }
        leaveQueue(slot, ns);
        if (first.leftAfterWaking) {
            tracker.endWithoutRunning(first, ns);
        } else {
            first.lossDuring = true;
        }
        becomesWaking(slot, prev, ns);
    }

    private void becomesWaking(int slot, int prev, long ns) {
        tasks.state[slot] = AuditTasks.WAKING;
        tasks.cpu[slot] = prev;
        tasks.readySince[slot] = ns;
        tasks.readyByWakeup[slot] = true;
        tasks.movedFrom[slot] = -1;
    }

    @Override
    public void wakeup(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        counts.wakeup++;
        begin(ns, cpu);
        int target = targetCpu >= 0 ? targetCpu : cpu;
        begin(ns, target);
        observe(ns, cpu, current);
        int slot = tasks.slot(wakee);
        tasks.setPrio(slot, prio);
        Wakeup wakeup = underWay(slot);
        if (wakeup == null && counts.waking == 0) {
            wakeup = withoutWaking(ns, cpu, current, context, slot, target);
        }
        if (tracker.open(cpu) != wakeup) {
            close(cpu, ns);
        }
        if (wakeup == null) {
            arriveUnannounced(slot, target, ns);
            return;
        }
        listener.beforeWakeup(wakeup);
        arrive(wakeup, slot, cpu, target, ns);
        if (wakeup.thisCpu >= 0 && tracker.open(wakeup.thisCpu) == wakeup) {
            tracker.setClosed(wakeup.thisCpu);
        }
        listener.afterWakeup(target, cpu, wakeup.thisCpu);
    }

    private @Nullable Wakeup underWay(int slot) {
        Wakeup oldest = null;
        for (Wakeup wakeup = tasks.pending[slot]; wakeup != null; wakeup = wakeup.olderOfWakee) {
            if (!wakeup.woken && !wakeup.ran) {
                oldest = wakeup;
            }
        }
        return oldest;
    }

    private Wakeup withoutWaking(long ns, int cpu, int current, int context, int slot, int target) {
        int prev = tasks.movedFrom[slot] >= 0 ? tasks.movedFrom[slot] : tasks.cpu[slot];
        boolean byTarget = cpu == target && (context & IN_HARDIRQ) != 0;
        int waker = byTarget || current < 0 ? -1 : tasks.slot(current);
        Wakeup wakeup =
                tracker.beginFromWakeupRecord(ns, byTarget ? -1 : cpu, waker, context, slot, tasks.prio[slot], prev);
        wakes(wakeup, slot, -1, prev, ns);
        listener.begun(wakeup);
        if (wakeup.wakeeWas == Wakeup.WAS_ASLEEP) {
            listener.choiceMayBegin(wakeup);
        }
        return wakeup;
    }

    private void arriveUnannounced(int slot, int target, long ns) {
        byte state = tasks.state[slot];
        if (state != AuditTasks.RUNNING && state != AuditTasks.QUEUED) {
            enqueue(slot, target, ns);
            tasks.readySince[slot] = ns;
            tasks.readyByWakeup[slot] = true;
        }
    }

    private void arrive(Wakeup wakeup, int slot, int cpu, int target, long ns) {
        byte state = tasks.state[slot];
        if (wakeup.leftAfterWaking && cpu == wakeup.thisCpu && cpu != target) {
            wakeup.wakeeWas = Wakeup.WAS_ASLEEP; // the waker waited for it to leave, and then chose
        }
        tracker.uncountPending(wakeup, ns);
        wakeup.woken = true;
        tracker.chosen(wakeup, target, Certainty.EXACT, ns);
        if (state == AuditTasks.RUNNING) {
            tracker.endWithoutRunning(wakeup, ns);
        } else if (state != AuditTasks.QUEUED || tasks.cpu[slot] != target) {
            enqueue(slot, target, ns);
        }
    }

    @Override
    public void wakeupNew(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        counts.wakeupNew++;
        begin(ns, cpu);
        int target = targetCpu >= 0 ? targetCpu : cpu;
        begin(ns, target);
        close(cpu, ns);
        observe(ns, cpu, current);
        int slot = tasks.slot(wakee);
        tasks.setPrio(slot, prio);
        arriveUnannounced(slot, target, ns);
    }

    @Override
    public void migrated(long ns, int cpu, int current, int task, int prio, int fromCpu, int toCpu) {
        counts.migrate++;
        begin(ns, cpu);
        begin(ns, toCpu);
        int slot = tasks.slot(task);
        Wakeup open = tracker.open(cpu);
        boolean byWakeup =
                open != null && open.wakeeSlot == slot && !open.woken && tasks.state[slot] == AuditTasks.WAKING;
        if (open != null && !byWakeup) {
            close(cpu, ns);
        }
        observe(ns, cpu, current);
        meter.migrated(slot, fromCpu >= 0 ? fromCpu : tasks.cpu[slot], toCpu, ns);
        if (open != null && byWakeup) {
            if (open.leftAfterWaking) {
                open.wakeeWas = Wakeup.WAS_ASLEEP; // the waker waited for it to leave, and then chose
            }
            listener.choiceMade(open);
            tasks.cpu[slot] = toCpu;
            tracker.chosen(open, toCpu, Certainty.EXACT, ns);
            return;
        }
        movedByOthers(slot, fromCpu, toCpu, ns);
    }

    private void movedByOthers(int slot, int fromCpu, int toCpu, long ns) {
        switch (tasks.state[slot]) {
            // a task is balanced only from a queue, whether or not a wakeup record has told that it was enqueued
            case AuditTasks.QUEUED, AuditTasks.WAKING -> {
                enqueue(slot, toCpu, ns);
                moveWakeups(slot, fromCpu, toCpu, ns);
            }
            case AuditTasks.RUNNING -> tasks.movedTo[slot] = toCpu;
            default -> {
                tasks.movedFrom[slot] = fromCpu >= 0 ? fromCpu : tasks.cpu[slot];
                tasks.cpu[slot] = toCpu;
            }
        }
    }

    private void moveWakeups(int slot, int fromCpu, int toCpu, long ns) {
        for (Wakeup wakeup = tasks.pending[slot]; wakeup != null; wakeup = wakeup.olderOfWakee) {
            if (!wakeup.ran) {
                if (wakeup.chosenCpu < 0 && fromCpu >= 0) {
                    tracker.chosen(wakeup, fromCpu, Certainty.DERIVED, ns);
                }
                tracker.uncountPending(wakeup, ns);
                tracker.moved(wakeup, toCpu, ns);
            }
        }
    }

    @Override
    public void forked(long ns, int cpu, int parent, int child) {
        counts.fork++;
        begin(ns, cpu);
        close(cpu, ns);
        observe(ns, cpu, parent);
        int old = tasks.find(child);
        if (old >= 0 && tasks.state[old] != AuditTasks.UNSEEN) {
            leaveQueue(old, ns);
            tasks.state[old] = AuditTasks.DEAD;
        }
        tasks.renew(child);
    }

    @Override
    public void exec(long ns, int cpu, int pid, int oldPid) {
        counts.exec++;
        begin(ns, cpu);
        close(cpu, ns);
        observe(ns, cpu, pid);
    }

    @Override
    public void exited(long ns, int cpu, int pid, int prio) {
        counts.exit++;
        begin(ns, cpu);
        close(cpu, ns);
        tasks.exited(tasks.slot(pid));
    }

    @Override
    public void freed(long ns, int cpu, int pid) {
        counts.free++;
        begin(ns, cpu);
        int slot = tasks.find(pid);
        if (slot > 0 && tasks.state[slot] != AuditTasks.RUNNING) {
            leaveQueue(slot, ns);
            tasks.state[slot] = AuditTasks.DEAD;
        }
    }

    @Override
    public void wakeIdleWithoutIpi(long ns, int cpu, int targetCpu) {
        counts.wakeIdleWithoutIpi++;
        begin(ns, cpu);
        tracker.interruptSaved(cpu, targetCpu);
    }

    @Override
    public void idle(long ns, int cpu, int state) {
        counts.idle++;
        begin(ns, cpu);
        close(cpu, ns);
        observe(ns, cpu, 0);
        cpus.idleState[cpu] = state;
        cpus.changed(cpu, ns);
    }

    @Override
    public void frequency(long ns, int cpu, int khz) {
        counts.frequency++;
    }

    @Override
    public void ipiSent(long ns, int cpu, int targetCpu) {
        counts.ipiSent++;
        begin(ns, cpu);
        Wakeup open = tracker.open(cpu);
        if (open != null && open.chosenCpu < 0 && open.prevCpu == targetCpu && !open.woken) {
            tracker.chosen(open, targetCpu, Certainty.DERIVED, ns); // it is handed over without a migration
        }
        if (open != null && open.chosenCpu == targetCpu && !open.woken) {
            listener.handedOver(open, targetCpu);
        }
        tracker.interrupted(cpu, targetCpu);
    }

    @Override
    public void rescheduleIpi(long ns, int cpu) {
        counts.rescheduleIpi++;
        begin(ns, cpu);
        tracker.interrupted(-1, cpu);
    }

    @Override
    public void callFunctionIpi(long ns, int cpu) {
        counts.callFunctionIpi++;
        begin(ns, cpu);
        tracker.interrupted(-1, cpu);
    }

    @Override
    public void runtime(long ns, int cpu, int pid, long runtimeNs) {
        counts.runtime++;
        begin(ns, cpu);
    }

    @Override
    public void lost(long ns, int cpu, long count) {
        counts.lost += Math.max(1, count);
        meter.advance(ns);
        if (cpu >= 0) {
            lostOn(ns, cpu);
            return;
        }
        for (int any = 0; any < cpus.size(); any++) {
            lostOn(ns, any);
        }
    }

    private void lostOn(long ns, int cpu) {
        begin(ns, cpu);
        tracker.lost(cpu);
        close(cpu, ns);
        forgetCurrent(ns, cpu);
        for (int slot = 1; slot < tasks.size(); slot++) {
            if (tasks.state[slot] == AuditTasks.QUEUED && tasks.cpu[slot] == cpu) {
                leaveQueue(slot, ns);
                tasks.state[slot] = AuditTasks.UNSEEN;
                tasks.readySince[slot] = -1;
            }
        }
        cpus.idleState[cpu] = -2;
        cpus.lost.add(cpu);
        cpus.changed(cpu, ns);
    }

    /** The recording is over. */
    void finish() {
        for (int slot = 1; slot < tasks.size(); slot++) {
            if (tasks.readySince[slot] >= 0
                    && (tasks.state[slot] == AuditTasks.QUEUED || tasks.state[slot] == AuditTasks.WAKING)) {
                tasks.cutOff[slot] = true;
            }
            if (tasks.state[slot] == AuditTasks.RUNNING && tasks.runningSince[slot] >= 0) {
                meter.ranFor(slot, tasks.cpu[slot], tasks.runningSince[slot], meter.now());
                tasks.runningSince[slot] = meter.now();
            }
        }
        tracker.finish(counts.migrate > 0);
    }

    private void ran(int slot, int cpu, long ns) {
        if (slot != 0) {
            tracker.ran(slot, cpu, ns);
        }
    }
}
