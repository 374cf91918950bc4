package dev.perch.trace;

import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Writes events as the tools print them, in every layout. Shares no code with the readers: everything goes through format strings, byte for
 * byte as ISO-8859-1.
 */
final class TextFixture implements SchedEvents {
    /** Who prints, and with which options. */
    enum Style {
        FTRACE,
        FTRACE_TGID,
        FTRACE_NO_FLAGS,
        FTRACE_OLD_FLAGS,
        FTRACE_RT_FLAGS,
        FTRACE_LATENCY,
        TRACE_CMD,
        TRACE_CMD_N,
        TRACE_CMD_R,
        TRACE_CMD_L,
        TRACE_CMD_T,
        PERF,
        PERF_NS,
        PERF_PID_TID,
        PERF_NO_TASK,
        PERF_PERIOD,
        PERF_PLUGIN;

        boolean isPerf() {
            return name().startsWith("PERF");
        }

        boolean isTraceCmd() {
            return name().startsWith("TRACE_CMD");
        }

        boolean hasContext() {
            return this == TRACE_CMD_L || name().startsWith("FTRACE") && this != FTRACE_NO_FLAGS;
        }

        boolean isShort() {
            return this == TRACE_CMD || this == TRACE_CMD_L || this == TRACE_CMD_T || this == PERF_PLUGIN;
        }

        /** Nanoseconds between two times that can be told apart. */
        long step() {
            return this == PERF_NS || this == PERF_PID_TID || this == TRACE_CMD_T ? 1 : 1000;
        }
    }

    private static final Map<TaskState, String> LETTERS = Map.of(
            TaskState.RUNNABLE, "R+",
            TaskState.SLEEPING, "S",
            TaskState.DISK_SLEEP, "D",
            TaskState.STOPPED, "T",
            TaskState.TRACED, "t",
            TaskState.DEAD, "X",
            TaskState.ZOMBIE, "Z",
            TaskState.PARKED, "P",
            TaskState.IDLE, "I");

    /** What trace-cmd 3.1 printed for the numbers below. */
    private static final Map<TaskState, String> SHORT_LETTERS = Map.of(
            TaskState.RUNNABLE, "R",
            TaskState.SLEEPING, "S",
            TaskState.DISK_SLEEP, "D",
            TaskState.STOPPED, "T",
            TaskState.TRACED, "t",
            TaskState.DEAD, "Z",
            TaskState.ZOMBIE, "X",
            TaskState.PARKED, "x",
            TaskState.IDLE, "W");

    /** Linux 4.14 and later. */
    private static final Map<TaskState, Integer> NUMBERS = Map.of(
            TaskState.RUNNABLE, 256,
            TaskState.SLEEPING, 1,
            TaskState.DISK_SLEEP, 2,
            TaskState.STOPPED, 4,
            TaskState.TRACED, 8,
            TaskState.DEAD, 16,
            TaskState.ZOMBIE, 32,
            TaskState.PARKED, 64,
            TaskState.IDLE, 128);

    private final Style style;
    private final TaskNames names;
    private final StringBuilder out = new StringBuilder();
    private final int[] running = new int[256];

    TextFixture(Style style, TaskNames names) {
        this.style = style;
        this.names = names;
        if (style.isTraceCmd()) {
            out.append("cpus=8\n");
        } else if (!style.isPerf()) {
            out.append("# tracer: nop\n#\n# entries-in-buffer/entries-written: 10/10   #P:8\n#\n");
        }
    }

