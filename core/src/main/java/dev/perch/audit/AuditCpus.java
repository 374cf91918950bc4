package dev.perch.audit;

import java.util.Arrays;

/**
 * Every CPU of a recording as parallel arrays: what runs, how many are queued, whether it is idle and how deep, what is pending.
 *
 * <p>The busy and idle-state clocks of a CPU run on while it is in that condition; the last {@value #HISTORY} changes are kept, so that
 * the overlap with a wait can still be told when the CPU that was chosen becomes known a little later.
 */
public final class AuditCpus {
    /** {@link #current}: not seen yet, or lost. */
    static final int NOBODY_KNOWN = -1;

    private static final int HISTORY = 16;
    private static final int INITIAL = 8;

    private int size;
    /** Slot of the task that runs; 0 is the idle thread; {@link #NOBODY_KNOWN}. */
    int[] current = new int[INITIAL];
    /** Tasks on the queue that do not run. */
    int[] queued = new int[INITIAL];
    /** Wakeups on their way to this CPU: chosen, not enqueued. */
    int[] pending = new int[INITIAL];
    /** Wakeups that lie in the wake list by what the recorded interrupts tell. */
    int[] wakeList = new int[INITIAL];

    long[] idleSince = new long[INITIAL];
    /** Index of the idle state, −1 outside of any, −2 not known. */
    int[] idleState = new int[INITIAL];

    long[] switches = new long[INITIAL];
    long[] busyNs = new long[INITIAL];
    /** Busy time that is already known to be outside of the reported interval. */
    long[] busyBeforeNs = new long[INITIAL];

    /** Exactly the idle ones among those whose state is known. */
    final CpuSet idle = new CpuSet();
    /** Those of which something has been seen since the start or the last loss. */
    final CpuSet known = new CpuSet();
    /** Those with events lost since their last switch. */
    final CpuSet lost = new CpuSet();
    /** All that were ever seen. */
    final CpuSet seen = new CpuSet();

    private long[] busySum = new long[INITIAL];
    private long[] idleSum = new long[INITIAL];
    private long[] changedAt = new long[INITIAL];
    private long[] historyAt = new long[INITIAL * HISTORY];
    private long[] historyBusy = new long[INITIAL * HISTORY];
    private long[] historyIdle = new long[INITIAL * HISTORY];
    private byte[] historyCondition = new byte[INITIAL * HISTORY];
    private int[] historyNext = new int[INITIAL];

    /** Goes up with every change of any CPU. */
    long version;

    private int idleCount;
    private int waitingCount;
    private int[] waiting = new int[INITIAL];

    AuditCpus() {
        Arrays.fill(current, NOBODY_KNOWN);
        Arrays.fill(idleState, -2);
        Arrays.fill(changedAt, -1);
        Arrays.fill(historyAt, -1);
    }

    /** One more than the highest CPU seen. */
    public int size() {
        return size;
    }

    /** How many tasks run or wait on {@code cpu}; −1 if that is not known. */
    int runqueueLength(int cpu) {
        return known.contains(cpu) ? queued[cpu] + (current[cpu] > 0 ? 1 : 0) : -1;
    }

    /** How many CPUs are known to be idle. */
    int idleCount() {
        return idleCount;
    }

    /** How many tasks wait on the queues of CPUs that run others. */
    int waitingCount() {
        return waitingCount;
    }

    /** Makes room for {@code cpu}. */
    void ensure(int cpu) {
        if (cpu >= size) {
            if (cpu >= current.length) {
                grow(Math.max(cpu + 1, current.length * 2));
            }
            size = cpu + 1;
        }
        seen.add(cpu);
    }

    /** Makes room for CPUs 0 … count − 1 without having seen them. */
    void ensureAll(int count) {
        if (count > current.length) {
            grow(count);
        }
    }

