package dev.perch.trace.tracedat;

import dev.perch.trace.EventKind;
import java.util.EnumMap;
import java.util.Map;

/**
 * How {@link TraceDatWriter} lays out the record of a tracepoint, and the description of it that goes into the file, in the form of tracefs'
 * {@code format} files: whoever reads the file follows the description.
 *
 * <p>Fields follow the common ones (type, flags, preempt count, pid; 8 bytes) in the order in which they are named, each aligned to its
 * size. Source of names and print formats: include/trace/events/{sched,power,ipi}.h.
 */
enum RecordLayout {
    SCHED_SWITCH(
            EventKind.SWITCH,
            "comm prev_comm,int prev_pid,int prev_prio,long prev_state,comm next_comm,int next_pid,int next_prio",
            "prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s ==> next_comm=%s next_pid=%d next_prio=%d",
            "REC->prev_comm, REC->prev_pid, REC->prev_prio, (REC->prev_state & 0xff) ? __print_flags(REC->prev_state & 0xff, \"|\","
                    + " { 0x1, \"S\" }, { 0x2, \"D\" }, { 0x4, \"T\" }, { 0x8, \"t\" }, { 0x10, \"X\" }, { 0x20, \"Z\" },"
                    + " { 0x40, \"P\" }, { 0x80, \"I\" }) : \"R\", REC->next_comm, REC->next_pid, REC->next_prio"),
    SCHED_WAKING(EventKind.WAKING, Fields.WAKEUP, Fields.WAKEUP_PRINT, Fields.WAKEUP_VALUES),
    SCHED_WAKEUP(EventKind.WAKEUP, Fields.WAKEUP, Fields.WAKEUP_PRINT, Fields.WAKEUP_VALUES),
    SCHED_WAKEUP_NEW(EventKind.WAKEUP_NEW, Fields.WAKEUP, Fields.WAKEUP_PRINT, Fields.WAKEUP_VALUES),
    SCHED_MIGRATE_TASK(
            EventKind.MIGRATE,
            "comm comm,int pid,int prio,int orig_cpu,int dest_cpu",
            "comm=%s pid=%d prio=%d orig_cpu=%d dest_cpu=%d",
            "REC->comm, REC->pid, REC->prio, REC->orig_cpu, REC->dest_cpu"),
    SCHED_PROCESS_FORK(
            EventKind.FORK,
            "comm parent_comm,int parent_pid,comm child_comm,int child_pid",
            "comm=%s pid=%d child_comm=%s child_pid=%d",
            "REC->parent_comm, REC->parent_pid, REC->child_comm, REC->child_pid"),
    SCHED_PROCESS_EXEC(
            EventKind.EXEC, "comm filename,int pid,int old_pid", "filename=%s pid=%d old_pid=%d", "REC->filename, REC->pid, REC->old_pid"),
    SCHED_PROCESS_EXIT(EventKind.EXIT, Fields.TASK, Fields.TASK_PRINT, Fields.TASK_VALUES),
    SCHED_PROCESS_FREE(EventKind.FREE, Fields.TASK, Fields.TASK_PRINT, Fields.TASK_VALUES),
    SCHED_WAKE_IDLE_WITHOUT_IPI(EventKind.WAKE_IDLE_WITHOUT_IPI, "int cpu", "cpu=%d", "REC->cpu"),
    CPU_IDLE(
            EventKind.CPU_IDLE,
            "int state,int cpu_id",
            "state=%lu cpu_id=%lu",
            "(unsigned long)REC->state, (unsigned long)REC->cpu_id"),
    CPU_FREQUENCY(
            EventKind.CPU_FREQUENCY,
            "int state,int cpu_id",
            "state=%lu cpu_id=%lu",
            "(unsigned long)REC->state, (unsigned long)REC->cpu_id"),
    IPI_SEND_CPU(EventKind.IPI_SEND, "int cpu", "cpu=%d", "REC->cpu"),
    RESCHEDULE_ENTRY(EventKind.RESCHEDULE_IPI, "int vector", "vector=%d", "REC->vector"),
    CALL_FUNCTION_SINGLE_ENTRY(EventKind.CALL_FUNCTION_IPI, "int vector", "vector=%d", "REC->vector"),
    SCHED_STAT_RUNTIME(
            EventKind.STAT_RUNTIME,
            "comm comm,int pid,long runtime",
            "comm=%s pid=%d runtime=%Lu [ns]",
            "REC->comm, REC->pid, (unsigned long long)REC->runtime");

