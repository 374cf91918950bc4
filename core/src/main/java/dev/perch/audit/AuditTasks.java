package dev.perch.audit;

import dev.perch.model.CpuMask;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Every task of a recording as parallel arrays indexed by slot: where it is, what it waits for, and what it has used.
 *
 * <p>A pid that is given to another task gets a new slot; the old one keeps its numbers and its name. Slot 0 is the idle threads.
 */
public final class AuditTasks {
    /** Nothing has been seen that tells. */
    static final byte UNSEEN = 0;
    /** Off its queue. */
    static final byte ASLEEP = 1;
    /** A waking record was seen, the task is not on a queue yet. */
    static final byte WAKING = 2;
    /** On the queue of {@link #cpu}, not running. */
    static final byte QUEUED = 3;
    /** Running on {@link #cpu}. */
    static final byte RUNNING = 4;
    /** It has ended. */
    static final byte DEAD = 5;

    private static final int NICE_0_PRIO = 120;
    private static final long NEVER = -1;
    /** One second: how long it takes until a count of wakee flips halves. */
    private static final long FLIP_DECAY_NS = 1_000_000_000L;

    private final TaskNames names;
    private final PidTable slots = new PidTable();
    private final Map<Integer, CpuMask> givenAffinity;
    private final byte[] nameBytes = new byte[PerCpuThreadName.LENGTH];
    private int size;

    int[] pid = new int[64];
    int[] prio = new int[64];
    byte[] state = new byte[64];
    /** The CPU on whose queue the task is or last was, −1 if not known. */
    int[] cpu = new int[64];
    /** The CPU it was on before the last placement, −1 if not known. */
    int[] recentCpu = new int[64];
    /** When it began to run, −1 if that was not seen. */
    long[] runningSince = new long[64];
    /** When it last left its CPU, −1 if that was not seen. */
    long[] leftAt = new long[64];
    /** When it became runnable, −1 if that was not seen. */
    long[] readySince = new long[64];
    /** Whether {@link #readySince} is a wakeup; otherwise it gave way. */
    boolean[] readyByWakeup = new boolean[64];
    /** The state it left its CPU in. */
    TaskState[] leftState = new TaskState[64];
    /** The CPU from which a sleeping task was last moved without a waking record, −1 if none. */
    int[] movedFrom = new int[64];

    /** The CPU to whose queue a running task was moved before it had left its CPU, −1 if none. */
    int[] movedTo = new int[64];

    int[] wakeeFlips = new int[64];
    int[] lastWakee = new int[64];
    long[] flipDecayNs = new long[64];
    /** Known affinity, null if none is. */
    @Nullable
    CpuMask[] allowed = new CpuMask[64];
    /** CPUs the task has been seen on. */
    CpuSet[] seenOn = new CpuSet[64];

    @Nullable
    String[] finalName = new String[64];

    private int[] finalBound = new int[64];
    /** Wakeups of the task that have not been reported yet, newest first. */
    @Nullable
    Wakeup[] pending = new Wakeup[64];

    long[] runNs = new long[64];
    long[] switchesIn = new long[64];
    /** Waits from a wakeup to running. */
    long[] delays = new long[64];

    long[] delaySumNs = new long[64];
    long[] delayMaxNs = new long[64];
    /** Waits after having given way. */
    long[] preemptions = new long[64];

    long[] preemptedNs = new long[64];
    long[] preemptedMaxNs = new long[64];
    /** Sleeping and waiting together: from leaving a CPU until running again. */
    long[] offCpuNs = new long[64];

    long[] migrations = new long[64];
    long[] wakeups = new long[64];
    /** Waits that the end of the recording cut off. */
    boolean[] cutOff = new boolean[64];

    private boolean[] exited = new boolean[64];
    /** No task with another priority than that of nice 0 has been seen. */
    boolean allNice0 = true;

    AuditTasks(TaskNames names, Map<Integer, CpuMask> givenAffinity) {
        this.names = names;
        this.givenAffinity = new HashMap<>(givenAffinity);
        add(0);
    }

    /** Number of slots, the idle one included. */
    public int size() {
        return size;
    }

    public int pid(int slot) {
        return pid[slot];
    }

    /** What the task is or was called. */
    public String name(int slot) {
        String known = finalName[slot];
        return known != null ? known : names.nameOf(pid[slot]);
    }

    /** The slot of the task that has {@code taskPid} now, made if need be. */
    int slot(int taskPid) {
        int slot = slots.get(taskPid);
        return slot >= 0 ? slot : add(taskPid);
    }

    /** The slot of {@code taskPid}, or −1 if it was never seen. */
    int find(int taskPid) {
        return slots.get(taskPid);
    }

    /** A new task has {@code taskPid} from now on. */
    int renew(int taskPid) {
        int old = slots.get(taskPid);
        if (old >= 0 && state[old] == UNSEEN && !exited[old]) {
            return old;
        }
        return add(taskPid);
    }

