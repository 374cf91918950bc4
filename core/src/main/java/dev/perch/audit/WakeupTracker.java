package dev.perch.audit;

import dev.perch.kernel.wakeup.RemoteQueue;
import dev.perch.model.CpuMask;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Follows each wakeup from its waking record until its wakee has run and left its CPU again, and learns on the way which CPU was chosen.
 *
 * <p>The kernel chooses and migrates with interrupts off: between a waking record and the migration that the wakeup issues, the waker's
 * CPU writes nothing else. So there is at most one <i>open</i> wakeup a CPU, and anything else that happens on that CPU closes it: without
 * a migration until then, the previous CPU was chosen. Objects are pooled; their number is bounded by what is under way.
 */
final class WakeupTracker {
    private static final int UNDECIDED_LIMIT = 256;
    /** An interrupt belongs to one of the last wakeups; older ones that still wait have had theirs. */
    private static final int NEWEST_LOOKED_AT = 64;

    private final AuditTasks tasks;
    private final AuditCpus cpus;
    private final EventCounts counts;
    private final Judge judge;
    private final List<WakeupConsumer> consumers = new ArrayList<>();

    private @Nullable Wakeup[] open = new Wakeup[8];
    private @Nullable Wakeup[] awaiting = new Wakeup[8];
    private @Nullable Wakeup free;
    private @Nullable Wakeup newestUnderWay;
    private final Wakeup[] sameTime = new Wakeup[CpuMask.MAX_CPUS];
    private int sameTimeCount;
    private long sameTimeNs;
    private long numbered;
    /** Wakeups taken from wakeup records, while it is not decided whether the recording has waking records. */
    private final List<Wakeup> undecided = new ArrayList<>();

    private int fromWakeupRecords;

    WakeupTracker(AuditTasks tasks, AuditCpus cpus, EventCounts counts, Judge judge) {
        this.tasks = tasks;
        this.cpus = cpus;
        this.counts = counts;
        this.judge = judge;
    }

    void add(WakeupConsumer consumer) {
        consumers.add(consumer);
    }

    /** Makes room for {@code cpu}. */
    void ensure(int cpu) {
        if (cpu >= open.length) {
            int to = Math.max(cpu + 1, open.length * 2);
            open = Arrays.copyOf(open, to);
            awaiting = Arrays.copyOf(awaiting, to);
        }
    }

    /** The wakeup whose choice may still be going on on {@code cpu}. */
    @Nullable
    Wakeup open(int cpu) {
        return open[cpu];
    }

    /** A waking record, or a wakeup record in a recording that has no waking records. */
    Wakeup begin(long ns, int cpu, int waker, int context, int wakee, int prio, int prevCpu) {
        Wakeup wakeup = take();
        wakeup.ns = ns;
        wakeup.thisCpu = cpu;
        wakeup.wakerSlot = waker;
        wakeup.wakerPid = waker < 0 ? -1 : tasks.pid[waker];
        wakeup.context = context;
        wakeup.wakeeSlot = wakee;
        wakeup.wakeePid = tasks.pid[wakee];
        wakeup.prio = prio;
        wakeup.prevCpu = prevCpu;
        wakeup.idle.copyFrom(cpus.idle);
        wakeup.known.copyFrom(cpus.known);
        wakeup.lost.copyFrom(cpus.lost);
        if (cpu >= 0) {
            wakeup.onlyWaker =
                    waker > 0 && cpus.current[cpu] == waker && cpus.queued[cpu] == 0 && cpus.pending[cpu] == 0;
            wakeup.thisBusy = cpus.busyUntil(cpu, ns);
            wakeup.thisIdle = cpus.idleStateUntil(cpu, ns);
            wakeup.nextOnCpu = awaiting[cpu];
            awaiting[cpu] = wakeup;
            wakeup.awaitingSwitch = true;
        }
        if (prevCpu >= 0) {
            wakeup.prevBusy = cpus.busyUntil(prevCpu, ns);
            wakeup.prevIdle = cpus.idleStateUntil(prevCpu, ns);
        }
        wakeup.olderOfWakee = tasks.pending[wakee];
        tasks.pending[wakee] = wakeup;
        number(wakeup);
        return wakeup;
    }

    /** As {@link #begin}, with the doubt whether a waking record has been missed only because the recording began after it. */
    Wakeup beginFromWakeupRecord(long ns, int cpu, int waker, int context, int wakee, int prio, int prevCpu) {
        Wakeup wakeup = begin(ns, cpu, waker, context, wakee, prio, prevCpu);
        fromWakeupRecords++;
        return wakeup;
    }

