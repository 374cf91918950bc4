package dev.perch.trace;

import dev.perch.model.SchedEvents;
import dev.perch.model.TaskState;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes comparable lines of what perf and trace-cmd print, and of events.
 *
 * <p>Two differences are the tools': perf prints the task −1 for what an exiting task does, though the record tells which task it is (it
 * is left out of the lines), and trace-cmd's short form of sched_switch prints the states by the letters of Linux 3.2.
 */
final class ToolText {
    private static final Pattern PERF = Pattern.compile(".*?(-?\\d+) +\\[(\\d+)] +(\\d+)\\.(\\d+): +\\w+:(\\w+): (.*)");
    private static final Pattern TRACE_CMD = Pattern.compile(".*?-(\\d+) +\\[(\\d+)] +(\\d+)\\.(\\d+): (\\w+): +(.*)");
    private static final Pattern SWITCH =
            Pattern.compile("prev_comm=.* prev_pid=(\\d+) prev_prio=(-?\\d+) prev_state=(\\S+)"
                    + " ==> next_comm=.* next_pid=(\\d+) next_prio=(-?\\d+)");
    private static final Pattern SHORT_SWITCH =
            Pattern.compile(".*:(\\d+) \\[(-?\\d+)] (\\S+) ==> .*:(\\d+) \\[(-?\\d+)]");
    private static final Pattern WAKEUP = Pattern.compile("comm=.* pid=(\\d+) prio=(-?\\d+) target_cpu=(\\d+)");
    private static final Pattern SHORT_WAKEUP = Pattern.compile(".*:(\\d+) \\[(-?\\d+)] CPU:(\\d+)");
    private static final Pattern MIGRATE =
            Pattern.compile("comm=.* pid=(\\d+) prio=(-?\\d+) orig_cpu=(\\d+) dest_cpu=(\\d+)");
    private static final Pattern FORK = Pattern.compile("comm=.* pid=(\\d+) child_comm=.* child_pid=(\\d+)");
    private static final Pattern EXEC = Pattern.compile(".* pid=(\\d+) old_pid=(\\d+)");
    private static final Pattern EXIT = Pattern.compile(".*pid=(\\d+) prio=(\\d+).*");
    private static final Pattern RUNTIME = Pattern.compile("comm=.* pid=(\\d+) runtime=(\\d+) \\[ns].*");
    private static final Pattern CPU = Pattern.compile("cpu=(\\d+)");

    private ToolText() {}

    /** One line for each scheduler event of the text, in its order. */
    static List<String> lines(String text) {
        List<String> lines = new ArrayList<>();
        text.lines().forEach(line -> {
            Matcher record = PERF.matcher(line);
            if (!record.matches()) {
                record = TRACE_CMD.matcher(line);
                if (!record.matches()) {
                    return;
                }
            }
            String numbers = numbers(record.group(5), record.group(6));
            if (numbers != null) {
                lines.add(line(
                        Long.parseLong(record.group(3) + record.group(4)),
                        Integer.parseInt(record.group(2)),
                        record.group(5),
                        numbers));
            }
        });
        return lines;
    }

    private static String line(long time, int cpu, String event, String numbers) {
        return time + " [" + cpu + "] " + event + numbers;
    }

    private static @Nullable String numbers(String event, String body) {
        return switch (event) {
            case "sched_switch" -> groups(body, SWITCH, SHORT_SWITCH);
            case "sched_waking", "sched_wakeup", "sched_wakeup_new" -> groups(body, WAKEUP, SHORT_WAKEUP);
            case "sched_migrate_task" -> groups(body, MIGRATE, MIGRATE);
            case "sched_process_fork" -> groups(body, FORK, FORK);
            case "sched_process_exec" -> groups(body, EXEC, EXEC);
            case "sched_process_exit", "sched_process_free" -> groups(body, EXIT, EXIT);
            case "sched_stat_runtime" -> groups(body, RUNTIME, RUNTIME);
            case "sched_wake_idle_without_ipi" -> groups(body, CPU, CPU);
            default -> null;
        };
    }

