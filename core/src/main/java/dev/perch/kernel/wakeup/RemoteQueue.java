package dev.perch.kernel.wakeup;

import dev.perch.kernel.Kernel;
import dev.perch.kernel.domain.SchedDomains;
import dev.perch.model.InputException;

/**
 * Whether the waker enqueues the wakee itself or leaves that to a CPU, through its wake list, and how that CPU is told.
 *
 * <p>{@code ttwu_queue}, {@code ttwu_queue_cond}, {@code ttwu_queue_remote}, {@code send_call_function_single_ipi} and {@code
 * resched_curr} of 2.6.39 – 6.18. Source: placement.md 9, scheduler.md 5.2 – 5.4. {@link Signal} says what goes out; what it costs and
 * when it arrives is its caller's. No clock, no list of its own.
 */
public final class RemoteQueue {
    private final SchedDomains domains;
    private final boolean feature;
    private final WakeListRules rules;

    private RemoteQueue(SchedDomains domains, boolean feature, WakeListRules rules) {
        this.domains = domains;
        this.feature = feature;
        this.rules = rules;
    }

    /**
     * The rule of {@code kernel}; with NO_TTWU_QUEUE no list is ever used.
     *
     * @throws InputException if the kernel names a rule that there is not
     */
    public static RemoteQueue of(Kernel kernel, SchedDomains domains) {
        return of(kernel.rules().remoteQueue(), kernel.has("TTWU_QUEUE"), domains);
    }

    /**
     * The rule of a name, as under {@code remote-queue} in kernel files.
     *
     * @param feature TTWU_QUEUE
     * @throws InputException if there is none of that name
     */
    public static RemoteQueue of(String rules, boolean feature, SchedDomains domains) {
        return new RemoteQueue(domains, feature, WakeListRules.named(rules));
    }

    /** As {@link #useWakeList(int, int, int, boolean, boolean, WakeeClass)} for an ordinary wakee on a CPU that is active and allowed. */
    public boolean useWakeList(int thisCpu, int targetCpu, int nrRunning) {
        return useWakeList(thisCpu, targetCpu, nrRunning, true, true, WakeeClass.ORDINARY);
    }

    /**
     * Whether a waker puts its wakee on the wake list of the CPU that was chosen for it.
     *
     * @param thisCpu of the waker
     * @param targetCpu the chosen one
     * @param nrRunning runnable tasks there, delayed ones included
     * @param active the target is not on its way offline
     * @param allowed the wakee may run there
     */
    public boolean useWakeList(
            int thisCpu, int targetCpu, int nrRunning, boolean active, boolean allowed, WakeeClass wakee) {
        return mayQueue(thisCpu, targetCpu, active, allowed, wakee)
                && (rules == WakeListRules.EVERY_REMOTE
                        || !domains.shareCache(thisCpu, targetCpu)
                        || rules.since(WakeListRules.FROM_6_0) && nrRunning == 0);
    }

    /** As {@link #useOwnList(int, int, int, boolean, boolean, WakeeClass)} for an ordinary wakee on a CPU that is active and allowed. */
    public boolean useOwnList(int thisCpu, int wakeeCpu, int nrRunning) {
        return useOwnList(thisCpu, wakeeCpu, nrRunning, true, true, WakeeClass.ORDINARY);
    }

    /**
     * Whether a waker whose wakee is off its queue but still being switched away from puts it on its own CPU's wake list, without choosing
     * one. Otherwise it spins until the switch is over, and chooses. Until 5.7 it always spins.
     *
     * @param wakeeCpu where the wakee still is
     * @param nrRunning runnable tasks there, without the wakee
     * @param active that CPU is not on its way offline
     * @param allowed the wakee may still run there
     */
    public boolean useOwnList(
            int thisCpu, int wakeeCpu, int nrRunning, boolean active, boolean allowed, WakeeClass wakee) {
        int atMost = rules.since(WakeListRules.FROM_6_0) ? 0 : 1;
        return rules.since(WakeListRules.FROM_5_8)
                && mayQueue(thisCpu, wakeeCpu, active, allowed, wakee)
                && (!domains.shareCache(thisCpu, wakeeCpu) || nrRunning <= atMost);
    }

    private boolean mayQueue(int thisCpu, int targetCpu, boolean active, boolean allowed, WakeeClass wakee) {
        return feature
                && thisCpu != targetCpu
                && takes(wakee)
                && (active || !rules.since(WakeListRules.FROM_5_11))
                && (allowed || !rules.since(WakeListRules.FROM_6_0));
    }

    private boolean takes(WakeeClass wakee) {
        return switch (wakee) {
            case ORDINARY -> true;
            case STOP -> !rules.since(WakeListRules.FROM_6_18);
            case SCHED_EXT -> !rules.since(WakeListRules.FROM_6_12);
            case SCHED_EXT_QUEUED -> rules != WakeListRules.FROM_6_12;
        };
    }

    /**
     * How a CPU is told of a wakeup on its list.
     *
     * @param wasEmpty the list was empty before; from 5.8 on it is shared with function calls
     * @param polling the CPU's idle thread watches its reschedule flag
     */
    public Signal announce(boolean wasEmpty, boolean polling) {
        if (!wasEmpty) {
            return Signal.NONE;
        }
        if (polling && savesInterrupts()) {
            return Signal.SET_POLLING_FLAG;
        }
        return rules.since(WakeListRules.FROM_5_8) ? Signal.CALL_FUNCTION_IPI : Signal.RESCHEDULE_IPI;
    }

    /**
     * Whether a polling CPU gets its wake list without an interrupt, and {@link Signal#SET_POLLING_FLAG} leaves the event {@code
     * sched_wake_idle_without_ipi}.
     */
    public boolean savesInterrupts() {
        return rules.since(WakeListRules.FROM_3_16);
    }

    /**
     * Whether a CPU stops to count as one with a pending wakeup when it begins to work off its list; from 6.2 on when it has done so.
     */
    public boolean clearsPendingFirst() {
        return !rules.since(WakeListRules.FROM_6_2);
    }

    /** Whether a CPU works off its list in the order of the wakeups; until 5.7 the last one comes first. */
    public boolean drainsInOrder() {
        return rules.since(WakeListRules.FROM_5_8);
    }

    /**
     * How the preemption of a CPU's current task is requested after a direct activation.
     *
     * @param thisCpu where the request is made
     * @param targetCpu whose current task is to give way
     * @param alreadySet it has been asked to, and has not done so
     * @param idle it is the idle thread
     * @param polling the idle thread watches its reschedule flag
     * @param lazy the request can wait for the next tick; kernels from 6.13 on, with lazy preemption
     */
    public static Signal reschedule(
            int thisCpu, int targetCpu, boolean alreadySet, boolean idle, boolean polling, boolean lazy) {
        if (alreadySet) {
            return Signal.NONE;
        }
        if (thisCpu == targetCpu || lazy && !idle) {
            return Signal.SET_FLAG;
        }
        return idle && polling ? Signal.SET_POLLING_FLAG : Signal.RESCHEDULE_IPI;
    }
}