    /** Whether the task is on its way out or gone. */
    boolean isExited(int slot) {
        return exited[slot];
    }

    /** The task will not come back; its name is kept, since the pid may get another one. */
    void exited(int slot) {
        exited[slot] = true;
        finalBound[slot] = PerCpuThreadName.cpu(nameBytes, nameInto(slot));
        finalName[slot] = names.nameOf(pid[slot]);
    }

    private int add(int taskPid) {
        if (size == pid.length) {
            grow();
        }
        int slot = size++;
        slots.put(taskPid, slot);
        pid[slot] = taskPid;
        prio[slot] = -1;
        cpu[slot] = -1;
        recentCpu[slot] = -1;
        runningSince[slot] = NEVER;
        leftAt[slot] = NEVER;
        readySince[slot] = NEVER;
        leftState[slot] = TaskState.UNKNOWN;
        movedFrom[slot] = -1;
        movedTo[slot] = -1;
        lastWakee[slot] = -1;
        seenOn[slot] = new CpuSet();
        allowed[slot] = givenAffinity.isEmpty() ? null : givenAffinity.get(taskPid);
        return slot;
    }

    /**
     * The CPU that a per-CPU kernel thread is bound to, by the name that the kernel gives it ({@code ksoftirqd/3}, {@code kworker/3:1});
     * −1 for others and for one that was seen elsewhere.
     */
    int boundByName(int slot) {
        int bound = finalName[slot] != null ? finalBound[slot] : PerCpuThreadName.cpu(nameBytes, nameInto(slot));
        return bound >= 0 && seenOn[slot].holdsOnly(bound) ? bound : -1;
    }

    private int nameInto(int slot) {
        return names.copyName(pid[slot], nameBytes, 0, nameBytes.length);
    }

    /** The CPUs that the task may use as far as known, or null. */
    @Nullable
    CpuMask affinity(int slot) {
        return allowed[slot];
    }

    /** The task has this priority, if {@code recorded} is one. */
    void setPrio(int slot, int recorded) {
        if (recorded >= 0) {
            prio[slot] = recorded;
            allNice0 &= recorded == NICE_0_PRIO;
        }
    }

    /** The waker's history of wakees changes ({@code record_wakee}, 3.12 and later). */
    void recordWakee(int waker, int wakee, long ns) {
        if (ns >= flipDecayNs[waker] + FLIP_DECAY_NS) {
            wakeeFlips[waker] >>= 1;
            flipDecayNs[waker] = ns;
        }
        if (lastWakee[waker] != wakee) {
            lastWakee[waker] = wakee;
            wakeeFlips[waker]++;
        }
    }

    private void grow() {
        int to = size * 2;
        pid = Arrays.copyOf(pid, to);
        prio = Arrays.copyOf(prio, to);
        state = Arrays.copyOf(state, to);
        cpu = Arrays.copyOf(cpu, to);
        recentCpu = Arrays.copyOf(recentCpu, to);
        runningSince = Arrays.copyOf(runningSince, to);
        leftAt = Arrays.copyOf(leftAt, to);
        readySince = Arrays.copyOf(readySince, to);
        readyByWakeup = Arrays.copyOf(readyByWakeup, to);
        leftState = Arrays.copyOf(leftState, to);
        movedFrom = Arrays.copyOf(movedFrom, to);
        movedTo = Arrays.copyOf(movedTo, to);
        wakeeFlips = Arrays.copyOf(wakeeFlips, to);
        lastWakee = Arrays.copyOf(lastWakee, to);
        flipDecayNs = Arrays.copyOf(flipDecayNs, to);
        allowed = Arrays.copyOf(allowed, to);
        seenOn = Arrays.copyOf(seenOn, to);
        finalName = Arrays.copyOf(finalName, to);
        finalBound = Arrays.copyOf(finalBound, to);
        pending = Arrays.copyOf(pending, to);
        runNs = Arrays.copyOf(runNs, to);
        switchesIn = Arrays.copyOf(switchesIn, to);
        delays = Arrays.copyOf(delays, to);
        delaySumNs = Arrays.copyOf(delaySumNs, to);
        delayMaxNs = Arrays.copyOf(delayMaxNs, to);
        preemptions = Arrays.copyOf(preemptions, to);
        preemptedNs = Arrays.copyOf(preemptedNs, to);
        preemptedMaxNs = Arrays.copyOf(preemptedMaxNs, to);
        offCpuNs = Arrays.copyOf(offCpuNs, to);
        migrations = Arrays.copyOf(migrations, to);
        wakeups = Arrays.copyOf(wakeups, to);
        cutOff = Arrays.copyOf(cutOff, to);
        exited = Arrays.copyOf(exited, to);
    }
}