    /** To be called after any change of a CPU: keeps the sets, the counts and the clocks. */
    void changed(int cpu, long ns) {
        version++;
        boolean isKnown = current[cpu] != NOBODY_KNOWN || queued[cpu] > 0;
        boolean isIdle = current[cpu] == 0 && queued[cpu] == 0 && pending[cpu] == 0;
        if (isIdle != idle.contains(cpu)) {
            idle.set(cpu, isIdle);
            idleCount += isIdle ? 1 : -1;
        }
        known.set(cpu, isKnown);
        int nowWaiting = current[cpu] > 0 ? queued[cpu] : Math.max(0, queued[cpu] - 1);
        waitingCount += nowWaiting - waiting[cpu];
        waiting[cpu] = nowWaiting;
        byte condition = condition(cpu);
        int last = lastEntry(cpu);
        if (historyAt[last] < 0 || historyCondition[last] != condition) {
            remember(cpu, ns, condition);
        }
    }

    private byte condition(int cpu) {
        if (current[cpu] > 0) {
            return 1;
        }
        return (byte) (idleState[cpu] >= 0 ? 2 : 0);
    }

    private int lastEntry(int cpu) {
        return cpu * HISTORY + (historyNext[cpu] + HISTORY - 1) % HISTORY;
    }

    private void remember(int cpu, long ns, byte condition) {
        int last = lastEntry(cpu);
        if (historyAt[last] >= 0) {
            long passed = ns - changedAt[cpu];
            busySum[cpu] += historyCondition[last] == 1 ? passed : 0;
            idleSum[cpu] += historyCondition[last] == 2 ? passed : 0;
        }
        changedAt[cpu] = ns;
        int entry = cpu * HISTORY + historyNext[cpu];
        historyAt[entry] = ns;
        historyBusy[entry] = busySum[cpu];
        historyIdle[entry] = idleSum[cpu];
        historyCondition[entry] = condition;
        historyNext[cpu] = (historyNext[cpu] + 1) % HISTORY;
    }

    /** How long the CPU had been running tasks until {@code ns}, from an arbitrary origin; −1 if that is too long ago to tell. */
    long busyUntil(int cpu, long ns) {
        return clock(cpu, ns, historyBusy, 1);
    }

    /** How long the CPU had been in idle states until {@code ns}, from an arbitrary origin; −1 if that is too long ago to tell. */
    long idleStateUntil(int cpu, long ns) {
        return clock(cpu, ns, historyIdle, 2);
    }

    private long clock(int cpu, long ns, long[] sums, int condition) {
        int base = cpu * HISTORY;
        int next = historyNext[cpu];
        for (int back = 1; back <= HISTORY; back++) {
            int entry = base + (next + HISTORY - back) % HISTORY;
            if (historyAt[entry] < 0) {
                return -1;
            }
            if (historyAt[entry] <= ns) {
                return sums[entry] + (historyCondition[entry] == condition ? ns - historyAt[entry] : 0);
            }
        }
        return -1;
    }

    private void grow(int to) {
        int from = current.length;
        current = Arrays.copyOf(current, to);
        Arrays.fill(current, from, to, NOBODY_KNOWN);
        queued = Arrays.copyOf(queued, to);
        pending = Arrays.copyOf(pending, to);
        wakeList = Arrays.copyOf(wakeList, to);
        idleSince = Arrays.copyOf(idleSince, to);
        idleState = Arrays.copyOf(idleState, to);
        Arrays.fill(idleState, from, to, -2);
        switches = Arrays.copyOf(switches, to);
        busyNs = Arrays.copyOf(busyNs, to);
        busyBeforeNs = Arrays.copyOf(busyBeforeNs, to);
        busySum = Arrays.copyOf(busySum, to);
        idleSum = Arrays.copyOf(idleSum, to);
        changedAt = Arrays.copyOf(changedAt, to);
        Arrays.fill(changedAt, from, to, -1);
        historyAt = Arrays.copyOf(historyAt, to * HISTORY);
        Arrays.fill(historyAt, from * HISTORY, to * HISTORY, -1);
        historyBusy = Arrays.copyOf(historyBusy, to * HISTORY);
        historyIdle = Arrays.copyOf(historyIdle, to * HISTORY);
        historyCondition = Arrays.copyOf(historyCondition, to * HISTORY);
        historyNext = Arrays.copyOf(historyNext, to);
        waiting = Arrays.copyOf(waiting, to);
    }
}
