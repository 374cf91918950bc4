package dev.perch.trace;

import dev.perch.model.SchedEvents;
import dev.perch.model.TaskState;

/**
 * Puts events in order of time when they come nearly in order: each is held back until {@code window} others have come after it.
 *
 * <p>Events of equal times keep the order in which they came. An event that is older than one already passed on cannot be placed any
 * more: it is left out, counted as {@link DefectKind#OUT_OF_ORDER}, and reported as a lost event of its CPU, so that nobody trusts that
 * CPU's state.
 *
 * <p>Memory is fixed: the window times 44 bytes. Nothing is allocated per event; an event in order costs one copy in and out, one that is
 * late by n events n moves of an index.
 */
final class EventSorter implements SchedEvents {
    /** Events held back by readers of text. */
    static final int WINDOW = 4096;

    private static final TaskState[] STATES = TaskState.values();
    private static final EventKind[] KINDS = EventKind.values();
    private static final int LOST = KINDS.length;

    /** Words of one event: time; kind, state or context, cpu; four ints; a long. */
    private static final int STRIDE = 5;

    private final SchedEvents sink;
    private final Defects defects;
    private final int mask;
    private final long[] words;
    /** Slots in order of time, a ring from {@code head} to {@code tail}; the rest are free slots. */
    private final int[] order;

    private long head;
    private long tail;
    private long newestNs = Long.MIN_VALUE;
    private long passedNs = Long.MIN_VALUE;
    private long place = -1;

    /**
     * @param window how many events are held back, a power of two
     * @param defects takes note of events that come too late
     */
    EventSorter(SchedEvents sink, int window, Defects defects) {
        if (Integer.bitCount(window) != 1) {
            throw new IllegalArgumentException("window " + window + " is not a power of two");
        }
        this.sink = sink;
        this.defects = defects;
        mask = window - 1;
        words = new long[window * STRIDE];
        order = new int[window];
        for (int i = 0; i < window; i++) {
            order[i] = i;
        }
    }

    /** Where the events that follow stand in the recording, for the report of defects. */
    void place(long where) {
        place = where;
    }

    /** Passes on all that is held back. */
    void flush() {
        while (head < tail) {
            pass();
        }
    }

    /** Passes on what is older than {@code ns}, for a source that promises to bring nothing older any more. */
    void flushBefore(long ns) {
        while (head < tail && words[order[(int) head & mask] * STRIDE] < ns) {
            pass();
        }
    }

    private void add(long ns, int kind, int detail, int cpu, int a, int b, int c, int d, long value) {
        if (tail - head > mask) {
            pass();
        }
        if (ns < newestNs) {
            if (ns < passedNs) {
                defects.add(DefectKind.OUT_OF_ORDER, place);
                sink.lost(passedNs, cpu, kind == LOST ? value : 1);
                return;
            }
        } else {
            newestNs = ns;
        }
        int slot = order[(int) tail & mask];
        long position = tail;
        while (position > head && words[order[(int) (position - 1) & mask] * STRIDE] > ns) {
            order[(int) position & mask] = order[(int) (position - 1) & mask];
            position--;
        }
        order[(int) position & mask] = slot;
        tail++;
        int at = slot * STRIDE;
        words[at] = ns;
        words[at + 1] = (long) cpu << 32 | detail << 8 | kind;
        words[at + 2] = (long) a << 32 | b & 0xffffffffL;
        words[at + 3] = (long) c << 32 | d & 0xffffffffL;
        words[at + 4] = value;
    }

    private void pass() {
        int at = order[(int) head & mask] * STRIDE;
        head++;
        long ns = words[at];
        passedNs = ns;
        long what = words[at + 1];
        int cpu = (int) (what >> 32);
        int detail = (int) what >>> 8 & 0xff;
        int kind = (int) what & 0xff;
        long ab = words[at + 2];
        int a = (int) (ab >> 32);
        int b = (int) ab;
        long cd = words[at + 3];
        int c = (int) (cd >> 32);
        int d = (int) cd;
        if (kind == LOST) {
            sink.lost(ns, cpu, words[at + 4]);
            return;
        }
        switch (KINDS[kind]) {
            case SWITCH -> sink.switched(ns, cpu, a, b, STATES[detail], c, d);
            case WAKING -> sink.waking(ns, cpu, a, detail, b, c, d);
            case WAKEUP -> sink.wakeup(ns, cpu, a, detail, b, c, d);
            case WAKEUP_NEW -> sink.wakeupNew(ns, cpu, a, detail, b, c, d);
            case MIGRATE -> sink.migrated(ns, cpu, a, b, c, d, (int) words[at + 4]);
            case FORK -> sink.forked(ns, cpu, a, b);
            case EXEC -> sink.exec(ns, cpu, a, b);
            case EXIT -> sink.exited(ns, cpu, a, b);
            case FREE -> sink.freed(ns, cpu, a);
            case WAKE_IDLE_WITHOUT_IPI -> sink.wakeIdleWithoutIpi(ns, cpu, a);
            case CPU_IDLE -> sink.idle(ns, cpu, a);
            case CPU_FREQUENCY -> sink.frequency(ns, cpu, a);
            case IPI_SEND -> sink.ipiSent(ns, cpu, a);
            case RESCHEDULE_IPI -> sink.rescheduleIpi(ns, cpu);
            case CALL_FUNCTION_IPI -> sink.callFunctionIpi(ns, cpu);
            case STAT_RUNTIME -> sink.runtime(ns, cpu, a, words[at + 4]);
        }
    }

