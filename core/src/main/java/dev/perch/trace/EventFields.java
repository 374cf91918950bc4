package dev.perch.trace;

import dev.perch.model.CpuMask;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;

/**
 * The fields of the events in text: one small method a tracepoint, which reads them and passes the event on.
 *
 * <p>Two ways of writing are understood: the kernel's ({@code comm=x pid=1 …}, also trace-cmd's raw numbers), and the short one of
 * libtraceevent's plugins ({@code x:1 [120] CPU:000}). Names longer than the kernel's 15 bytes, and bytes after the last field (perf's
 * addresses), are accepted only if nothing else fits.
 *
 * <p>Source: include/trace/events/sched.h, power.h, ipi.h and arch/x86/include/asm/trace/irq_vectors.h, 2.6.39 to 6.18.
 */
final class EventFields {
    /** How the fields of an event turned out. */
    enum Outcome {
        PASSED_ON,
        /** An event that is none of those to be passed on, such as a wakeup of an old kernel that woke nobody. */
        NOTHING,
        UNREADABLE
    }

    private static final byte[] FAILED_TO_PARSE = TextCursor.literal("[FAILED TO PARSE] ");
    private static final byte[] COMM = TextCursor.literal("comm=");
    private static final byte[] PARENT_COMM = TextCursor.literal("parent_comm=");
    private static final byte[] CHILD_COMM = TextCursor.literal(" child_comm=");
    private static final byte[] PID = TextCursor.literal(" pid=");
    private static final byte[] PARENT_PID = TextCursor.literal(" parent_pid=");
    private static final byte[] CHILD_PID = TextCursor.literal(" child_pid=");
    private static final byte[] OLD_PID = TextCursor.literal(" old_pid=");
    private static final byte[] PRIO = TextCursor.literal(" prio=");
    private static final byte[] GROUP_DEAD = TextCursor.literal(" group_dead=");
    private static final byte[] SUCCESS = TextCursor.literal(" success=");
    private static final byte[] TARGET_CPU = TextCursor.literal(" target_cpu=");
    private static final byte[] SHORT_CPU = TextCursor.literal(" CPU:");
    private static final byte[] ORIG_CPU = TextCursor.literal(" orig_cpu=");
    private static final byte[] DEST_CPU = TextCursor.literal(" dest_cpu=");
    private static final byte[] RUNTIME = TextCursor.literal(" runtime=");
    private static final byte[] UNIT = TextCursor.literal(" [ns]");
    private static final byte[] VRUNTIME = TextCursor.literal(" vruntime=");
    private static final byte[] FILENAME = TextCursor.literal("filename=");
    private static final byte[] CPU = TextCursor.literal("cpu=");
    private static final byte[] STATE = TextCursor.literal("state=");
    private static final byte[] CPU_ID = TextCursor.literal(" cpu_id=");
    private static final byte[] CPUMASK = TextCursor.literal("cpumask=");
    private static final byte[] TARGET_MASK = TextCursor.literal("target_mask=");
    private static final byte[] RESCHEDULING = TextCursor.literal("(Rescheduling interrupts)");
    private static final byte[] FUNCTION_CALL = TextCursor.literal("(Function call interrupts)");
    private static final byte[] COLON = TextCursor.literal(":");
    private static final byte[] BRACKET = TextCursor.literal(" [");

    /** How {@code cpu_idle} says that the CPU leaves idle: −1 as an unsigned number of 32 bits. */
    private static final long LEAVES_IDLE = 0xffffffffL;

    private final FieldCursor at;
    private final SwitchFields schedSwitch;
    private final SchedEvents events;

    EventFields(SchedEvents events, TaskNames names) {
        this.events = events;
        at = new FieldCursor(names);
        schedSwitch = new SwitchFields(at);
    }

    /** How this reads sched_switch, with what it had to assume. */
    SwitchFields schedSwitch() {
        return schedSwitch;
    }