    /** A waking record has been seen: what was taken from wakeup records before it had its waking record before the start. */
    void wakingRecordsExist() {
        if (fromWakeupRecords == 0 || fromWakeupRecords > UNDECIDED_LIMIT) {
            return;
        }
        for (Wakeup wakeup = newestUnderWay; wakeup != null; ) {
            Wakeup older = wakeup.before;
            detach(wakeup);
            release(wakeup);
            wakeup = older;
        }
        for (Wakeup wakeup : undecided) {
            recycle(wakeup);
        }
        undecided.clear();
        fromWakeupRecords = 0;
        sameTimeCount = 0;
        numbered = 0;
    }

    void setOpen(int cpu, Wakeup wakeup) {
        open[cpu] = wakeup;
    }

    void setClosed(int cpu) {
        open[cpu] = null;
    }

    /** Something else happens on {@code cpu}: the choice of the open wakeup is over. */
    void close(int cpu) {
        Wakeup wakeup = open[cpu];
        if (wakeup != null) {
            open[cpu] = null;
            if (wakeup.chosenCpu < 0 && wakeup.prevCpu >= 0 && !wakeup.woken) {
                chosen(wakeup, wakeup.prevCpu, Certainty.DERIVED, wakeup.ns);
            }
        }
    }

    /** The choice is known, at least for now. */
    void chosen(Wakeup wakeup, int cpu, Certainty certainty, long ns) {
        if (wakeup.chosenCpu == cpu) {
            if (certainty == Certainty.EXACT) {
                wakeup.certainty = certainty;
            }
            return;
        }
        uncountPending(wakeup, ns);
        int before = wakeup.chosenCpu;
        wakeup.chosenCpu = cpu;
        wakeup.certainty = certainty;
        if (before < 0 && tasks.state[wakeup.wakeeSlot] == AuditTasks.WAKING) {
            tellNewer(wakeup, cpu);
        }
        if (!wakeup.woken && tasks.state[wakeup.wakeeSlot] == AuditTasks.WAKING) {
            cpus.pending[cpu]++;
            wakeup.countedPending = true;
            cpus.changed(cpu, ns);
        }
        if (wakeup.waitCpu == before) {
            waitsFrom(wakeup, cpu);
        }
    }

    /** Those that began while this one was on its way to {@code cpu} did not find that CPU idle, which is known only now. */
    private void tellNewer(Wakeup wakeup, int cpu) {
        for (Wakeup newer = wakeup.after; newer != null; newer = newer.after) {
            newer.idle.remove(cpu);
        }
    }

    void uncountPending(Wakeup wakeup, long ns) {
        if (wakeup.countedPending) {
            cpus.pending[wakeup.chosenCpu]--;
            wakeup.countedPending = false;
            cpus.changed(wakeup.chosenCpu, ns);
        }
    }

    /** The wait on {@code cpu} counts from the waking record on. */
    private void waitsFrom(Wakeup wakeup, int cpu) {
        wakeup.waitCpu = cpu;
        if (cpu == wakeup.prevCpu) {
            wakeup.waitBusyStart = wakeup.prevBusy;
            wakeup.waitIdleStart = wakeup.prevIdle;
        } else if (cpu == wakeup.thisCpu) {
            wakeup.waitBusyStart = wakeup.thisBusy;
            wakeup.waitIdleStart = wakeup.thisIdle;
        } else {
            wakeup.waitBusyStart = cpus.busyUntil(cpu, wakeup.ns);
            wakeup.waitIdleStart = cpus.idleStateUntil(cpu, wakeup.ns);
        }
        wakeup.chosenIdleState = cpus.idleState[cpu];
    }

    /** The wakee, not running, goes to the queue of another CPU. */
    void moved(Wakeup wakeup, int toCpu, long ns) {
        endWait(wakeup, ns);
        wakeup.waitCpu = toCpu;
        wakeup.waitBusyStart = cpus.busyUntil(toCpu, ns);
        wakeup.waitIdleStart = cpus.idleStateUntil(toCpu, ns);
    }

    /** The wakee has been running so far, and leaves its CPU only now: what it ran itself is no queueing. */
    void leftAfterWaking(Wakeup wakeup, int cpu, long ns) {
        wakeup.leftAfterWaking = true;
        wakeup.leftNs = ns;
        wakeup.prevBusy = cpus.busyUntil(cpu, ns);
        wakeup.prevIdle = cpus.idleStateUntil(cpu, ns);
        if (wakeup.waitCpu == cpu) {
            wakeup.waitBusyStart = wakeup.prevBusy;
            wakeup.waitIdleStart = wakeup.prevIdle;
        }
    }

