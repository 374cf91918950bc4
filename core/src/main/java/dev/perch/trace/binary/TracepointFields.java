package dev.perch.trace.binary;

import dev.perch.trace.EventKind;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tracepoints that are read, with the fields that are taken from them. Which bytes a field is, the recording tells.
 *
 * <p>Source: include/trace/events/{sched,power,ipi}.h and arch/x86/include/asm/trace/irq_vectors.h, Linux 2.6.39 to 6.18.
 */
public enum TracepointFields {
    SCHED_SWITCH(
            EventKind.SWITCH,
            3,
            taken("prev_pid", "next_pid", "prev_state", "prev_prio", "next_prio"),
            named("prev_pid", "prev_comm", "next_pid", "next_comm")),
    SCHED_WAKING(EventKind.WAKING, 2, taken("pid", "target_cpu", "prio", "success"), named("pid", "comm")),
    SCHED_WAKEUP(EventKind.WAKEUP, 2, taken("pid", "target_cpu", "prio", "success"), named("pid", "comm")),
    SCHED_WAKEUP_NEW(EventKind.WAKEUP_NEW, 2, taken("pid", "target_cpu", "prio", "success"), named("pid", "comm")),
    SCHED_MIGRATE_TASK(EventKind.MIGRATE, 3, taken("pid", "orig_cpu", "dest_cpu", "prio"), named("pid", "comm")),
    SCHED_PROCESS_FORK(
            EventKind.FORK,
            2,
            taken("parent_pid", "child_pid"),
            named("parent_pid", "parent_comm", "child_pid", "child_comm")),
    SCHED_PROCESS_EXEC(EventKind.EXEC, 1, taken("pid", "old_pid"), named()),
    SCHED_PROCESS_EXIT(EventKind.EXIT, 1, taken("pid", "prio"), named("pid", "comm")),
    SCHED_PROCESS_FREE(EventKind.FREE, 1, taken("pid"), named("pid", "comm")),
    SCHED_WAKE_IDLE_WITHOUT_IPI(EventKind.WAKE_IDLE_WITHOUT_IPI, 1, taken("cpu"), named()),
    CPU_IDLE(EventKind.CPU_IDLE, 1, taken("state", "cpu_id"), named()),
    CPU_FREQUENCY(EventKind.CPU_FREQUENCY, 1, taken("state", "cpu_id"), named()),
    IPI_SEND_CPU(EventKind.IPI_SEND, 1, taken("cpu"), named()),
    IPI_SEND_CPUMASK(EventKind.IPI_SEND, 0, taken(), named()),
    RESCHEDULE_ENTRY(EventKind.RESCHEDULE_IPI, 0, taken(), named()),
    CALL_FUNCTION_ENTRY(EventKind.CALL_FUNCTION_IPI, 0, taken(), named()),
    CALL_FUNCTION_SINGLE_ENTRY(EventKind.CALL_FUNCTION_IPI, 0, taken(), named()),
    SCHED_STAT_RUNTIME(EventKind.STAT_RUNTIME, 2, taken("pid", "runtime"), named("pid", "comm"));

    private static final Map<String, TracepointFields> BY_NAME = new HashMap<>();

    static {
        for (TracepointFields tracepoint : values()) {
            BY_NAME.put(tracepoint.eventName(), tracepoint);
        }
    }

    private final EventKind kind;
    private final int required;
    private final String[] fields;
    private final String[] names;
    private final String[] namedPids;

    TracepointFields(EventKind kind, int required, String[] fields, String[] pidsAndNames) {
        this.kind = kind;
        this.required = required;
        this.fields = fields;
        names = new String[pidsAndNames.length / 2];
        namedPids = new String[names.length];
        for (int i = 0; i < names.length; i++) {
            namedPids[i] = pidsAndNames[2 * i];
            names[i] = pidsAndNames[2 * i + 1];
        }
    }

    private static String[] taken(String... names) {
        return names;
    }

    private static String[] named(String... pidsAndNames) {
        return pidsAndNames;
    }

    /** The tracepoint called {@code name}, or null if it is none of these. */
    public static @Nullable TracepointFields called(String name) {
        return BY_NAME.get(name);
    }

    /** What the kernel calls it. */
    public String eventName() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }

    public EventKind kind() {
        return kind;
    }

    /** How many of {@link #fields}, from the first, an event cannot do without. */
    public int required() {
        return required;
    }

    /** The numbers that are taken, in the order in which {@link PackedEvents#add} knows them. */
    public String[] fields() {
        return fields.clone();
    }

    /** Fields that name tasks. */
    public String[] names() {
        return names.clone();
    }

    /** The pid that each of {@link #names} names. */
    public String[] namedPids() {
        return namedPids.clone();
    }
}