    /** Bytes of a task's name, its final 0 included. */
    static final int COMM_BYTES = 16;

    private static final int COMMON_BYTES = 8;
    private static final int FIRST_ID = 300;
    private static final Map<EventKind, RecordLayout> BY_KIND = new EnumMap<>(EventKind.class);

    static {
        for (RecordLayout layout : values()) {
            BY_KIND.put(layout.kind, layout);
        }
    }

    /** What several tracepoints have alike. */
    private static final class Fields {
        private static final String WAKEUP = "comm comm,int pid,int prio,int target_cpu";
        private static final String WAKEUP_PRINT = "comm=%s pid=%d prio=%d target_cpu=%03d";
        private static final String WAKEUP_VALUES = "REC->comm, REC->pid, REC->prio, REC->target_cpu";
        private static final String TASK = "comm comm,int pid,int prio";
        private static final String TASK_PRINT = "comm=%s pid=%d prio=%d";
        private static final String TASK_VALUES = "REC->comm, REC->pid, REC->prio";

        private Fields() {}
    }

    private final EventKind kind;
    private final String[] fields;
    private final String print;
    private final String values;

    RecordLayout(EventKind kind, String fields, String print, String values) {
        this.kind = kind;
        this.fields = fields.split(",");
        this.print = print;
        this.values = values;
    }

    /** That of an event kind; every kind has one. */
    static RecordLayout of(EventKind kind) {
        RecordLayout layout = BY_KIND.get(kind);
        if (layout == null) {
            throw new IllegalArgumentException(kind + " has no layout");
        }
        return layout;
    }

    /** The number by which a record says what it is. */
    int id() {
        return FIRST_ID + ordinal();
    }

    /** The group of the tracepoint in tracefs. */
    String system() {
        return switch (this) {
            case CPU_IDLE, CPU_FREQUENCY -> "power";
            case IPI_SEND_CPU -> "ipi";
            case RESCHEDULE_ENTRY, CALL_FUNCTION_SINGLE_ENTRY -> "irq_vectors";
            default -> "sched";
        };
    }

    /** The next multiple of {@code size} from {@code offset} on. */
    static int align(int offset, int size) {
        return (offset + size - 1) / size * size;
    }

    /** The description, as tracefs has it. */
    String description() {
        StringBuilder text = new StringBuilder(1024)
                .append("name: ")
                .append(name().toLowerCase(java.util.Locale.ROOT))
                .append("\nID: ")
                .append(id())
                .append("\nformat:\n");
        field(text, "unsigned short common_type", 0, 2, 0);
        field(text, "unsigned char common_flags", 2, 1, 0);
        field(text, "unsigned char common_preempt_count", 3, 1, 0);
        field(text, "int common_pid", 4, 4, 1);
        text.append('\n');
        int offset = COMMON_BYTES;
        for (String field : fields) {
            String name = field.substring(field.indexOf(' ') + 1);
            switch (field.charAt(0)) {
                case 'c' -> {
                    field(text, "char " + name + '[' + COMM_BYTES + ']', offset, COMM_BYTES, 0);
                    offset += COMM_BYTES;
                }
                case 'l' -> {
                    offset = align(offset, Long.BYTES);
                    field(text, "long " + name, offset, Long.BYTES, 1);
                    offset += Long.BYTES;
                }
                default -> {
                    field(text, "int " + name, offset, Integer.BYTES, 1);
                    offset += Integer.BYTES;
                }
            }
        }
        return text.append("\nprint fmt: \"")
                .append(print)
                .append("\", ")
                .append(values)
                .append('\n')
                .toString();
    }

    private static void field(StringBuilder text, String declaration, int offset, int size, int signed) {
        text.append("\tfield:").append(declaration).append(";\toffset:").append(offset);
        text.append(";\tsize:").append(size).append(";\tsigned:").append(signed).append(";\n");
    }
}