    byte[] bytes() {
        return out.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    void raw(String text) {
        out.append(text);
    }

    /** The name's bytes, one a char. */
    private String comm(int pid, int cpu) {
        if (pid == 0) {
            return "swapper/" + cpu;
        }
        byte[] name = new byte[64];
        int length = names.copyName(pid, name, 0, 64);
        return new String(name, 0, length, StandardCharsets.ISO_8859_1);
    }

    private String padded(String event) {
        return String.format(style == Style.TRACE_CMD_R ? "%-22s " : "%-21s ", event + ":");
    }

    private void line(long ns, int cpu, int current, int context, String event, String body) {
        String time = style.step() == 1
                ? String.format("%5d.%09d", ns / 1_000_000_000L, ns % 1_000_000_000L)
                : String.format("%5d.%06d", ns / 1_000_000_000L, ns / 1000 % 1_000_000L);
        String letter = context == IN_HARDIRQ ? "h" : context == IN_SOFTIRQ ? "s" : ".";
        String column = current == 0 ? (style.isPerf() ? "swapper" : "<idle>") : comm(current, cpu);
        out.append(
                switch (style) {
                    case FTRACE ->
                        String.format("%16s-%-7d [%03d] dN%s2. %s: %s: ", column, current, cpu, letter, time, event);
                    case FTRACE_TGID ->
                        String.format(
                                "%16s-%-7d (%s) [%03d] d.%s1. %s: %s: ",
                                column, current, current == 0 ? "-------" : "  12345", cpu, letter, time, event);
                    case FTRACE_NO_FLAGS ->
                        String.format("%16s-%-5d [%03d] %s: %s: ", column, current, cpu, time, event);
                    case FTRACE_OLD_FLAGS ->
                        String.format("%16s-%-5d [%03d] d.%s3 %s: %s: ", column, current, cpu, letter, time, event);
                    case FTRACE_RT_FLAGS ->
                        String.format("%16s-%-7d [%03d] dL.%s2.11 %s: %s: ", column, current, cpu, letter, time, event);
                    case FTRACE_LATENCY ->
                        String.format(
                                "%8.8s-%-7d %3ddN%s2. %4dus+: %s: ", column, current, cpu, letter, ns / 1000, event);
                    case TRACE_CMD, TRACE_CMD_N, TRACE_CMD_R, TRACE_CMD_T ->
                        String.format("%16s-%-5d [%03d] %12s: %s", column, current, cpu, time, padded(event));
                    case TRACE_CMD_L ->
                        String.format(
                                "%8.8s-%-5d %3dd.%s2. %12s: %s", column, current, cpu, letter, time, padded(event));
                    case PERF, PERF_NS, PERF_PLUGIN ->
                        String.format("%16s %5d [%03d] %12s: %26s: ", column, current, cpu, time, "sched:" + event);
                    case PERF_PID_TID ->
                        String.format(
                                "%16s %5d/%-5d [%03d] %12s: %26s: ", column, 99, current, cpu, time, "sched:" + event);
                    case PERF_NO_TASK -> String.format("[%03d] %12s: %26s: ", cpu, time, "sched:" + event);
                    case PERF_PERIOD ->
                        String.format(
                                "%16s %5d [%03d] %12s: %10d %26s: ",
                                column, current, cpu, time, 45006, "sched:" + event);
                });
        out.append(body).append('\n');
    }

    @Override
    public void switched(long ns, int cpu, int prev, int prevPrio, TaskState prevState, int next, int nextPrio) {
        String body;
        if (style.isShort()) {
            body = String.format(
                    "%s:%d [%d] %s ==> %s:%d [%d]",
                    comm(prev, cpu), prev, prevPrio, SHORT_LETTERS.get(prevState), comm(next, cpu), next, nextPrio);
        } else if (style == Style.TRACE_CMD_R) {
            body = String.format(
                    "prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%d next_comm=%s next_pid=%d next_prio=%d",
                    comm(prev, cpu), prev, prevPrio, NUMBERS.get(prevState), comm(next, cpu), next, nextPrio);
        } else {
            body = String.format(
                    "prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s ==> next_comm=%s next_pid=%d next_prio=%d",
                    comm(prev, cpu), prev, prevPrio, LETTERS.get(prevState), comm(next, cpu), next, nextPrio);
        }
        line(ns, cpu, prev, IN_TASK, "sched_switch", body);
        running[cpu] = next;
    }

    @Override
    public void waking(long ns, int cpu, int current, int context, int wakee, int prio, int prevCpu) {
        line(
                ns,
                cpu,
                current,
                context,
                "sched_waking",
                String.format("comm=%s pid=%d prio=%d target_cpu=%03d", comm(wakee, cpu), wakee, prio, prevCpu));
    }

    private void wakeup(String event, long ns, int cpu, int current, int context, int wakee, int prio, int target) {
        String form = style.isShort()
                ? "%s:%d [%d] CPU:%03d"
                : style == Style.FTRACE_OLD_FLAGS
                        ? "comm=%s pid=%d prio=%d success=1 target_cpu=%03d"
                        : "comm=%s pid=%d prio=%d target_cpu=%03d";
        line(ns, cpu, current, context, event, String.format(form, comm(wakee, cpu), wakee, prio, target));
    }

    @Override
    public void wakeup(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        wakeup("sched_wakeup", ns, cpu, current, context, wakee, prio, targetCpu);
    }

    @Override
    public void wakeupNew(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
        wakeup("sched_wakeup_new", ns, cpu, current, context, wakee, prio, targetCpu);
    }

    @Override
    public void migrated(long ns, int cpu, int current, int task, int prio, int fromCpu, int toCpu) {
        line(
                ns,
                cpu,
                current,
                IN_TASK,
                "sched_migrate_task",
                String.format(
                        "comm=%s pid=%d prio=%d orig_cpu=%d dest_cpu=%d", comm(task, cpu), task, prio, fromCpu, toCpu));
    }

    @Override
    public void forked(long ns, int cpu, int parent, int child) {
        String form = style == Style.TRACE_CMD_R
                ? "parent_comm=%s parent_pid=%d child_comm=%s child_pid=%d"
                : "comm=%s pid=%d child_comm=%s child_pid=%d";
        line(
                ns,
                cpu,
                parent,
                IN_TASK,
                "sched_process_fork",
                String.format(form, comm(parent, cpu), parent, comm(child, cpu), child));
    }

    @Override
    public void exec(long ns, int cpu, int pid, int oldPid) {
        line(
                ns,
                cpu,
                pid,
                IN_TASK,
                "sched_process_exec",
                String.format("filename=/usr/bin/a pid=1 old_pid=2/b pid=%d old_pid=%d", pid, oldPid));
    }

    @Override
    public void exited(long ns, int cpu, int pid, int prio) {
        line(
                ns,
                cpu,
                pid,
                IN_TASK,
                "sched_process_exit",
                String.format("comm=%s pid=%d prio=%d", comm(pid, cpu), pid, prio));
    }

    @Override
    public void freed(long ns, int cpu, int pid) {
        line(
                ns,
                cpu,
                running[cpu],
                IN_TASK,
                "sched_process_free",
                String.format("comm=%s pid=%d prio=%d", comm(pid, cpu), pid, 120));
    }

    @Override
    public void wakeIdleWithoutIpi(long ns, int cpu, int targetCpu) {
        line(ns, cpu, running[cpu], IN_TASK, "sched_wake_idle_without_ipi", "cpu=" + targetCpu);
    }

    @Override
    public void idle(long ns, int cpu, int state) {
        line(ns, cpu, running[cpu], IN_TASK, "cpu_idle", "state=" + (state & 0xffffffffL) + " cpu_id=" + cpu);
    }

    @Override
    public void frequency(long ns, int cpu, int khz) {
        line(ns, cpu, running[cpu], IN_TASK, "cpu_frequency", "state=" + khz + " cpu_id=" + cpu);
    }

    @Override
    public void ipiSent(long ns, int cpu, int targetCpu) {
        line(
                ns,
                cpu,
                running[cpu],
                IN_TASK,
                "ipi_send_cpu",
                "cpu=" + targetCpu + " callsite=wakeup_preempt+0x37/0x70 callback=0x0");
    }

    @Override
    public void rescheduleIpi(long ns, int cpu) {
        line(ns, cpu, running[cpu], IN_HARDIRQ, "reschedule_entry", "vector=253");
    }

    @Override
    public void callFunctionIpi(long ns, int cpu) {
        line(ns, cpu, running[cpu], IN_HARDIRQ, "call_function_single_entry", "vector=251");
    }

    @Override
    public void runtime(long ns, int cpu, int pid, long runtimeNs) {
        String form = style == Style.TRACE_CMD_R
                ? "comm=%s pid=%d runtime=%d vruntime=17"
                : style == Style.FTRACE_OLD_FLAGS
                        ? "comm=%s pid=%d runtime=%d [ns] vruntime=17 [ns]"
                        : "comm=%s pid=%d runtime=%d [ns]";
        line(ns, cpu, running[cpu], IN_TASK, "sched_stat_runtime", String.format(form, comm(pid, cpu), pid, runtimeNs));
    }
}
