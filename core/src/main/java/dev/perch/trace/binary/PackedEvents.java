package dev.perch.trace.binary;

import dev.perch.model.CpuMask;
import dev.perch.model.SchedEvents;
import dev.perch.trace.EventKind;

/**
 * Events of all kinds as {@value #WORDS} words each, so that they can be kept and sorted without an object for each.
 *
 * <pre>
 *   word 0  time, ns
 *   word 1  kind (8 bits) | context (8) | cpu (16) | current (32)
 *   word 2  first two numbers of the event (32 bits each), or one of 64
 *   word 3  the next two
 *   word 4  the last two
 * </pre>
 */
public final class PackedEvents {
    /** Words an event. */
    public static final int WORDS = 5;

    /** Number of the kind that is none of {@link EventKind}: events were lost. */
    static final int LOST = 255;

    private static final EventKind[] KINDS = EventKind.values();

    // The bits of common_flags: include/linux/trace_events.h, enum trace_flag_type (hardirq and softirq have never
    // moved).
    private static final int FLAG_HARDIRQ = 0x08;
    private static final int FLAG_SOFTIRQ = 0x10;

    private PackedEvents() {}

    /** The context that an event's {@code common_flags} tell. */
    public static int context(int flags) {
        return ((flags & FLAG_HARDIRQ) != 0 ? SchedEvents.IN_HARDIRQ : 0)
                | ((flags & FLAG_SOFTIRQ) != 0 ? SchedEvents.IN_SOFTIRQ : 0);
    }

    /**
     * Adds an event to {@code lane}.
     *
     * @param values its numbers in the order of {@link TracepointFields#fields}, −1 for those that it does not have
     * @param current pid of the task in whose context it happened, −1 if that is not known
     * @return false if a CPU number is none
     */
    public static boolean add(
            EventLane lane, EventKind kind, long[] values, long ns, int cpu, int current, int context) {
        long meta = meta(kind, context, cpu, current);
        switch (kind) {
            case SWITCH -> lane.add(ns, meta, pair(values[0], values[3]), pair(values[1], values[4]), values[2]);
            case WAKING, WAKEUP, WAKEUP_NEW -> {
                if (!isCpu(values[1])) {
                    return false;
                }
                // Kernels up to 3.12 also record attempts that woke nobody.
                if (values[3] != 0) {
                    lane.add(ns, meta, pair(values[0], values[2]), values[1], 0);
                }
            }
            case MIGRATE -> {
                if (!isCpu(values[1]) || !isCpu(values[2])) {
                    return false;
                }
                lane.add(ns, meta, pair(values[0], values[3]), pair(values[1], values[2]), 0);
            }
            case FORK, EXEC, EXIT -> lane.add(ns, meta, pair(values[0], values[1]), 0, 0);
            case FREE -> lane.add(ns, meta, pair(values[0], 0), 0, 0);
            case WAKE_IDLE_WITHOUT_IPI, IPI_SEND -> {
                if (!isCpu(values[0])) {
                    return false;
                }
                lane.add(ns, meta, pair(values[0], 0), 0, 0);
            }
            case CPU_IDLE, CPU_FREQUENCY -> {
                long which = values[1] < 0 ? cpu : values[1];
                if (!isCpu(which)) {
                    return false;
                }
                lane.add(ns, meta, pair(which, values[0]), 0, 0);
            }
            case RESCHEDULE_IPI, CALL_FUNCTION_IPI -> lane.add(ns, meta, 0, 0, 0);
            case STAT_RUNTIME -> lane.add(ns, meta, pair(values[0], 0), values[1], 0);
        }
        return true;
    }

    private static boolean isCpu(long cpu) {
        return cpu >= 0 && cpu < CpuMask.MAX_CPUS;
    }

    /** Word 1. */
    public static long meta(EventKind kind, int context, int cpu, int current) {
        return meta(kind.ordinal(), context, cpu, current);
    }

    private static long meta(int kind, int context, int cpu, int current) {
        return kind | (long) context << 8 | (long) cpu << 16 | (long) current << 32;
    }

    /** Word 1 of a loss of events on {@code cpu}; word 2 is their number. */
    public static long lostMeta(int cpu) {
        return meta(LOST, SchedEvents.CONTEXT_UNKNOWN, cpu, -1);
    }

    /** Two numbers in one word. */
    static long pair(long first, long second) {
        return first & 0xffffffffL | second << 32;
    }

    static int cpu(long meta) {
        return (int) (meta >>> 16) & 0xffff;
    }

    /** Passes the event at {@code words[at]} on to {@code sink}. */
    static void emit(long[] words, int at, StateNumbers states, SchedEvents sink) {
        long ns = words[at];
        long meta = words[at + 1];
        long a = words[at + 2];
        long b = words[at + 3];
        int kind = (int) meta & 0xff;
        int context = (int) (meta >>> 8) & 0xff;
        int cpu = cpu(meta);
        int current = (int) (meta >>> 32);
        int first = (int) a;
        int second = (int) (a >>> 32);
        int third = (int) b;
        if (kind == LOST) {
            sink.lost(ns, cpu, a);
            return;
        }
        switch (KINDS[kind]) {
            case SWITCH -> sink.switched(ns, cpu, first, second, states.state(words[at + 4]), third, (int) (b >>> 32));
            case WAKING -> sink.waking(ns, cpu, current, context, first, second, third);
            case WAKEUP -> sink.wakeup(ns, cpu, current, context, first, second, third);
            case WAKEUP_NEW -> sink.wakeupNew(ns, cpu, current, context, first, second, third);
            case MIGRATE -> sink.migrated(ns, cpu, current, first, second, third, (int) (b >>> 32));
            case FORK -> sink.forked(ns, cpu, first, second);
            case EXEC -> sink.exec(ns, cpu, first, second);
            case EXIT -> sink.exited(ns, cpu, first, second);
            case FREE -> sink.freed(ns, cpu, first);
            case WAKE_IDLE_WITHOUT_IPI -> sink.wakeIdleWithoutIpi(ns, cpu, first);
            case CPU_IDLE -> sink.idle(ns, first, second);
            case CPU_FREQUENCY -> sink.frequency(ns, first, second);
            case IPI_SEND -> sink.ipiSent(ns, cpu, first);
            case RESCHEDULE_IPI -> sink.rescheduleIpi(ns, cpu);
            case CALL_FUNCTION_IPI -> sink.callFunctionIpi(ns, cpu);
            case STAT_RUNTIME -> sink.runtime(ns, cpu, first, b);
        }
    }
}
