package dev.perch.audit;

import dev.perch.model.InputException;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskState;

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
    private final RunQueues queues;
    private final Wakings wakings;
    private final int cpuLimit;
    private final String machineName;
    private StateListener listener = StateListener.NONE;
    private QueueListener queueListener = QueueListener.NONE;

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
        queues = new RunQueues(tasks, cpus, counts, meter);
        wakings = new Wakings(tasks, counts, tracker, queues, meter);
        this.cpuLimit = cpuLimit;
        this.machineName = machineName;
    }

    /** Who hears of wakeups at the moments at which the rules may have looked at the state. */
    void listenWith(StateListener stateListener) {
        listener = stateListener;
        wakings.listenWith(stateListener);
    }

    /** Who hears how tasks move between CPUs, queues and sleep. */
    void listenWith(QueueListener listenerOfQueues) {
        queueListener = listenerOfQueues;
        queues.listenWith(listenerOfQueues);
    }

    private void begin(long ns, int cpu) {
        meter.advance(ns);
        if (cpu >= cpus.size() || !cpus.seen.contains(cpu)) {
            see(cpu);
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
            queues.setCurrent(ns, cpu, current == 0 ? 0 : tasks.slot(current));
            tracker.underWay().stateLearned(cpu, current == 0);
        } else if (tasks.pid[known] != current) {
            switchMissed(ns, cpu, current == 0 ? 0 : tasks.slot(current));
        }
    }

    /** The recording lacks a switch: another task than the one switched in last is found on {@code cpu}. */
    private void switchMissed(long ns, int cpu, int slot) {
        counts.gaps++;
        if (cpus.current[cpu] > 0) {
            wakings.leftUnseen(cpus.current[cpu], ns);
        }
        queues.forgetCurrent(ns, cpu);
        queues.setCurrent(ns, cpu, slot);
        if (slot > 0) {
            tracker.ranUnseen(slot, ns);
        }
    }

    @Override
    public void switched(long ns, int cpu, int prev, int prevPrio, TaskState prevState, int next, int nextPrio) {
        counts.switches++;
        begin(ns, cpu);
        wakings.close(cpu, ns);
        int prevSlot = prev == 0 ? 0 : tasks.slot(prev);
        int nextSlot = next == 0 ? 0 : tasks.slot(next);
        int known = cpus.current[cpu];
        if (known == AuditCpus.NOBODY_KNOWN) {
            queues.setCurrent(ns, cpu, prevSlot);
            tracker.underWay().stateLearned(cpu, prevSlot == 0);
        } else if (known != prevSlot) {
            switchMissed(ns, cpu, prevSlot);
        }
        boolean blocked = prevSlot != 0 && !prevState.isRunnable() && prevState != TaskState.UNKNOWN;
        tracker.cpuSwitched(cpu, prevSlot, blocked, ns);
        // the CPU's clocks are read before they change, the state of both tasks afterwards
        if (nextSlot != 0) {
            tracker.ran(nextSlot, cpu, ns);
        }
        if (prevSlot != 0) {
            queues.left(prevSlot, cpu, prevPrio, prevState, blocked, ns);
        }
        if (nextSlot != 0) {
            wakings.entered(nextSlot, ns);
            queues.enter(nextSlot, cpu, nextPrio, ns);
        }
        cpus.current[cpu] = nextSlot;
        cpus.lost.remove(cpu);
        cpus.switches[cpu]++;
        if (nextSlot == 0) {
            cpus.idleSince[cpu] = ns;
            queueListener.pickedIdle(cpu);
        } else {
            cpus.idleState[cpu] = cpus.idleState[cpu] == -2 ? -2 : -1;
        }
        cpus.changed(cpu, ns);
        if (prevSlot != 0) {
            wakings.afterLeaving(prevSlot, cpu, blocked, ns);
        }
    }

    @Override
    public void waking(long ns, int cpu, int current, int context, int wakee, int prio, int prevCpu) {
        if (counts.waking++ == 0) {
            tracker.wakingRecordsExist();
        }
        begin(ns, cpu);
        wakings.close(cpu, ns);
        observe(ns, cpu, current);
        int slot = tasks.slot(wakee);
        int prev = prevCpu >= 0 ? prevCpu : tasks.cpu[slot];
        if (prev >= 0) {
            begin(ns, prev);
        }
        int waker = current < 0 ? -1 : tasks.slot(current);
        Wakeup wakeup = tracker.begin(ns, cpu, waker, context, slot, prio >= 0 ? prio : tasks.prio[slot], prev);
        wakings.wakes(wakeup, slot, prio, prev, ns);
        listener.begun(wakeup);
        tracker.setOpen(cpu, wakeup);
        if (wakeup.wakeeWas == Wakeup.WAS_ASLEEP) {
            if (waker > 0) {
                tasks.recordWakee(waker, slot, ns);
            }
            listener.choiceMayBegin(wakeup);
        }
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
        Wakeup wakeup = wakings.underWay(slot);
        if (wakeup == null && counts.waking == 0) {
            wakeup = wakings.withoutWaking(ns, cpu, current, context, slot, target);
        }
        if (tracker.open(cpu) != wakeup) {
            wakings.close(cpu, ns);
        }
        if (wakeup == null) {
            wakings.arriveUnannounced(slot, target, ns);
            return;
        }
        listener.beforeWakeup(wakeup, target);
        wakings.arrive(wakeup, slot, cpu, target, ns);
        if (wakeup.thisCpu >= 0 && tracker.open(wakeup.thisCpu) == wakeup) {
            tracker.setClosed(wakeup.thisCpu);
        }
        listener.afterWakeup(target, cpu, wakeup.thisCpu);
    }

    @Override
    public void wakeupNew(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        counts.wakeupNew++;
        begin(ns, cpu);
        int target = targetCpu >= 0 ? targetCpu : cpu;
        begin(ns, target);
        wakings.close(cpu, ns);
        observe(ns, cpu, current);
        int slot = tasks.slot(wakee);
        tasks.setPrio(slot, prio);
        wakings.arriveUnannounced(slot, target, ns);
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
            wakings.close(cpu, ns);
        }
        observe(ns, cpu, current);
        meter.migrated(slot, fromCpu >= 0 ? fromCpu : tasks.cpu[slot], toCpu, ns);
        if (open != null && byWakeup) {
            if (open.leftAfterWaking) {
                open.wakeeWas = Wakeup.WAS_ASLEEP; // the waker waited for it to leave, and then chose
            }
            listener.choiceMade(open, toCpu);
            tasks.cpu[slot] = toCpu;
            queues.changed(slot, ns);
            tracker.chosen(open, toCpu, Certainty.EXACT, ns);
            return;
        }
        wakings.movedByOthers(slot, fromCpu, toCpu, ns);
    }

    @Override
    public void forked(long ns, int cpu, int parent, int child) {
        counts.fork++;
        begin(ns, cpu);
        wakings.close(cpu, ns);
        observe(ns, cpu, parent);
        int old = tasks.find(child);
        if (old >= 0 && tasks.state[old] != AuditTasks.UNSEEN) {
            queues.leaveQueue(old, ns);
            tasks.state[old] = AuditTasks.DEAD;
            queues.changed(old, ns);
        }
        int slot = tasks.renew(child);
        queueListener.forked(parent <= 0 ? -1 : tasks.slot(parent), slot, cpu, ns);
    }

    @Override
    public void exec(long ns, int cpu, int pid, int oldPid) {
        counts.exec++;
        begin(ns, cpu);
        wakings.close(cpu, ns);
        observe(ns, cpu, pid);
    }

    @Override
    public void exited(long ns, int cpu, int pid, int prio) {
        counts.exit++;
        begin(ns, cpu);
        wakings.close(cpu, ns);
        tasks.exited(tasks.slot(pid));
    }

    @Override
    public void freed(long ns, int cpu, int pid) {
        counts.free++;
        begin(ns, cpu);
        int slot = tasks.find(pid);
        if (slot > 0 && tasks.state[slot] != AuditTasks.RUNNING) {
            queues.leaveQueue(slot, ns);
            tasks.state[slot] = AuditTasks.DEAD;
            queues.changed(slot, ns);
        }
    }

    @Override
    public void wakeIdleWithoutIpi(long ns, int cpu, int targetCpu) {
        counts.wakeIdleWithoutIpi++;
        begin(ns, cpu);
        tracker.interrupts().saved(cpu, targetCpu, tracker.open(cpu));
    }

    @Override
    public void idle(long ns, int cpu, int state) {
        counts.idle++;
        begin(ns, cpu);
        wakings.close(cpu, ns);
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
        tracker.interrupts().interrupted(cpu, targetCpu);
    }

    @Override
    public void rescheduleIpi(long ns, int cpu) {
        counts.rescheduleIpi++;
        begin(ns, cpu);
        tracker.interrupts().interrupted(-1, cpu);
    }

    @Override
    public void callFunctionIpi(long ns, int cpu) {
        counts.callFunctionIpi++;
        begin(ns, cpu);
        tracker.interrupts().interrupted(-1, cpu);
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
        wakings.close(cpu, ns);
        queues.forgetCurrent(ns, cpu);
        queues.forgetQueue(cpu, ns);
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
}