    /**
     * Reads the fields of one event.
     *
     * @param record the line up to the fields
     * @param end after the last byte of the fields
     * @param joined whether the line was put together from several, because names may hold newlines; only what is certain is then believed
     */
    Outcome read(Tracepoint tracepoint, RecordPrefix record, int end, boolean joined) {
        at.set(record.cursor.bytes, record.bodyFrom, end);
        at.skip(FAILED_TO_PARSE);
        int start = at.pos;
        at.believe(FieldCursor.KERNEL_NAME, true);
        Outcome outcome = read(tracepoint, record);
        if (outcome == Outcome.UNREADABLE && !joined) {
            at.believe(FieldCursor.KERNEL_NAME, false);
            at.pos = start;
            outcome = read(tracepoint, record);
            if (outcome == Outcome.UNREADABLE) {
                at.believe(FieldCursor.LONGEST_NAME, false);
                at.pos = start;
                outcome = read(tracepoint, record);
            }
        }
        return outcome;
    }

    private Outcome read(Tracepoint tracepoint, RecordPrefix record) {
        return switch (tracepoint) {
            case SCHED_SWITCH -> passedOn(schedSwitch.read(record, events));
            case SCHED_WAKING, SCHED_WAKEUP, SCHED_WAKEUP_NEW -> schedWakeup(tracepoint, record);
            case SCHED_MIGRATE_TASK -> passedOn(schedMigrateTask(record));
            case SCHED_PROCESS_FORK -> passedOn(schedProcessFork(record));
            case SCHED_PROCESS_EXEC -> passedOn(schedProcessExec(record));
            case SCHED_PROCESS_EXIT, SCHED_PROCESS_FREE -> passedOn(schedProcessEnd(tracepoint, record));
            case SCHED_WAKE_IDLE_WITHOUT_IPI -> passedOn(schedWakeIdleWithoutIpi(record));
            case SCHED_STAT_RUNTIME -> passedOn(schedStatRuntime(record));
            case CPU_IDLE -> passedOn(cpuIdle(record));
            case CPU_FREQUENCY -> passedOn(cpuFrequency(record));
            case RESCHEDULE_ENTRY -> passedOn(rescheduleEntry(record));
            case CALL_FUNCTION_ENTRY, CALL_FUNCTION_SINGLE_ENTRY -> passedOn(callFunctionEntry(record));
            case IPI_SEND_CPU -> passedOn(ipiSendCpu(record));
            case IPI_SEND_CPUMASK -> passedOn(ipiSendCpumask(record));
            case IPI_RAISE -> passedOn(ipiRaise(record));
            case IPI_ENTRY -> ipiEntry(record);
        };
    }

    private static Outcome passedOn(boolean read) {
        return read ? Outcome.PASSED_ON : Outcome.UNREADABLE;
    }

    private Outcome schedWakeup(Tracepoint tracepoint, RecordPrefix record) {
        boolean fields = at.skip(COMM);
        if (!fields) {
            at.pos = record.bareNameFrom;
        }
        byte[] label = fields ? PID : COLON;
        int nameFrom = at.pos;
        int nameTo = at.nextEnd(label, nameFrom, nameFrom);
        while (nameTo >= 0) {
            at.pos = nameTo;
            if (at.pidField(label)) {
                int pid = at.field;
                if (at.field(fields ? PRIO : BRACKET) && (fields || at.skip(']'))) {
                    int prio = at.field;
                    boolean succeeded = !at.field(SUCCESS) || at.field != 0;
                    if (at.cpuField(fields ? TARGET_CPU : SHORT_CPU) && at.ends()) {
                        at.name(pid, nameFrom, nameTo);
                        return succeeded ? wakeup(tracepoint, record, pid, prio, at.field) : Outcome.NOTHING;
                    }
                }
            }
            nameTo = at.nextEnd(label, nameFrom, nameTo + 1);
        }
        return Outcome.UNREADABLE;
    }

    private Outcome wakeup(Tracepoint tracepoint, RecordPrefix record, int pid, int prio, int cpu) {
        if (tracepoint == Tracepoint.SCHED_WAKING) {
            events.waking(record.time, record.cpu, record.current, record.context, pid, prio, cpu);
        } else if (tracepoint == Tracepoint.SCHED_WAKEUP) {
            events.wakeup(record.time, record.cpu, record.current, record.context, pid, prio, cpu);
        } else {
            events.wakeupNew(record.time, record.cpu, record.current, record.context, pid, prio, cpu);
        }
        return Outcome.PASSED_ON;
    }

