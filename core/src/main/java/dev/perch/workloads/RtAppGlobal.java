package dev.perch.workloads;

import dev.perch.kernel.TaskTable;
import dev.perch.model.Nearest;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The global section of an rt-app file. What it says of logs, locked pages and plots changes nothing here.
 *
 * @param durationNs how long rt-app lets the tasks live, if it says
 * @param loopNs how long one of its loops takes, ns; 0 where it would measure that
 * @param defaultPolicy of tasks that name none
 * @param bufferBytes of what is written at once
 */
record RtAppGlobal(OptionalLong durationNs, int loopNs, byte defaultPolicy, int bufferBytes) {
    private static final int DEFAULT_BUFFER = 4 << 20;
    private static final int MAX_SECONDS = 3600;
    private static final Pattern CPU = Pattern.compile("CPU([0-9]{1,5})");
    private static final String ONLY_DEVICE = "/dev/null";

    private static final List<String> POLICIES =
            List.of("SCHED_OTHER", "SCHED_BATCH", "SCHED_IDLE", "SCHED_FIFO", "SCHED_RR");

    static RtAppGlobal read(Optional<RtAppObject> section) {
        if (section.isEmpty()) {
            return new RtAppGlobal(OptionalLong.empty(), 0, TaskTable.POLICY_NORMAL, DEFAULT_BUFFER);
        }
        RtAppObject global = section.get();
        int seconds = global.integer("duration", Integer.MIN_VALUE, Integer.MAX_VALUE, -1);
        if (seconds > MAX_SECONDS) {
            throw global.error(
                    global.lineOf("duration"), "'duration' of global is " + seconds + " s; an hour is the most");
        }
        for (String key : List.of(
                "logdir", "log_basename", "log_size", "ftrace", "gnuplot", "frag", "lock_pages", "cumulative_slack")) {
            global.ignore(key);
        }
        if (global.truth("pi_enabled", false)) {
            throw global.error(
                    global.lineOf("pi_enabled"),
                    "rt-app key 'pi_enabled' of global is not supported: priority inheritance is not modelled");
        }
        String device = global.string("io_device", ONLY_DEVICE);
        if (!device.equals(ONLY_DEVICE)) {
            throw global.error(
                    global.lineOf("io_device"),
                    "rt-app key 'io_device' of global is not supported with '" + device + "': only " + ONLY_DEVICE
                            + " is modelled");
        }
        RtAppGlobal read = new RtAppGlobal(
                seconds > 0 ? OptionalLong.of(seconds * 1_000_000_000L) : OptionalLong.empty(),
                loopNs(global),
                policy(global, "default_policy", global.string("default_policy", POLICIES.getFirst())),
                global.integer("mem_buffer_size", 1, Integer.MAX_VALUE, DEFAULT_BUFFER));
        global.refuseOthers(false);
        return read;
    }

    private static int loopNs(RtAppObject global) {
        for (JsonValue.Member member : global.members()) {
            if (member.key().equals("calibration") && member.value() instanceof JsonValue.Text text) {
                Matcher cpu = CPU.matcher(text.value());
                if (!cpu.matches()) {
                    throw global.error(
                            member.line(),
                            "'calibration' of global must be a CPU such as \"CPU0\" or the ns of a loop, not '"
                                    + text.value() + "'");
                }
                global.ignore("calibration");
                return 0;
            }
        }
        return global.integer("calibration", 1, 1_000_000, 0);
    }

    /**
     * The policy of a name.
     *
     * @throws dev.perch.model.InputException if it is none that is modelled
     */
    static byte policy(RtAppObject object, String key, String name) {
        return switch (name) {
            case "SCHED_OTHER" -> TaskTable.POLICY_NORMAL;
            case "SCHED_BATCH" -> TaskTable.POLICY_BATCH;
            case "SCHED_IDLE" -> TaskTable.POLICY_IDLE;
            case "SCHED_FIFO" -> TaskTable.POLICY_FIFO;
            case "SCHED_RR" -> TaskTable.POLICY_RR;
            case "SCHED_DEADLINE" ->
                throw object.error(
                        object.lineOf(key),
                        "policy SCHED_DEADLINE of " + object.what()
                                + " is not supported: the deadline class is not modelled");
            default ->
                throw object.error(
                        object.lineOf(key),
                        "unknown policy '" + name + "' of " + object.what() + Nearest.hint(name, POLICIES));
        };
    }
}