    private void endWait(Wakeup wakeup, long ns) {
        int cpu = wakeup.waitCpu;
        if (cpu < 0) {
            wakeup.splitKnown = false;
            return;
        }
        long busy = cpus.busyUntil(cpu, ns);
        long idleState = cpus.idleStateUntil(cpu, ns);
        if (busy < 0 || idleState < 0 || wakeup.waitBusyStart < 0 || wakeup.waitIdleStart < 0) {
            wakeup.splitKnown = false;
            return;
        }
        wakeup.waitedBusy += busy - wakeup.waitBusyStart;
        wakeup.waitedIdle += idleState - wakeup.waitIdleStart;
    }

    /** The wakee of these wakeups has been switched in; to be called before the CPU's state changes. */
    void ran(int wakee, int cpu, long ns) {
        for (Wakeup wakeup = tasks.pending[wakee]; wakeup != null; wakeup = wakeup.olderOfWakee) {
            if (wakeup.ran) {
                continue;
            }
            boolean moved = wakeup.certainty == Certainty.DERIVED && wakeup.waitCpu == wakeup.chosenCpu;
            if (!wakeup.lossDuring && (wakeup.chosenCpu < 0 || moved && wakeup.chosenCpu != cpu && !wakeup.woken)) {
                uncountPending(wakeup, ns);
                wakeup.chosenCpu = cpu;
                wakeup.certainty = Certainty.DERIVED;
                waitsFrom(wakeup, cpu);
            }
            wakeup.ran = true;
            wakeup.ranNs = ns;
            wakeup.ranCpu = cpu;
            if (!wakeup.lossDuring && wakeup.wakeeWas != Wakeup.WAS_RUNNING) {
                split(wakeup, ns);
            }
            settleIpi(wakeup);
        }
    }

    private void split(Wakeup wakeup, long ns) {
        wakeup.latencyNs = ns - wakeup.ns;
        endWait(wakeup, ns);
        if (!wakeup.splitKnown) {
            return;
        }
        wakeup.queueingNs = Math.min(wakeup.waitedBusy, wakeup.latencyNs);
        long idleExit = Math.min(wakeup.waitedIdle, wakeup.latencyNs - wakeup.queueingNs);
        wakeup.idleExitNs = counts.hasIdle() && wakeup.chosenIdleState > -2 ? idleExit : -1;
        wakeup.restNs = wakeup.latencyNs - wakeup.queueingNs - Math.max(0, wakeup.idleExitNs);
    }

    private void settleIpi(Wakeup wakeup) {
        if (wakeup.ipiSeen) {
            wakeup.ipi = Answer.YES;
        } else if (wakeup.ipiSaved || wakeup.chosenCpu >= 0 && wakeup.chosenCpu == wakeup.thisCpu || counts.hasIpis()) {
            wakeup.ipi = Answer.NO;
        }
    }

    /** An interrupt goes to or has arrived at {@code target}; {@code from} is −1 if its sender is not known. */
    void interrupted(int from, int target) {
        int looks = NEWEST_LOOKED_AT;
        for (Wakeup wakeup = newestUnderWay; wakeup != null && looks > 0; wakeup = wakeup.before) {
            looks--;
            if (!wakeup.ran && wakeup.thisCpu != target && mayGoTo(wakeup, target)) {
                if (from < 0) {
                    wakeup.ipiSeen = true;
                } else if (from == wakeup.thisCpu) {
                    wakeup.ipiSeen = true;
                    if (wakeup.leftAfterWaking && !wakeup.woken) {
                        wakeup.wakeeWas = Wakeup.WAS_ASLEEP; // it waited for the wakee to leave, and then chose
                    }
                    return;
                }
            }
        }
    }

    /** Whether a wakeup is on its way to {@code cpu} that an era hands over through the wake list. */
    boolean onItsWayThroughWakeList(int cpu, RemoteQueue remoteQueue) {
        int looks = NEWEST_LOOKED_AT;
        for (Wakeup wakeup = newestUnderWay; wakeup != null && looks > 0; wakeup = wakeup.before) {
            looks--;
            if (wakeup.countedPending
                    && wakeup.chosenCpu == cpu
                    && (wakeup.thisCpu < 0 || remoteQueue.useWakeList(wakeup.thisCpu, cpu))) {
                return true;
            }
        }
        return false;
    }

