package dev.perch.audit;

/**
 * Splits a wakeup's latency by what the CPU did on whose queue the wakee waited: ran others, was in an idle state, or neither.
 *
 * <p>It reads the clocks of {@link AuditCpus} where a wait begins and ends; a wakee that is moved has waits on more than one CPU.
 */
final class LatencySplit {
    private final AuditCpus cpus;
    private final EventCounts counts;

    LatencySplit(AuditCpus cpus, EventCounts counts) {
        this.cpus = cpus;
        this.counts = counts;
    }

    /** The clocks of the two likely targets, at the time of the waking record. */
    void begin(Wakeup wakeup, long ns) {
        if (wakeup.thisCpu >= 0) {
            wakeup.thisBusy = cpus.busyUntil(wakeup.thisCpu, ns);
            wakeup.thisIdle = cpus.idleStateUntil(wakeup.thisCpu, ns);
        }
        if (wakeup.prevCpu >= 0) {
            wakeup.prevBusy = cpus.busyUntil(wakeup.prevCpu, ns);
            wakeup.prevIdle = cpus.idleStateUntil(wakeup.prevCpu, ns);
        }
    }

    /** The wait on {@code cpu} counts from the waking record on. */
    void waitsFrom(Wakeup wakeup, int cpu) {
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

    /** The wakee runs: its wait is over. */
    void end(Wakeup wakeup, long ns) {
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
}
