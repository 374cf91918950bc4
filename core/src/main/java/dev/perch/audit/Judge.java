package dev.perch.audit;

import dev.perch.model.CpuMask;
import dev.perch.model.Distance;
import dev.perch.model.Topology;
import org.jspecify.annotations.Nullable;

/**
 * Gives a wakeup its verdict, its fault bits and its cost, from the state just before the waking record.
 *
 * <p>{@code idle(x)}: the idle thread runs, nothing is queued, no wakeup is on its way. CPUs of which the recording has shown nothing
 * yet count as not idle. The allowed CPUs are all CPUs, marked as assumed, unless something tells.
 */
final class Judge {
    private static final int FIRST_REAL_TIME_PRIO_ABOVE = 100;

    private final @Nullable Topology topology;
    private final @Nullable CrossingCost crossing;
    private final AuditTasks tasks;

    Judge(@Nullable Topology topology, @Nullable CrossingCost crossing, AuditTasks tasks) {
        this.topology = topology;
        this.crossing = crossing;
        this.tasks = tasks;
    }

    void judge(Wakeup wakeup) {
        CpuMask allowed = tasks.affinity(wakeup.wakeeSlot);
        int bound = allowed == null ? tasks.boundByName(wakeup.wakeeSlot) : -1;
        wakeup.affinityAssumed = allowed == null && bound < 0;
        Verdict verdict = verdict(wakeup, allowed, bound);
        wakeup.verdict = verdict;
        if (verdict != Verdict.UNKNOWN && verdict != Verdict.NOT_PLACED) {
            if (topology != null) {
                wakeup.faults = faults(wakeup, topology, allowed);
            }
            price(wakeup, allowed);
        }
    }

    private Verdict verdict(Wakeup wakeup, @Nullable CpuMask allowed, int bound) {
        int chosen = wakeup.chosenCpu;
        int prev = wakeup.prevCpu;
        if (chosen < 0) {
            return unknown(wakeup, UnknownReason.CHOSEN_CPU);
        }
        if (prev < 0) {
            return unknown(wakeup, UnknownReason.PREV_CPU);
        }
        if (wakeup.lost.contains(chosen) || wakeup.lost.contains(prev)) {
            return unknown(wakeup, UnknownReason.EVENTS_LOST);
        }
        boolean pinned = bound >= 0 || allowed != null && allowed.count() == 1;
        boolean fair = wakeup.prio < 0 || wakeup.prio >= FIRST_REAL_TIME_PRIO_ABOVE;
        if (wakeup.wakeeWas != Wakeup.WAS_ASLEEP || pinned || !fair) {
            return Verdict.NOT_PLACED;
        }
        if (!wakeup.known.contains(chosen)) {
            return unknown(wakeup, UnknownReason.CPU_STATE);
        }
        if (chosen == wakeup.thisCpu && wakeup.onlyWaker && wakeup.wakerLeft && wakeup.wakerBlocked) {
            return Verdict.STACKED;
        }
        if (topology == null) {
            return unknown(wakeup, UnknownReason.TOPOLOGY);
        }
        return wakeup.idle.contains(chosen)
                ? idleVerdict(wakeup, topology, allowed)
                : busyVerdict(wakeup, topology, allowed);
    }

    private static Verdict unknown(Wakeup wakeup, UnknownReason reason) {
        wakeup.unknownReason = reason;
        return Verdict.UNKNOWN;
    }

    private static Verdict busyVerdict(Wakeup wakeup, Topology topology, @Nullable CpuMask allowed) {
        CpuMask llc = topology.llc(wakeup.chosenCpu);
        if (anyIdle(wakeup, allowed, llc, true)) {
            return Verdict.QUEUED;
        }
        return anyIdle(wakeup, allowed, llc, false) ? Verdict.MISSED_ELSEWHERE : Verdict.FULL;
    }

    private static Verdict idleVerdict(Wakeup wakeup, Topology topology, @Nullable CpuMask allowed) {
        if (isRemote(wakeup, topology, allowed)) {
            return Verdict.REMOTE;
        }
        if (isSmtShared(wakeup, topology, allowed)) {
            return Verdict.SMT_SHARED;
        }
        if (couldBeBounced(wakeup, topology, allowed) && !wakeup.known.contains(wakeup.prevCpu)) {
            return unknown(wakeup, UnknownReason.CPU_STATE);
        }
        return isBounced(wakeup, topology, allowed) ? Verdict.BOUNCED : Verdict.GOOD;
    }

