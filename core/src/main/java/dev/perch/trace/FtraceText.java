package dev.perch.trace;

import dev.perch.model.CpuMask;
import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes events as ftrace text, so that a simulated run is a recording like any other, and a recording of one form becomes one of another:
 * {@link Recordings} reads it back to the same events, and other tools for ftrace text can look at it.
 *
 * <p>The form is that of the kernel's {@code trace} file with two differences: comments at the top say where it comes from, and times have
 * nine digits after the point instead of six, as {@code trace-cmd report -t} prints them, so that no nanosecond is lost. Names are written
 * in full where the kernel cuts them at 15 bytes.
 *
 * <p>Limitations: a loss ({@link #lost}) has no time of its own in this form; it reads back with the time of the next event. The priority
 * of a freed task and the file of an exec are not in the stream; −1 and the task's name stand for them.
 *
 * <p>Nothing is allocated an event.
 */
public final class FtraceText implements SchedEvents, Closeable {
    private static final int SIZE = 64 * 1024;
    private static final int LONGEST_LINE = 1024;
    private static final int LONGEST_NAME = FieldCursor.LONGEST_NAME;
    private static final long LEAVES_IDLE = 0xffffffffL;
    private static final String EXPORTED = "# exported:";
    private static final byte[] BLANKS = blanks();
    private static final byte[] IDLE = TextCursor.literal("<idle>");

    private final OutputStream out;
    private final TaskNames names;
    private final byte[] buffer = new byte[SIZE];
    private int size;
    private final byte[] column = new byte[LONGEST_NAME];
    private final int[] running = new int[CpuMask.MAX_CPUS];

    /**
     * @param out gets the text; {@link #close} closes it
     * @param names what the tasks are called; asked at every event
     * @param about what was simulated, one line for the reader of the file
     * @throws UncheckedIOException {@code out} fails; likewise every method
     */
    public FtraceText(OutputStream out, TaskNames names, String about) {
        this(out, names, about, Map.of(), CpuMask.empty());
    }

    /**
     * As {@link #FtraceText(OutputStream, TaskNames, String)}, with remarks on where tasks may run ({@link RecordingHead}).
     *
     * @param affinities allowed CPUs by pid of the tasks that may not use all
     * @param cpuset CPUs of an exclusive cpuset with its own sched domains; empty for none
     */
    public FtraceText(
            OutputStream out, TaskNames names, String about, Map<Integer, CpuMask> affinities, CpuMask cpuset) {
        this(out, names, new RecordingHead(null, true, affinities, cpuset), about);
    }

    private FtraceText(OutputStream out, TaskNames names, RecordingHead head, String about) {
        this.out = out;
        this.names = names;
        text("# tracer: nop\n");
        remark(head.simulated() ? TextHead.SIMULATED : EXPORTED, about.replaceAll("\\R", " "));
        if (!head.cpuset().isEmpty()) {
            remark(TextHead.CPUSET, head.cpuset().toString());
        }
        new TreeMap<>(head.affinities()).forEach((pid, cpus) -> remark(TextHead.AFFINITY, pid + " " + cpus));
        if (head.simulated()) {
            text("# No kernel ran: times are those of a model, in nanoseconds since its start.\n");
        }
        text("#\n#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n");
        text("#              | |         |   |||||     |         |\n");
    }

    /**
     * For events that come from another recording.
     *
     * @param head what that one tells of its tasks; whether a simulation wrote it
     * @param about where the events come from, one line for the reader of the file
     */
    public static FtraceText of(OutputStream out, TaskNames names, RecordingHead head, String about) {
        return new FtraceText(out, names, head, about);
    }

    private void remark(String kind, String text) {
        byte[] line = (kind + ' ' + text).getBytes(StandardCharsets.UTF_8);
        if (line.length > SIZE - LONGEST_LINE - size) {
            flush();
        }
        put(line, Math.min(line.length, SIZE / 2));
        end();
    }

    private static byte[] blanks() {
        byte[] blanks = new byte[RecordPrefix.NAME_WIDTH];
        Arrays.fill(blanks, (byte) ' ');
        return blanks;
    }

    @Override
    public void switched(long ns, int cpu, int prev, int prevPrio, TaskState prevState, int next, int nextPrio) {
        begin(ns, cpu, prev, IN_TASK, "sched_switch: prev_comm=");
        task(prev, cpu);
        number(" prev_pid=", prev);
        number(" prev_prio=", prevPrio);
        text(" prev_state=");
        put(prevState.letter());
        text(" ==> next_comm=");
        task(next, cpu);
        number(" next_pid=", next);
        number(" next_prio=", nextPrio);
        end();
        running[cpu] = next;
    }

    @Override
    public void waking(long ns, int cpu, int current, int context, int wakee, int prio, int prevCpu) {
        begin(ns, cpu, current, context, "sched_waking: comm=");
        wakeup(wakee, prio, prevCpu);
    }

    @Override
    public void wakeup(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        begin(ns, cpu, current, context, "sched_wakeup: comm=");
        wakeup(wakee, prio, targetCpu);
    }

    @Override
    public void wakeupNew(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        begin(ns, cpu, current, context, "sched_wakeup_new: comm=");
        wakeup(wakee, prio, targetCpu);
    }

    private void wakeup(int wakee, int prio, int cpu) {
        task(wakee, cpu);
        number(" pid=", wakee);
        number(" prio=", prio);
        text(" target_cpu=");
        padded(cpu, 3, '0');
        end();
    }

    @Override
    public void migrated(long ns, int cpu, int current, int task, int prio, int fromCpu, int toCpu) {
        begin(ns, cpu, current, IN_TASK, "sched_migrate_task: comm=");
        task(task, fromCpu);
        number(" pid=", task);
        number(" prio=", prio);
        number(" orig_cpu=", fromCpu);
        number(" dest_cpu=", toCpu);
        end();
    }

    @Override
    public void forked(long ns, int cpu, int parent, int child) {
        begin(ns, cpu, parent, IN_TASK, "sched_process_fork: comm=");
        task(parent, cpu);
        number(" pid=", parent);
        text(" child_comm=");
        task(child, cpu);
        number(" child_pid=", child);
        end();
    }

    @Override
    public void exec(long ns, int cpu, int pid, int oldPid) {
        begin(ns, cpu, pid, IN_TASK, "sched_process_exec: filename=");
        task(pid, cpu);
        number(" pid=", pid);
        number(" old_pid=", oldPid);
        end();
    }

    @Override
    public void exited(long ns, int cpu, int pid, int prio) {
        begin(ns, cpu, pid, IN_TASK, "sched_process_exit: comm=");
        task(pid, cpu);
        number(" pid=", pid);
        number(" prio=", prio);
        end();
    }

    @Override
    public void freed(long ns, int cpu, int pid) {
        begin(ns, cpu, running[cpu], IN_TASK, "sched_process_free: comm=");
        task(pid, cpu);
        number(" pid=", pid);
        number(" prio=", -1);
        end();
    }

    @Override
    public void wakeIdleWithoutIpi(long ns, int cpu, int targetCpu) {
        begin(ns, cpu, running[cpu], IN_TASK, "sched_wake_idle_without_ipi: cpu=");
        number("", targetCpu);
        end();
    }

    @Override
    public void idle(long ns, int cpu, int state) {
        begin(ns, cpu, running[cpu], IN_TASK, "cpu_idle: state=");
        number("", state < 0 ? LEAVES_IDLE : state);
        number(" cpu_id=", cpu);
        end();
    }

    @Override
    public void frequency(long ns, int cpu, int khz) {
        begin(ns, cpu, running[cpu], IN_TASK, "cpu_frequency: state=");
        number("", khz);
        number(" cpu_id=", cpu);
        end();
    }

    @Override
    public void ipiSent(long ns, int cpu, int targetCpu) {
        begin(ns, cpu, running[cpu], IN_TASK, "ipi_send_cpu: cpu=");
        number("", targetCpu);
        text(" callsite=0x0 callback=0x0");
        end();
    }

    @Override
    public void rescheduleIpi(long ns, int cpu) {
        begin(ns, cpu, running[cpu], IN_HARDIRQ, "reschedule_entry: vector=253");
        end();
    }

    @Override
    public void callFunctionIpi(long ns, int cpu) {
        begin(ns, cpu, running[cpu], IN_HARDIRQ, "call_function_single_entry: vector=251");
        end();
    }

    @Override
    public void runtime(long ns, int cpu, int pid, long runtimeNs) {
        begin(ns, cpu, running[cpu], IN_TASK, "sched_stat_runtime: comm=");
        task(pid, cpu);
        number(" pid=", pid);
        number(" runtime=", runtimeNs);
        text(" [ns]");
        end();
    }

    @Override
    public void lost(long ns, int cpu, long count) {
        number("CPU:", cpu);
        text(" [LOST ");
        if (count >= 0) {
            number("", count);
            put(' ');
        }
        text("EVENTS]");
        end();
    }

    @Override
    public void close() {
        try (OutputStream closing = out) {
            closing.write(buffer, 0, size);
            size = 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@code     task-pid     [cpu] flags time: } and the beginning of the event. */
    private void begin(long ns, int cpu, int current, int context, String event) {
        WrittenCpu.require(cpu, "ftrace text");
        int length = current == 0 ? IDLE.length : names.copyName(current, column, 0, LONGEST_NAME);
        if (length < RecordPrefix.NAME_WIDTH) {
            put(BLANKS, RecordPrefix.NAME_WIDTH - length);
        }
        put(current == 0 ? IDLE : column, length);
        put('-');
        int start = size;
        number("", current);
        int width = size - start;
        if (width < 7) {
            put(BLANKS, 7 - width);
        }
        text(" [");
        padded(cpu, 3, '0');
        text(
                switch (context) {
                    case IN_TASK -> "] d..2. ";
                    case IN_HARDIRQ -> "] d.h2. ";
                    case IN_SOFTIRQ -> "] d.s2. ";
                    default -> "] ";
                });
        padded(ns / 1_000_000_000L, 5, ' ');
        put('.');
        padded(ns % 1_000_000_000L, 9, '0');
        text(": ");
        text(event);
    }

    private void task(int pid, int cpu) {
        if (pid == 0) {
            number("swapper/", cpu);
        } else {
            size += names.copyName(pid, buffer, size, LONGEST_NAME);
        }
    }

    private void end() {
        put('\n');
        if (size > SIZE - LONGEST_LINE) {
            flush();
        }
    }

    private void flush() {
        try {
            out.write(buffer, 0, size);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        size = 0;
    }

    private void number(String label, long value) {
        text(label);
        padded(value, 1, ' ');
    }

    private void padded(long value, int width, char with) {
        long rest = value;
        if (rest < 0) {
            put('-');
            rest = -rest;
        }
        int digits = 1;
        for (long power = rest / 10; power > 0; power /= 10) {
            digits++;
        }
        for (int i = digits; i < width; i++) {
            put(with);
        }
        size += digits;
        for (int at = size - 1; at >= size - digits; at--) {
            buffer[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }

    private void put(char c) {
        buffer[size++] = (byte) c;
    }

    private void put(byte[] bytes, int length) {
        System.arraycopy(bytes, 0, buffer, size, length);
        size += length;
    }

    private void text(String ascii) {
        int length = ascii.length();
        for (int i = 0; i < length; i++) {
            buffer[size++] = (byte) ascii.charAt(i);
        }
    }
}
