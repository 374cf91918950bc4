package dev.perch.audit;

import dev.perch.kernel.wakeup.RemoteQueue;
import org.jspecify.annotations.Nullable;

/** Which wakeup an interrupt between CPUs belongs to, or the saving of one. */
final class WakeupInterrupts {
    /** An interrupt belongs to one of the last wakeups; older ones that still wait have had theirs. */
    private static final int NEWEST_LOOKED_AT = 64;

    private final WakeupsUnderWay underWay;
    private final EventCounts counts;

    WakeupInterrupts(WakeupsUnderWay underWay, EventCounts counts) {
        this.underWay = underWay;
        this.counts = counts;
    }

    /** An interrupt goes to or has arrived at {@code target}; {@code from} is −1 if its sender is not known. */
    void interrupted(int from, int target) {
        int looks = NEWEST_LOOKED_AT;
        for (Wakeup wakeup = underWay.newest(); wakeup != null && looks > 0; wakeup = wakeup.before) {
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

    /** {@code from} has set the flag of an idle {@code target} that watches it; {@code open} is the wakeup that {@code from} may still be choosing for. */
    void saved(int from, int target, @Nullable Wakeup open) {
        int looks = NEWEST_LOOKED_AT;
        for (Wakeup wakeup = underWay.newest(); wakeup != null && looks > 0; wakeup = wakeup.before) {
            looks--;
            if (!wakeup.ran && wakeup.thisCpu == from && (wakeup.chosenCpu == target || open == wakeup)) {
                wakeup.ipiSaved = true;
                return;
            }
        }
    }

    /** Whether a wakeup is on its way to {@code cpu}, where so many tasks are runnable, that an era hands over through the wake list. */
    boolean onItsWayThroughWakeList(int cpu, int nrRunning, RemoteQueue remoteQueue) {
        int looks = NEWEST_LOOKED_AT;
        for (Wakeup wakeup = underWay.newest(); wakeup != null && looks > 0; wakeup = wakeup.before) {
            looks--;
            if (wakeup.countedPending
                    && wakeup.chosenCpu == cpu
                    && (wakeup.thisCpu < 0 || remoteQueue.useWakeList(wakeup.thisCpu, cpu, nrRunning))) {
                return true;
            }
        }
        return false;
    }

    private static boolean mayGoTo(Wakeup wakeup, int cpu) {
        return wakeup.chosenCpu == cpu || wakeup.chosenCpu < 0 && wakeup.prevCpu == cpu;
    }

    /** What is known of the interrupt once the wakee runs. */
    void settle(Wakeup wakeup) {
        if (wakeup.ipiSeen) {
            wakeup.ipi = Answer.YES;
        } else if (wakeup.ipiSaved || wakeup.chosenCpu >= 0 && wakeup.chosenCpu == wakeup.thisCpu || counts.hasIpis()) {
            wakeup.ipi = Answer.NO;
        }
    }
}