    @Override
    public void switched(long ns, int cpu, int prev, int prevPrio, TaskState prevState, int next, int nextPrio) {
        add(ns, EventKind.SWITCH.ordinal(), prevState.ordinal(), cpu, prev, prevPrio, next, nextPrio, 0);
    }

    @Override
    public void waking(long ns, int cpu, int current, int context, int wakee, int prio, int prevCpu) {
        add(ns, EventKind.WAKING.ordinal(), context, cpu, current, wakee, prio, prevCpu, 0);
    }

    @Override
    public void wakeup(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        add(ns, EventKind.WAKEUP.ordinal(), context, cpu, current, wakee, prio, targetCpu, 0);
    }

    @Override
    public void wakeupNew(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        add(ns, EventKind.WAKEUP_NEW.ordinal(), context, cpu, current, wakee, prio, targetCpu, 0);
    }

    @Override
    public void migrated(long ns, int cpu, int current, int task, int prio, int fromCpu, int toCpu) {
        add(ns, EventKind.MIGRATE.ordinal(), 0, cpu, current, task, prio, fromCpu, toCpu);
    }

    @Override
    public void forked(long ns, int cpu, int parent, int child) {
        add(ns, EventKind.FORK.ordinal(), 0, cpu, parent, child, 0, 0, 0);
    }

    @Override
    public void exec(long ns, int cpu, int pid, int oldPid) {
        add(ns, EventKind.EXEC.ordinal(), 0, cpu, pid, oldPid, 0, 0, 0);
    }

    @Override
    public void exited(long ns, int cpu, int pid, int prio) {
        add(ns, EventKind.EXIT.ordinal(), 0, cpu, pid, prio, 0, 0, 0);
    }

    @Override
    public void freed(long ns, int cpu, int pid) {
        add(ns, EventKind.FREE.ordinal(), 0, cpu, pid, 0, 0, 0, 0);
    }

    @Override
    public void wakeIdleWithoutIpi(long ns, int cpu, int targetCpu) {
        add(ns, EventKind.WAKE_IDLE_WITHOUT_IPI.ordinal(), 0, cpu, targetCpu, 0, 0, 0, 0);
    }

    @Override
    public void idle(long ns, int cpu, int state) {
        add(ns, EventKind.CPU_IDLE.ordinal(), 0, cpu, state, 0, 0, 0, 0);
    }

    @Override
    public void frequency(long ns, int cpu, int khz) {
        add(ns, EventKind.CPU_FREQUENCY.ordinal(), 0, cpu, khz, 0, 0, 0, 0);
    }

    @Override
    public void ipiSent(long ns, int cpu, int targetCpu) {
        add(ns, EventKind.IPI_SEND.ordinal(), 0, cpu, targetCpu, 0, 0, 0, 0);
    }

    @Override
    public void rescheduleIpi(long ns, int cpu) {
        add(ns, EventKind.RESCHEDULE_IPI.ordinal(), 0, cpu, 0, 0, 0, 0, 0);
    }

    @Override
    public void callFunctionIpi(long ns, int cpu) {
        add(ns, EventKind.CALL_FUNCTION_IPI.ordinal(), 0, cpu, 0, 0, 0, 0, 0);
    }

    @Override
    public void runtime(long ns, int cpu, int pid, long runtimeNs) {
        add(ns, EventKind.STAT_RUNTIME.ordinal(), 0, cpu, pid, 0, 0, 0, runtimeNs);
    }

    @Override
    public void lost(long ns, int cpu, long count) {
        add(ns, LOST, 0, cpu, 0, 0, 0, 0, count);
    }
}