    private static boolean mayGoTo(Wakeup wakeup, int cpu) {
        return wakeup.chosenCpu == cpu || wakeup.chosenCpu < 0 && wakeup.prevCpu == cpu;
    }

    /** {@code from} has set the flag of an idle {@code target} that watches it. */
    void interruptSaved(int from, int target) {
        int looks = NEWEST_LOOKED_AT;
        for (Wakeup wakeup = newestUnderWay; wakeup != null && looks > 0; wakeup = wakeup.before) {
            looks--;
            if (!wakeup.ran && wakeup.thisCpu == from && (wakeup.chosenCpu == target || open[from] == wakeup)) {
                wakeup.ipiSaved = true;
                return;
            }
        }
    }

    /** {@code cpu} switches away from {@code prev}. */
    void cpuSwitched(int cpu, int prev, boolean blocked, long ns) {
        Wakeup wakeup = awaiting[cpu];
        awaiting[cpu] = null;
        while (wakeup != null) {
            Wakeup next = wakeup.nextOnCpu;
            wakeup.nextOnCpu = null;
            wakeup.awaitingSwitch = false;
            if (wakeup.wakerSlot == prev) {
                wakeup.wakerLeft = true;
                wakeup.wakerBlocked = blocked;
                wakeup.wakerLeftNs = ns;
            }
            if (wakeup.stintOver) {
                emit(wakeup);
            }
            wakeup = next;
        }
    }

    /** What {@code cpu} ran before its first switch is known only now. */
    void stateLearned(int cpu, boolean wasIdle) {
        for (Wakeup wakeup = newestUnderWay; wakeup != null; wakeup = wakeup.before) {
            if (!wakeup.known.contains(cpu) && !wakeup.lost.contains(cpu)) {
                wakeup.known.add(cpu);
                wakeup.idle.set(cpu, wasIdle);
            }
        }
    }

    /** The wakee, which ran, has left its CPU: its wakeups are over. */
    void stintEnded(int wakee, long ns) {
        Wakeup wakeup = tasks.pending[wakee];
        Wakeup kept = null;
        while (wakeup != null) {
            Wakeup older = wakeup.olderOfWakee;
            if (wakeup.ran) {
                end(wakeup, ns);
            } else {
                wakeup.olderOfWakee = kept;
                kept = wakeup;
            }
            wakeup = older;
        }
        tasks.pending[wakee] = reversed(kept);
    }

    private static @Nullable Wakeup reversed(@Nullable Wakeup list) {
        Wakeup result = null;
        while (list != null) {
            Wakeup next = list.olderOfWakee;
            list.olderOfWakee = result;
            result = list;
            list = next;
        }
        return result;
    }

    /** A wakeup that found its wakee running and changed nothing is over. */
    void endWithoutRunning(Wakeup wakeup, long ns) {
        unlinkFromWakee(wakeup);
        uncountPending(wakeup, ns);
        wakeup.ran = false;
        end(wakeup, -1);
    }

    private void unlinkFromWakee(Wakeup wakeup) {
        int wakee = wakeup.wakeeSlot;
        if (tasks.pending[wakee] == wakeup) {
            tasks.pending[wakee] = wakeup.olderOfWakee;
            return;
        }
        for (Wakeup newer = tasks.pending[wakee]; newer != null; newer = newer.olderOfWakee) {
            if (newer.olderOfWakee == wakeup) {
                newer.olderOfWakee = wakeup.olderOfWakee;
                return;
            }
        }
    }

    private void end(Wakeup wakeup, long ns) {
        wakeup.olderOfWakee = null;
        wakeup.stintEndNs = ns;
        if (wakeup.awaitingSwitch && wakeup.chosenCpu == wakeup.thisCpu) {
            wakeup.stintOver = true;
            return;
        }
        emit(wakeup);
    }

    private void emit(Wakeup wakeup) {
        detach(wakeup);
        if (fromWakeupRecords > 0 && fromWakeupRecords <= UNDECIDED_LIMIT) {
            unlink(wakeup);
            undecided.add(wakeup);
            return;
        }
        decide();
        report(wakeup);
        release(wakeup);
    }

    /** The recording has no waking records: what was held back is reported. */
    private void decide() {
        if (!undecided.isEmpty()) {
            for (Wakeup wakeup : undecided) {
                report(wakeup);
                recycle(wakeup);
            }
            undecided.clear();
        }
    }