    private boolean schedMigrateTask(RecordPrefix record) {
        if (!at.skip(COMM)) {
            return false;
        }
        int nameFrom = at.pos;
        int nameTo = at.nextEnd(PID, nameFrom, nameFrom);
        while (nameTo >= 0) {
            at.pos = nameTo;
            if (at.pidField(PID)) {
                int pid = at.field;
                if (at.field(PRIO)) {
                    int prio = at.field;
                    if (at.cpuField(ORIG_CPU)) {
                        int from = at.field;
                        if (at.cpuField(DEST_CPU) && at.ends()) {
                            at.name(pid, nameFrom, nameTo);
                            events.migrated(record.time, record.cpu, record.current, pid, prio, from, at.field);
                            return true;
                        }
                    }
                }
            }
            nameTo = at.nextEnd(PID, nameFrom, nameTo + 1);
        }
        return false;
    }

    private boolean schedProcessFork(RecordPrefix record) {
        boolean raw = at.skip(PARENT_COMM);
        if (!raw && !at.skip(COMM)) {
            return false;
        }
        byte[] label = raw ? PARENT_PID : PID;
        int nameFrom = at.pos;
        int nameTo = at.nextEnd(label, nameFrom, nameFrom);
        while (nameTo >= 0) {
            at.pos = nameTo;
            if (at.pidField(label)) {
                int parent = at.field;
                if (at.skip(CHILD_COMM)) {
                    int childFrom = at.pos;
                    int childTo = at.nextEnd(CHILD_PID, childFrom, childFrom);
                    while (childTo >= 0) {
                        at.pos = childTo;
                        if (at.pidField(CHILD_PID) && at.ends()) {
                            at.name(parent, nameFrom, nameTo);
                            at.name(at.field, childFrom, childTo);
                            events.forked(record.time, record.cpu, parent, at.field);
                            return true;
                        }
                        childTo = at.nextEnd(CHILD_PID, childFrom, childTo + 1);
                    }
                }
            }
            nameTo = at.nextEnd(label, nameFrom, nameTo + 1);
        }
        return false;
    }

    /** The file's name may be long and hold anything: the fields after it are the last of the line. */
    private boolean schedProcessExec(RecordPrefix record) {
        if (!at.skip(FILENAME)) {
            return false;
        }
        int nameTo = at.findLast(PID, at.pos);
        if (nameTo < 0) {
            return false;
        }
        at.pos = nameTo;
        if (!at.pidField(PID)) {
            return false;
        }
        int pid = at.field;
        if (!at.pidField(OLD_PID) || !at.ends()) {
            return false;
        }
        events.exec(record.time, record.cpu, pid, at.field);
        return true;
    }

    private boolean schedProcessEnd(Tracepoint tracepoint, RecordPrefix record) {
        if (!at.skip(COMM)) {
            return false;
        }
        int nameFrom = at.pos;
        int nameTo = at.nextEnd(PID, nameFrom, nameFrom);
        while (nameTo >= 0) {
            at.pos = nameTo;
            if (at.pidField(PID)) {
                int pid = at.field;
                if (at.field(PRIO) && (at.ends() || at.matches(at.pos, GROUP_DEAD))) {
                    at.name(pid, nameFrom, nameTo);
                    if (tracepoint == Tracepoint.SCHED_PROCESS_EXIT) {
                        events.exited(record.time, record.cpu, pid, at.field);
                    } else {
                        events.freed(record.time, record.cpu, pid);
                    }
                    return true;
                }
            }
            nameTo = at.nextEnd(PID, nameFrom, nameTo + 1);
        }
        return false;
    }

    private boolean schedWakeIdleWithoutIpi(RecordPrefix record) {
        if (!at.cpuField(CPU) || !at.ends()) {
            return false;
        }
        events.wakeIdleWithoutIpi(record.time, record.cpu, at.field);
        return true;
    }