    private static String groups(String body, Pattern pattern, Pattern other) {
        Matcher match = pattern.matcher(body);
        boolean shortForm = !match.matches();
        if (shortForm) {
            match = other.matcher(body);
            if (!match.matches()) {
                throw new IllegalArgumentException("the test cannot read: " + body);
            }
        }
        StringBuilder numbers = new StringBuilder();
        for (int i = 1; i <= match.groupCount(); i++) {
            String value = match.group(i);
            if (Character.isLetter(value.charAt(0))) {
                value = value.contains("+") ? "R" : value.substring(0, 1);
                value = shortForm ? ofToday(value) : value;
            } else {
                value = String.valueOf(Long.parseLong(value));
            }
            numbers.append(' ').append(value);
        }
        return numbers.toString();
    }

    /** The letter that the bit has since Linux 4.14 which had this letter in 3.2. */
    private static String ofToday(String letter) {
        return switch (letter) {
            case "Z" -> "X";
            case "X" -> "Z";
            case "x" -> "P";
            case "W" -> "I";
            default -> letter;
        };
    }

    /** Writes down events as the same lines. */
    static final class Log implements SchedEvents {
        private final List<String> lines = new ArrayList<>();
        private final long unit;
        private final long added;

        Log() {
            this(1, 0);
        }

        /**
         * @param unit nanoseconds of the last digit that the tool prints
         * @param added half of that if the tool rounds, 0 if it cuts
         */
        Log(long unit, long added) {
            this.unit = unit;
            this.added = added;
        }

        List<String> lines() {
            return lines;
        }

        private void add(long ns, int cpu, String event, Object... values) {
            StringBuilder numbers = new StringBuilder();
            for (Object value : values) {
                numbers.append(' ').append(value);
            }
            lines.add(line((ns + added) / unit, cpu, event, numbers.toString()));
        }

        @Override
        public void switched(long ns, int cpu, int prev, int prevPrio, TaskState prevState, int next, int nextPrio) {
            add(ns, cpu, "sched_switch", prev, prevPrio, prevState.letter(), next, nextPrio);
        }

        @Override
        public void waking(long ns, int cpu, int current, int context, int wakee, int prio, int prevCpu) {
            add(ns, cpu, "sched_waking", wakee, prio, prevCpu);
        }

        @Override
        public void wakeup(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
            add(ns, cpu, "sched_wakeup", wakee, prio, targetCpu);
        }

        @Override
        public void wakeupNew(long ns, int cpu, int current, int context, int wakee, int prio, int targetCpu) {
            add(ns, cpu, "sched_wakeup_new", wakee, prio, targetCpu);
        }

        @Override
        public void migrated(long ns, int cpu, int current, int task, int prio, int fromCpu, int toCpu) {
            add(ns, cpu, "sched_migrate_task", task, prio, fromCpu, toCpu);
        }

        @Override
        public void forked(long ns, int cpu, int parent, int child) {
            add(ns, cpu, "sched_process_fork", parent, child);
        }

        @Override
        public void exec(long ns, int cpu, int pid, int oldPid) {
            add(ns, cpu, "sched_process_exec", pid, oldPid);
        }

        @Override
        public void exited(long ns, int cpu, int pid, int prio) {
            add(ns, cpu, "sched_process_exit", pid, prio);
        }

        @Override
        public void freed(long ns, int cpu, int pid) {
            add(ns, cpu, "sched_process_free", pid, 120);
        }

        @Override
        public void wakeIdleWithoutIpi(long ns, int cpu, int targetCpu) {
            add(ns, cpu, "sched_wake_idle_without_ipi", targetCpu);
        }

        @Override
        public void runtime(long ns, int cpu, int pid, long runtimeNs) {
            add(ns, cpu, "sched_stat_runtime", pid, runtimeNs);
        }
    }
}
