package dev.perch.trace.binary;

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

    private PackedEvents() {}

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
    public static long pair(int first, int second) {
        return first & 0xffffffffL | (long) second << 32;
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