    private void report(Wakeup wakeup) {
        if (wakeup.number == 0) {
            assignNumbers();
        }
        judge.judge(wakeup);
        for (int i = 0; i < consumers.size(); i++) {
            consumers.get(i).wakeup(wakeup);
        }
    }

    /** Events of {@code cpu} are missing: what is under way there cannot be trusted. */
    void lost(int cpu) {
        for (Wakeup wakeup = newestUnderWay; wakeup != null; wakeup = wakeup.before) {
            if (!wakeup.ran && (wakeup.thisCpu == cpu || wakeup.prevCpu == cpu || wakeup.chosenCpu == cpu)) {
                wakeup.lossDuring = true;
                if (wakeup.thisCpu == cpu && wakeup.certainty == Certainty.DERIVED && open[cpu] == wakeup) {
                    wakeup.chosenCpu = -1;
                    wakeup.certainty = Certainty.UNKNOWN;
                }
            }
        }
    }

    /** The recording is over: whatever is under way is reported as far as it is known. */
    void finish(boolean migrationsRecorded) {
        assignNumbers();
        for (int cpu = 0; cpu < cpus.size(); cpu++) {
            close(cpu);
        }
        Wakeup oldest = newestUnderWay;
        while (oldest != null && oldest.before != null) {
            oldest = oldest.before;
        }
        while (oldest != null) {
            Wakeup newer = oldest.after;
            if (!oldest.ran) {
                oldest.cutOff = true;
                settleIpi(oldest);
                if (oldest.certainty == Certainty.DERIVED
                        && !migrationsRecorded
                        && oldest.thisCpu != oldest.chosenCpu) {
                    oldest.chosenCpu = -1;
                    oldest.certainty = Certainty.UNKNOWN;
                }
            }
            detach(oldest);
            undecided.add(oldest);
            oldest = newer;
        }
        newestUnderWay = null;
        decide();
    }

    private void number(Wakeup wakeup) {
        if (sameTimeCount > 0 && (wakeup.ns != sameTimeNs || sameTimeCount == sameTime.length)) {
            assignNumbers();
        }
        sameTimeNs = wakeup.ns;
        int place = sameTimeCount++;
        while (place > 0 && sameTime[place - 1].thisCpu > wakeup.thisCpu) {
            sameTime[place] = sameTime[place - 1];
            place--;
        }
        sameTime[place] = wakeup;
    }

    private void assignNumbers() {
        for (int i = 0; i < sameTimeCount; i++) {
            sameTime[i].number = ++numbered;
        }
        sameTimeCount = 0;
    }

    private Wakeup take() {
        Wakeup wakeup = free;
        if (wakeup == null) {
            wakeup = new Wakeup();
        } else {
            free = wakeup.nextOnCpu;
        }
        wakeup.start();
        wakeup.before = newestUnderWay;
        wakeup.after = null;
        if (newestUnderWay != null) {
            newestUnderWay.after = wakeup;
        }
        newestUnderWay = wakeup;
        return wakeup;
    }

    /** Takes a wakeup off every list but that of all under way. */
    private void detach(Wakeup wakeup) {
        unlinkFromWakee(wakeup);
        int cpu = wakeup.thisCpu;
        if (cpu < 0) {
            return;
        }
        if (open[cpu] == wakeup) {
            open[cpu] = null;
        }
        if (wakeup.awaitingSwitch) {
            wakeup.awaitingSwitch = false;
            if (awaiting[cpu] == wakeup) {
                awaiting[cpu] = wakeup.nextOnCpu;
            } else {
                for (Wakeup other = awaiting[cpu]; other != null; other = other.nextOnCpu) {
                    if (other.nextOnCpu == wakeup) {
                        other.nextOnCpu = wakeup.nextOnCpu;
                        break;
                    }
                }
            }
            wakeup.nextOnCpu = null;
        }
    }

    private void unlink(Wakeup wakeup) {
        if (wakeup.after == null) {
            newestUnderWay = wakeup.before;
        } else {
            wakeup.after.before = wakeup.before;
        }
        if (wakeup.before != null) {
            wakeup.before.after = wakeup.after;
        }
        wakeup.before = null;
        wakeup.after = null;
    }

    private void release(Wakeup wakeup) {
        unlink(wakeup);
        recycle(wakeup);
    }

    private void recycle(Wakeup wakeup) {
        wakeup.nextOnCpu = free;
        free = wakeup;
    }
}