    private boolean schedStatRuntime(RecordPrefix record) {
        if (!at.skip(COMM)) {
            return false;
        }
        int nameFrom = at.pos;
        int nameTo = at.nextEnd(PID, nameFrom, nameFrom);
        while (nameTo >= 0) {
            at.pos = nameTo;
            if (at.pidField(PID) && at.skip(RUNTIME) && at.number()) {
                long runtime = at.value;
                at.skip(UNIT);
                if (at.ends() || at.matches(at.pos, VRUNTIME)) {
                    at.name(at.field, nameFrom, nameTo);
                    events.runtime(record.time, record.cpu, at.field, runtime);
                    return true;
                }
            }
            nameTo = at.nextEnd(PID, nameFrom, nameTo + 1);
        }
        return false;
    }

    private boolean cpuIdle(RecordPrefix record) {
        if (!at.skip(STATE) || !at.number() || at.value > LEAVES_IDLE) {
            return false;
        }
        int state = (int) at.value;
        if (!at.cpuField(CPU_ID) || !at.ends() || state < -1) {
            return false;
        }
        events.idle(record.time, at.field, state);
        return true;
    }

    private boolean cpuFrequency(RecordPrefix record) {
        if (!at.field(STATE) || at.field < 0) {
            return false;
        }
        int khz = at.field;
        if (!at.cpuField(CPU_ID) || !at.ends()) {
            return false;
        }
        events.frequency(record.time, at.field, khz);
        return true;
    }

    private boolean rescheduleEntry(RecordPrefix record) {
        events.rescheduleIpi(record.time, record.cpu);
        return true;
    }

    private boolean callFunctionEntry(RecordPrefix record) {
        events.callFunctionIpi(record.time, record.cpu);
        return true;
    }

    private boolean ipiSendCpu(RecordPrefix record) {
        if (!at.cpuField(CPU)) {
            return false;
        }
        events.ipiSent(record.time, record.cpu, at.field);
        return true;
    }

    /** A list: {@code cpumask=0,3-5}. */
    private boolean ipiSendCpumask(RecordPrefix record) {
        if (!at.skip(CPUMASK)) {
            return false;
        }
        int from = at.pos;
        if (!cpuList(record, false)) {
            return false;
        }
        at.pos = from;
        return cpuList(record, true);
    }

    private boolean cpuList(RecordPrefix record, boolean pass) {
        do {
            if (!at.number() || at.value >= CpuMask.MAX_CPUS) {
                return false;
            }
            int first = (int) at.value;
            int last = first;
            if (at.skip('-')) {
                if (!at.number() || at.value >= CpuMask.MAX_CPUS) {
                    return false;
                }
                last = (int) at.value;
            }
            for (int cpu = first; pass && cpu <= last; cpu++) {
                events.ipiSent(record.time, record.cpu, cpu);
            }
        } while (at.skip(','));
        return true;
    }

    /** Words of 32 CPUs in hexadecimal, the highest first: {@code target_mask=00000000,00000002}. */
    private boolean ipiRaise(RecordPrefix record) {
        if (!at.skip(TARGET_MASK)) {
            return false;
        }
        int from = at.pos;
        int words = 0;
        do {
            if (!at.hex() || at.digits > 8) {
                return false;
            }
            words++;
        } while (at.skip(','));
        if (words > CpuMask.MAX_CPUS / 32) {
            return false;
        }
        at.pos = from;
        for (int word = words - 1; word >= 0; word--) {
            at.hex();
            at.skip(',');
            for (long bits = at.value; bits != 0; bits &= bits - 1) {
                events.ipiSent(record.time, record.cpu, word * 32 + Long.numberOfTrailingZeros(bits));
            }
        }
        return true;
    }

    private Outcome ipiEntry(RecordPrefix record) {
        if (at.skip(RESCHEDULING)) {
            return passedOn(rescheduleEntry(record));
        }
        return at.skip(FUNCTION_CALL) ? passedOn(callFunctionEntry(record)) : Outcome.NOTHING;
    }
}