    private static int faults(Wakeup wakeup, Topology topology, @Nullable CpuMask allowed) {
        int bits = 0;
        if (!wakeup.idle.contains(wakeup.chosenCpu)) {
            CpuMask llc = topology.llc(wakeup.chosenCpu);
            if (anyIdle(wakeup, allowed, llc, true)) {
                bits |= Verdict.QUEUED.bit();
            } else if (anyIdle(wakeup, allowed, llc, false)) {
                bits |= Verdict.MISSED_ELSEWHERE.bit();
            }
            return bits | (isBounced(wakeup, topology, allowed) ? Verdict.BOUNCED.bit() : 0);
        }
        bits |= isRemote(wakeup, topology, allowed) ? Verdict.REMOTE.bit() : 0;
        bits |= isSmtShared(wakeup, topology, allowed) ? Verdict.SMT_SHARED.bit() : 0;
        return bits | (isBounced(wakeup, topology, allowed) ? Verdict.BOUNCED.bit() : 0);
    }

    private static boolean isRemote(Wakeup wakeup, Topology topology, @Nullable CpuMask allowed) {
        return topology.llcOf(wakeup.chosenCpu) != topology.llcOf(wakeup.prevCpu)
                && anyIdle(wakeup, allowed, topology.llc(wakeup.prevCpu), true);
    }

    private static boolean isSmtShared(Wakeup wakeup, Topology topology, @Nullable CpuMask allowed) {
        if (idleCore(wakeup, topology, wakeup.chosenCpu)) {
            return false;
        }
        CpuMask llc = topology.llc(wakeup.chosenCpu);
        for (int cpu = llc.first(); cpu >= 0; cpu = llc.next(cpu + 1)) {
            if ((allowed == null || allowed.contains(cpu)) && idleCore(wakeup, topology, cpu)) {
                return true;
            }
        }
        return false;
    }

    private static boolean couldBeBounced(Wakeup wakeup, Topology topology, @Nullable CpuMask allowed) {
        return wakeup.chosenCpu != wakeup.prevCpu
                && topology.llcOf(wakeup.chosenCpu) == topology.llcOf(wakeup.prevCpu)
                && (allowed == null || allowed.contains(wakeup.prevCpu));
    }

    private static boolean isBounced(Wakeup wakeup, Topology topology, @Nullable CpuMask allowed) {
        return couldBeBounced(wakeup, topology, allowed)
                && wakeup.idle.contains(wakeup.prevCpu)
                && (idleCore(wakeup, topology, wakeup.prevCpu) || !idleCore(wakeup, topology, wakeup.chosenCpu));
    }

    private static boolean idleCore(Wakeup wakeup, Topology topology, int cpu) {
        CpuMask core = topology.smt(cpu);
        for (int thread = core.first(); thread >= 0; thread = core.next(thread + 1)) {
            if (!wakeup.idle.contains(thread)) {
                return false;
            }
        }
        return true;
    }

    /** Whether an allowed CPU inside of {@code set} (or outside, if not {@code inside}) was idle. */
    private static boolean anyIdle(Wakeup wakeup, @Nullable CpuMask allowed, CpuMask set, boolean inside) {
        CpuSet idle = wakeup.idle;
        for (int cpu = idle.next(0); cpu >= 0; cpu = idle.next(cpu + 1)) {
            if (set.contains(cpu) == inside && (allowed == null || allowed.contains(cpu))) {
                return true;
            }
        }
        return false;
    }

    private void price(Wakeup wakeup, @Nullable CpuMask allowed) {
        if (crossing == null || topology == null) {
            return;
        }
        int nearest = nearestIdle(wakeup, topology, allowed);
        if (nearest < 0) {
            return;
        }
        wakeup.crossingNs = crossing.ns(wakeup.chosenCpu, nearest);
        if (wakeup.queueingNs >= 0) {
            wakeup.costNs = wakeup.queueingNs - wakeup.crossingNs;
            wakeup.costKnown = true;
        }
    }

    /** The idle allowed CPU nearest to the chosen one, which it may be itself; the lowest of several; −1 if there is none. */
    private static int nearestIdle(Wakeup wakeup, Topology topology, @Nullable CpuMask allowed) {
        int nearest = -1;
        Distance best = Distance.REMOTE;
        for (int cpu = wakeup.idle.next(0); cpu >= 0; cpu = wakeup.idle.next(cpu + 1)) {
            if (allowed != null && !allowed.contains(cpu)) {
                continue;
            }
            Distance distance = topology.distance(wakeup.chosenCpu, cpu);
            if (nearest < 0 || distance.compareTo(best) < 0) {
                nearest = cpu;
                best = distance;
            }
        }
        return nearest;
    }
}
