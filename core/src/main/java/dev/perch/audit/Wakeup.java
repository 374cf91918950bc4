package dev.perch.audit;

import dev.perch.model.Distance;
import dev.perch.model.SchedEvents;
import dev.perch.model.Topology;
import org.jspecify.annotations.Nullable;

/**
 * One wakeup: who woke whom, where the wakee went, how long it took and what to think of it.
 *
 * <p>Objects are reused: what a {@link WakeupConsumer} wants to keep it must copy. Times are ns; −1 stands for what the recording does
 * not tell, for CPUs, pids and durations alike.
 */
public final class Wakeup {
    /** {@link #wakeeSlot}: it was off its queue, the usual case. */
    static final byte WAS_ASLEEP = 0;
    /** It was running when the waking record was written, and nothing shows that it was placed. */
    static final byte WAS_RUNNING = 1;
    /** It was on a queue. */
    static final byte WAS_QUEUED = 2;

    long number;
    long ns;
    int wakerSlot;
    int wakerPid;
    int wakeeSlot;
    int wakeePid;
    int prio;
    int context;
    int thisCpu;
    int prevCpu;
    int chosenCpu;
    Certainty certainty = Certainty.UNKNOWN;
    byte wakeeWas;
    /** The wakee left its CPU to sleep after the waking record: it was on its way off. */
    boolean leftAfterWaking;
    /** When that was. */
    long leftNs;
    /** The waker's CPU ran nothing but the waker. */
    boolean onlyWaker;
    /** Idle state of each relevant CPU is not kept; this one is the shallow index of the chosen CPU's, −1 none, −2 not known. */
    int chosenIdleState;

    Answer ipi = Answer.UNKNOWN;
    boolean ipiSeen;
    boolean ipiSaved;
    boolean woken;
    boolean countedPending;
    boolean ran;
    boolean lossDuring;
    /** It is on the list of its wakee's wakeups. */
    boolean pending;

    boolean cutOff;
    long ranNs;
    int ranCpu;
    long latencyNs;
    long queueingNs;
    long idleExitNs;
    long restNs;
    /** Where and since when the wakee waits, for the split. */
    int waitCpu;

    long waitBusyStart;
    long waitIdleStart;
    long waitedBusy;
    long waitedIdle;
    boolean splitKnown;
    /** Clock readings of the two likely targets at the time of the waking record. */
    long thisBusy;

    long thisIdle;
    long prevBusy;
    long prevIdle;

    /** The waker's CPU has switched since. */
    boolean wakerLeft;

    boolean wakerBlocked;
    long wakerLeftNs;
    boolean stintOver;
    long stintEndNs;

    Verdict verdict = Verdict.UNKNOWN;
    UnknownReason unknownReason = UnknownReason.NONE;
    int faults;
    boolean affinityAssumed;
    long costNs;
    boolean costKnown;
    long crossingNs;

    final CpuSet idle = new CpuSet();
    final CpuSet known = new CpuSet();
    final CpuSet lost = new CpuSet();

    /** What an era's rules would have chosen, if anybody asked; kept with the object and reused. */
    @Nullable
    RuleWalk walk;

    /** The CPUs at the time of the waking record, if anybody asked; kept with the object and reused. */
    @Nullable
    CpuSnapshot snapshot;

    /** Next older wakeup of the same wakee. */
    @Nullable
    Wakeup olderOfWakee;

    /** Others that wait for the next switch of the same CPU. */
    @Nullable
    Wakeup nextOnCpu;

    boolean awaitingSwitch;
    /** Neighbours in the list of all that are under way. */
    @Nullable
    Wakeup before;

    @Nullable
    Wakeup after;

    void start() {
        number = 0;
        chosenCpu = -1;
        certainty = Certainty.UNKNOWN;
        wakeeWas = WAS_ASLEEP;
        leftAfterWaking = false;
        onlyWaker = false;
        chosenIdleState = -2;
        ipi = Answer.UNKNOWN;
        ipiSeen = false;
        ipiSaved = false;
        woken = false;
        countedPending = false;
        ran = false;
        lossDuring = false;
        cutOff = false;
        ranNs = -1;
        ranCpu = -1;
        latencyNs = -1;
        queueingNs = -1;
        idleExitNs = -1;
        restNs = -1;
        waitCpu = -1;
        waitedBusy = 0;
        waitedIdle = 0;
        splitKnown = true;
        wakerLeft = false;
        wakerBlocked = false;
        wakerLeftNs = -1;
        stintOver = false;
        stintEndNs = -1;
        verdict = Verdict.UNKNOWN;
        unknownReason = UnknownReason.NONE;
        faults = 0;
        affinityAssumed = false;
        costNs = 0;
        costKnown = false;
        crossingNs = -1;
        olderOfWakee = null;
        nextOnCpu = null;
        awaitingSwitch = false;
    }

    /** From 1, by time, then CPU, then order in the recording. */
    public long number() {
        return number;
    }

    /** Time of the waking record, in the recording's clock. */
    public long ns() {
        return ns;
    }

    /** The task in whose context the wakeup happened, 0 the idle thread. */
    public int waker() {
        return wakerPid;
    }

