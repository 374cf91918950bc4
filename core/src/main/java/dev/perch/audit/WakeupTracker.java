package dev.perch.audit;

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

    private final AuditTasks tasks;
    private final AuditCpus cpus;
    private final Judge judge;
    private final WakeupsUnderWay underWay = new WakeupsUnderWay();
    private final WakeupNumbers numbers = new WakeupNumbers();
    private final WakeupInterrupts interrupts;
    private final LatencySplit split;
    private final List<WakeupConsumer> consumers = new ArrayList<>();

    private @Nullable Wakeup[] open = new Wakeup[8];
    private @Nullable Wakeup[] awaiting = new Wakeup[8];
    /** Wakeups taken from wakeup records, while it is not decided whether the recording has waking records. */
    private final List<Wakeup> undecided = new ArrayList<>();

    private int fromWakeupRecords;

    WakeupTracker(AuditTasks tasks, AuditCpus cpus, EventCounts counts, Judge judge) {
        this.tasks = tasks;
        this.cpus = cpus;
        this.judge = judge;
        interrupts = new WakeupInterrupts(underWay, counts);
        split = new LatencySplit(cpus, counts);
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

    /** All that are under way. */
    WakeupsUnderWay underWay() {
        return underWay;
    }

    /** Which interrupts belong to which wakeups. */
    WakeupInterrupts interrupts() {
        return interrupts;
    }

    /** Where the latencies of those under way are measured. */
    LatencySplit split() {
        return split;
    }

    /** The wakeup whose choice may still be going on on {@code cpu}. */
    @Nullable
    Wakeup open(int cpu) {
        return open[cpu];
    }

    /** A waking record, or a wakeup record in a recording that has no waking records. */
    Wakeup begin(long ns, int cpu, int waker, int context, int wakee, int prio, int prevCpu) {
        Wakeup wakeup = underWay.take();
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
        split.begin(wakeup, ns);
        if (cpu >= 0) {
            wakeup.onlyWaker =
                    waker > 0 && cpus.current[cpu] == waker && cpus.queued[cpu] == 0 && cpus.pending[cpu] == 0;
            wakeup.nextOnCpu = awaiting[cpu];
            awaiting[cpu] = wakeup;
            wakeup.awaitingSwitch = true;
        }
        wakeup.olderOfWakee = tasks.pending[wakee];
        wakeup.pending = true;
        tasks.pending[wakee] = wakeup;
        numbers.begun(wakeup);
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
        for (Wakeup wakeup = underWay.newest(); wakeup != null; ) {
            Wakeup older = wakeup.before;
            detach(wakeup);
            underWay.release(wakeup);
            wakeup = older;
        }
        for (Wakeup wakeup : undecided) {
            underWay.recycle(wakeup);
        }
        undecided.clear();
        fromWakeupRecords = 0;
        numbers.restart();
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
            underWay.tellNewer(wakeup, cpu);
        }
        if (!wakeup.woken && tasks.state[wakeup.wakeeSlot] == AuditTasks.WAKING) {
            cpus.pending[cpu]++;
            wakeup.countedPending = true;
            cpus.changed(cpu, ns);
        }
        if (wakeup.waitCpu == before) {
            split.waitsFrom(wakeup, cpu);
        }
    }

    void uncountPending(Wakeup wakeup, long ns) {
        if (wakeup.countedPending) {
            cpus.pending[wakeup.chosenCpu]--;
            wakeup.countedPending = false;
            cpus.changed(wakeup.chosenCpu, ns);
        }
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
                split.waitsFrom(wakeup, cpu);
            }
            wakeup.ran = true;
            wakeup.ranNs = ns;
            wakeup.ranCpu = cpu;
            if (!wakeup.lossDuring && wakeup.wakeeWas != Wakeup.WAS_RUNNING) {
                split.end(wakeup, ns);
            }
            interrupts.settle(wakeup);
        }
    }

    /** The wakee of these wakeups is found running, but the switch to it is missing: how long it waited cannot be told. */
    void ranUnseen(int wakee, long ns) {
        for (Wakeup wakeup = tasks.pending[wakee]; wakeup != null; wakeup = wakeup.olderOfWakee) {
            if (!wakeup.ran) {
                uncountPending(wakeup, ns);
                wakeup.lossDuring = true;
                wakeup.ran = true;
                interrupts.settle(wakeup);
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
        if (!wakeup.pending) {
            return;
        }
        wakeup.pending = false;
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
        wakeup.pending = false;
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
            underWay.unlink(wakeup);
            undecided.add(wakeup);
            return;
        }
        decide();
        report(wakeup);
        underWay.release(wakeup);
    }

    /** The recording has no waking records: what was held back is reported. */
    private void decide() {
        if (!undecided.isEmpty()) {
            for (Wakeup wakeup : undecided) {
                report(wakeup);
                underWay.recycle(wakeup);
            }
            undecided.clear();
        }
    }

    private void report(Wakeup wakeup) {
        if (wakeup.number == 0) {
            numbers.assignNumbers();
        }
        judge.judge(wakeup);
        for (int i = 0; i < consumers.size(); i++) {
            consumers.get(i).wakeup(wakeup);
        }
    }

    /** Events of {@code cpu} are missing: what is under way there cannot be trusted. */
    void lost(int cpu) {
        for (Wakeup wakeup = underWay.newest(); wakeup != null; wakeup = wakeup.before) {
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
        numbers.assignNumbers();
        for (int cpu = 0; cpu < cpus.size(); cpu++) {
            close(cpu);
        }
        Wakeup oldest = underWay.oldest();
        while (oldest != null) {
            Wakeup newer = oldest.after;
            if (!oldest.ran) {
                oldest.cutOff = true;
                interrupts.settle(oldest);
                if (oldest.certainty == Certainty.DERIVED
                        && !migrationsRecorded
                        && oldest.thisCpu != oldest.chosenCpu) {
                    oldest.chosenCpu = -1;
                    oldest.certainty = Certainty.UNKNOWN;
                }
            }
            detach(oldest);
            underWay.unlink(oldest);
            undecided.add(oldest);
            oldest = newer;
        }
        decide();
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
}
