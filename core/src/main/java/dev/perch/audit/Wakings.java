package dev.perch.audit;

import dev.perch.model.SchedEvents;
import org.jspecify.annotations.Nullable;

/**
 * What a wakeup does to its wakee, from the waking record until it runs: whether the kernel had a choice, where the wakee waits meanwhile,
 * and what the records that follow tell of that.
 */
final class Wakings {
    private final AuditTasks tasks;
    private final EventCounts counts;
    private final WakeupTracker tracker;
    private final RunQueues queues;
    private final SystemMeter meter;
    private StateListener listener = StateListener.NONE;

    Wakings(AuditTasks tasks, EventCounts counts, WakeupTracker tracker, RunQueues queues, SystemMeter meter) {
        this.tasks = tasks;
        this.counts = counts;
        this.tracker = tracker;
        this.queues = queues;
        this.meter = meter;
    }

    void listenWith(StateListener stateListener) {
        listener = stateListener;
    }

    /** Something happens on {@code cpu} that cannot happen while a CPU is being chosen. */
    void close(int cpu, long ns) {
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
            queues.enqueue(slot, wakeup.chosenCpu, ns);
        }
    }

    /** A waking record of the task, which was last on {@code prev}. */
    void wakes(Wakeup wakeup, int slot, int prio, int prev, long ns) {
        tasks.setPrio(slot, prio);
        switch (tasks.state[slot]) {
            case AuditTasks.RUNNING -> {
                wakeup.wakeeWas = Wakeup.WAS_RUNNING;
                endEarlier(wakeup, ns);
            }
            case AuditTasks.QUEUED, AuditTasks.WAKING -> againBeforeRunning(wakeup, slot, prev, ns);
            default -> becomesWaking(slot, prev, ns);
        }
        meter.woken(slot, ns);
    }

    /** A task that is woken again while it runs has had no use for the wakeup before; wakeup records would have said so. */
    private void endEarlier(Wakeup wakeup, long ns) {
        Wakeup earlier = wakeup.olderOfWakee;
        if (counts.wakeup == 0
                && earlier != null
                && earlier.wakeeWas == Wakeup.WAS_RUNNING
                && !earlier.woken
                && !earlier.ran
                && !earlier.leftAfterWaking) {
            tracker.endWithoutRunning(earlier, ns);
        }
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
        queues.leaveQueue(slot, ns);
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

    /** The oldest wakeup of the task whose record has not come yet. */
    @Nullable
    Wakeup underWay(int slot) {
        Wakeup oldest = null;
        for (Wakeup wakeup = tasks.pending[slot]; wakeup != null; wakeup = wakeup.olderOfWakee) {
            if (!wakeup.woken && !wakeup.ran) {
                oldest = wakeup;
            }
        }
        return oldest;
    }

    /** A wakeup record in a recording without waking records is taken for both. */
    Wakeup withoutWaking(long ns, int cpu, int current, int context, int slot, int target) {
        int prev = tasks.movedFrom[slot] >= 0 ? tasks.movedFrom[slot] : tasks.cpu[slot];
        boolean byTarget = cpu == target && (context & SchedEvents.IN_HARDIRQ) != 0;
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

    /** A task is put on a queue by a wakeup that was not seen to begin, or for the first time. */
    void arriveUnannounced(int slot, int target, long ns) {
        byte state = tasks.state[slot];
        if (state != AuditTasks.RUNNING && state != AuditTasks.QUEUED) {
            queues.enqueue(slot, target, ns);
            tasks.readySince[slot] = ns;
            tasks.readyByWakeup[slot] = true;
        }
    }

    /** The wakeup record of a wakeup. */
    void arrive(Wakeup wakeup, int slot, int cpu, int target, long ns) {
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
            queues.enqueue(slot, target, ns);
        }
    }

    /** The task is switched in: its wakeups are on their way no longer. */
    void entered(int slot, long ns) {
        for (Wakeup wakeup = tasks.pending[slot]; wakeup != null; wakeup = wakeup.olderOfWakee) {
            tracker.uncountPending(wakeup, ns);
        }
    }

    /** The task has left its CPU, but the switch is missing: its wakeups are over, and when they were cannot be told. */
    void leftUnseen(int slot, long ns) {
        tracker.stintEnded(slot, -1);
        for (Wakeup wakeup = tasks.pending[slot]; wakeup != null; ) {
            Wakeup older = wakeup.olderOfWakee;
            if (wakeup.wakeeWas == Wakeup.WAS_RUNNING && !wakeup.woken && !wakeup.leftAfterWaking) {
                tracker.endWithoutRunning(wakeup, ns);
            }
            wakeup = older;
        }
    }

    /** What the task's own wakeups have to know once it has left. */
    void afterLeaving(int slot, int cpu, boolean blocked, long ns) {
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
        tracker.split().leftAfterWaking(wakeup, cpu, ns);
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

    /** A task is moved, but not by its wakeup. */
    void movedByOthers(int slot, int fromCpu, int toCpu, long ns) {
        switch (tasks.state[slot]) {
            // a task is balanced only from a queue, whether or not a wakeup record has told that it was enqueued
            case AuditTasks.QUEUED, AuditTasks.WAKING -> {
                queues.enqueue(slot, toCpu, ns);
                moveWakeups(slot, fromCpu, toCpu, ns);
            }
            case AuditTasks.RUNNING -> tasks.movedTo[slot] = toCpu;
            default -> {
                tasks.movedFrom[slot] = fromCpu >= 0 ? fromCpu : tasks.cpu[slot];
                tasks.cpu[slot] = toCpu;
                queues.changed(slot, ns);
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
                tracker.split().moved(wakeup, toCpu, ns);
            }
        }
    }
}
