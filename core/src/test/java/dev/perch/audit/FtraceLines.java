package dev.perch.audit;

import dev.perch.model.SchedEvents;
import dev.perch.model.TaskNames;
import dev.perch.model.TaskState;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A plain reader of kernel ftrace text for the tests of the audit, sharing no code with the real readers: what it does not know it gives
 * to {@code others}, such as the kprobe lines that carry the kernel's own answers.
 */
final class FtraceLines {
    private static final Pattern LINE =
            Pattern.compile("^\\s*(.+)-(\\d+)\\s+\\[(\\d+)\\]\\s+(\\S+)\\s+(\\d+)\\.(\\d+): (\\w+): (.*)$");
    private static final Pattern SWITCH = Pattern.compile(
            "prev_comm=(.*) prev_pid=(\\d+) prev_prio=(-?\\d+) prev_state=(\\S+) ==> next_comm=(.*) next_pid=(\\d+) next_prio=(-?\\d+)");
    private static final Pattern WAKE = Pattern.compile("comm=(.*) pid=(\\d+) prio=(-?\\d+) target_cpu=(\\d+)");
    private static final Pattern MIGRATE =
            Pattern.compile("comm=(.*) pid=(\\d+) prio=(-?\\d+) orig_cpu=(\\d+) dest_cpu=(\\d+)");
    private static final Pattern FORK = Pattern.compile("comm=(.*) pid=(\\d+) child_comm=(.*) child_pid=(\\d+)");
    private static final Pattern EXIT = Pattern.compile("comm=(.*) pid=(\\d+) prio=(\\d+)");
    private static final Pattern EXEC = Pattern.compile("filename=(.*) pid=(\\d+) old_pid=(\\d+)");

    /** A line that is none of the scheduler's events. */
    record Other(long ns, int cpu, int pid, String event, String body) {}

    private final SchedEvents sink;
    private final TaskNames names;
    private final Consumer<Other> others;
    long lines;

    FtraceLines(SchedEvents sink, TaskNames names, Consumer<Other> others) {
        this.sink = sink;
        this.names = names;
        this.others = others;
    }

    void read(BufferedReader in) throws IOException {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (!line.startsWith("#") && !line.isBlank()) {
                line(line);
            }
        }
    }

    void line(String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not an ftrace line: " + line);
        }
        lines++;
        int pid = Integer.parseInt(matcher.group(2));
        int cpu = Integer.parseInt(matcher.group(3));
        String fraction = (matcher.group(6) + "000000000").substring(0, 9);
        long ns = Long.parseLong(matcher.group(5)) * 1_000_000_000L + Long.parseLong(fraction);
        event(ns, cpu, pid, context(matcher.group(4)), matcher.group(7), matcher.group(8));
    }

    private static int context(String flags) {
        return switch (flags.charAt(2)) {
            case 'h', 'H', 'z', 'Z' -> SchedEvents.IN_HARDIRQ;
            case 's' -> SchedEvents.IN_SOFTIRQ;
            default -> SchedEvents.IN_TASK;
        };
    }

    private void event(long ns, int cpu, int pid, int context, String event, String body) {
        switch (event) {
            case "sched_switch" -> {
                Matcher m = match(SWITCH, body);
                names.learn(number(m, 2), m.group(1));
                names.learn(number(m, 6), m.group(5));
                sink.switched(ns, cpu, number(m, 2), number(m, 3), state(m.group(4)), number(m, 6), number(m, 7));
            }
            case "sched_waking" -> {
                Matcher m = match(WAKE, body);
                names.learn(number(m, 2), m.group(1));
                sink.waking(ns, cpu, pid, context, number(m, 2), number(m, 3), number(m, 4));
            }
            case "sched_wakeup" -> {
                Matcher m = match(WAKE, body);
                names.learn(number(m, 2), m.group(1));
                sink.wakeup(ns, cpu, pid, context, number(m, 2), number(m, 3), number(m, 4));
            }
            case "sched_wakeup_new" -> {
                Matcher m = match(WAKE, body);
                names.learn(number(m, 2), m.group(1));
                sink.wakeupNew(ns, cpu, pid, context, number(m, 2), number(m, 3), number(m, 4));
            }
            case "sched_migrate_task" -> {
                Matcher m = match(MIGRATE, body);
                names.learn(number(m, 2), m.group(1));
                sink.migrated(ns, cpu, pid, number(m, 2), number(m, 3), number(m, 4), number(m, 5));
            }
            case "sched_process_fork" -> {
                Matcher m = match(FORK, body);
                names.learn(number(m, 4), m.group(3));
                sink.forked(ns, cpu, number(m, 2), number(m, 4));
            }
            case "sched_process_exit" -> {
                Matcher m = match(EXIT, body);
                names.learn(number(m, 2), m.group(1));
                sink.exited(ns, cpu, number(m, 2), number(m, 3));
            }
            case "sched_process_exec" -> {
                Matcher m = match(EXEC, body);
                sink.exec(ns, cpu, number(m, 2), number(m, 3));
            }
            case "cpu_idle" -> {
                long state = Long.parseLong(body.replaceAll("state=(\\d+) .*", "$1"));
                int target = Integer.parseInt(body.replaceAll(".*cpu_id=(\\d+).*", "$1"));
                sink.idle(ns, target, state == 0xFFFFFFFFL ? -1 : (int) state);
            }
            case "sched_wake_idle_without_ipi" ->
                sink.wakeIdleWithoutIpi(ns, cpu, Integer.parseInt(body.replaceAll("cpu=(\\d+).*", "$1")));
            case "ipi_send_cpu" -> sink.ipiSent(ns, cpu, Integer.parseInt(body.replaceAll("cpu=(\\d+).*", "$1")));
            case "reschedule_entry" -> sink.rescheduleIpi(ns, cpu);
            case "call_function_single_entry" -> sink.callFunctionIpi(ns, cpu);
            default -> others.accept(new Other(ns, cpu, pid, event, body));
        }
    }

    private static Matcher match(Pattern pattern, String body) {
        Matcher matcher = pattern.matcher(body);
        if (!matcher.find()) {
            throw new IllegalArgumentException("cannot read: " + body);
        }
        return matcher;
    }

    private static int number(Matcher matcher, int group) {
        return Integer.parseInt(matcher.group(group));
    }

    private static TaskState state(String letters) {
        return switch (letters.charAt(0)) {
            case 'R' -> TaskState.RUNNABLE;
            case 'S' -> TaskState.SLEEPING;
            case 'D' -> TaskState.DISK_SLEEP;
            case 'T' -> TaskState.STOPPED;
            case 't' -> TaskState.TRACED;
            case 'Z' -> TaskState.ZOMBIE;
            case 'X' -> TaskState.DEAD;
            case 'I' -> TaskState.IDLE;
            case 'P' -> TaskState.PARKED;
            case 'K' -> TaskState.WAKEKILL;
            default -> TaskState.UNKNOWN;
        };
    }
}