    public int wakee() {
        return wakeePid;
    }

    /** Slots of the two in {@link AuditTasks}; the waker's is −1 if it is not known. */
    public int wakerSlot() {
        return wakerSlot;
    }

    public int wakeeSlot() {
        return wakeeSlot;
    }

    /** The wakee's priority as recorded, −1 if it is not. */
    public int prio() {
        return prio;
    }

    /** One of the contexts of {@link dev.perch.model.SchedEvents}. */
    public int context() {
        return context;
    }

    /**
     * Whether the waker is an interrupt handler, so that the task in whose context it ran is there by chance.
     *
     * <p>A softirq on top of a task counts for the task: over loopback it is the sender's own receive path. Limitation: it may also
     * be the end of a device's interrupt, which the flags do not tell apart.
     */
    public boolean fromInterrupt() {
        return (context & SchedEvents.IN_HARDIRQ) != 0 || (context & SchedEvents.IN_SOFTIRQ) != 0 && wakerPid == 0;
    }

    public int thisCpu() {
        return thisCpu;
    }

    public int prevCpu() {
        return prevCpu;
    }

    /** Where the wakeup enqueued the wakee, before any balancing. */
    public int chosenCpu() {
        return chosenCpu;
    }

    /** How {@link #chosenCpu} is known. */
    public Certainty certainty() {
        return certainty;
    }

    /** Whether an interrupt was sent to the chosen CPU for it. */
    public Answer ipi() {
        return ipi;
    }

    public Verdict verdict() {
        return verdict;
    }

    public UnknownReason unknownReason() {
        return unknownReason;
    }

    /** The {@link Verdict#bit bits} of all faults that hold, whatever the verdict. */
    public int faults() {
        return faults;
    }

    /** Whether nothing tells which CPUs the wakee may use, so that all were taken for allowed. */
    public boolean affinityAssumed() {
        return affinityAssumed;
    }

    /** From the waking record until the wakee runs. */
    public long latencyNs() {
        return latencyNs;
    }

    /** The part of the latency in which the CPU ran another task. */
    public long queueingNs() {
        return queueingNs;
    }

    /** The part of the latency in which the CPU was in an idle state; −1 without cpu_idle events. */
    public long idleExitNs() {
        return idleExitNs;
    }

    /** The rest of the latency: choosing, enqueueing, interrupts, switching. */
    public long restNs() {
        return restNs;
    }

    /** Whether {@link #costNs} is known: that needs a machine with costs and an idle CPU to cross to. */
    public boolean costKnown() {
        return costKnown;
    }

    /** Measured queueing less what crossing to the nearest idle CPU would have cost; may be negative. */
    public long costNs() {
        return costNs;
    }

    /** What crossing to the nearest idle CPU would have cost, −1 if there was none or the machine's costs are not known. */
    public long crossingNs() {
        return crossingNs;
    }

    /** Whether the wakee did run before the recording ended or events were lost. */
    public boolean ran() {
        return ran;
    }

    /** Whether the recording ended before the wakee ran. */
    public boolean cutOff() {
        return cutOff;
    }

    /** Whether the kernel had to choose a CPU, as far as known. */
    public boolean placed() {
        return verdict != Verdict.NOT_PLACED && verdict != Verdict.UNKNOWN;
    }

    /** Whether the waker gave up its CPU before the wakee was through. */
    public boolean synchronous() {
        return wakerLeft && wakerBlocked && (stintEndNs < 0 || wakerLeftNs <= stintEndNs);
    }

    /** How long the wakee ran after the wakeup until it left its CPU, −1 if that was not seen. */
    public long stintNs() {
        return ran && ranNs >= 0 && stintEndNs >= 0 ? stintEndNs - ranNs : -1;
    }

    /** How long waker and wakee ran at the same time after the wakeup. */
    public long overlapNs() {
        if (!ran || ranNs < 0 || stintEndNs < 0) {
            return -1;
        }
        long until = wakerLeft ? Math.min(wakerLeftNs, stintEndNs) : stintEndNs;
        return Math.max(0, until - ranNs);
    }

    /** How long the waker ran on after the waking record, −1 if its end was not seen. */
    public long tailNs() {
        return wakerLeft ? wakerLeftNs - ns : -1;
    }

    /** Whether {@code cpu} was idle just before. */
    public boolean wasIdle(int cpu) {
        return idle.contains(cpu);
    }

    /** Distance from the waker's CPU to the chosen one; null without topology or if one is not known. */
    public @Nullable Distance wakerToChosen(@Nullable Topology topology) {
        return distance(topology, thisCpu, chosenCpu);
    }

    /** Distance from the previous CPU to the chosen one; null without topology or if one is not known. */
    public @Nullable Distance prevToChosen(@Nullable Topology topology) {
        return distance(topology, prevCpu, chosenCpu);
    }

    private static @Nullable Distance distance(@Nullable Topology topology, int from, int to) {
        if (from < 0 || to < 0) {
            return null;
        }
        if (from == to) {
            return Distance.CPU;
        }
        return topology == null ? null : topology.distance(from, to);
    }
}
