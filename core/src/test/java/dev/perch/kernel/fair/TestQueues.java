package dev.perch.kernel.fair;

import dev.perch.kernel.TaskTable;
import dev.perch.kernel.load.IdleTime;
import java.util.Map;

/** Runqueues to test with, scaled for a machine of a number of CPUs that is not theirs. */
final class TestQueues {
    private TestQueues() {}

    /**
     * @param online CPUs that tunables are scaled for
     * @param settings feature bits ({@code NEXT_BUDDY}, {@code NO_LAST_BUDDY}) and tunables ({@code sched_latency_ns=1}), separated by
     *     commas
     */
    static Runqueue[] of(String rules, TaskTable tasks, int cpus, int online, int hz, String settings) {
        return machine(rules, tasks, cpus, online, hz, settings, TaskGroups.NONE)
                .byCpu();
    }

    static Runqueue one(String rules, TaskTable tasks, int online, String settings) {
        return of(rules, tasks, 1, online, 250, settings)[0];
    }

    static Runqueues machine(
            String rules, TaskTable tasks, int cpus, int online, int hz, String settings, TaskGroups groups) {
        Map<String, Boolean> features = new java.util.TreeMap<>();
        Map<String, Long> tunables = new java.util.TreeMap<>();
        for (String setting : settings.isEmpty() ? new String[0] : settings.split(",")) {
            int equals = setting.indexOf('=');
            if (equals > 0) {
                tunables.put(setting.substring(0, equals), Long.parseLong(setting.substring(equals + 1)));
            } else {
                boolean off = setting.startsWith("NO_");
                features.put(off ? setting.substring(3) : setting, !off);
            }
        }
        Scheduler scheduler = Scheduler.of(rules, features, tunables, online, hz);
        GroupWeights weights = GroupWeights.ofThisMoment(groups.groups().size(), cpus);
        return new Runqueues(scheduler, IdleTime.Form.CLAMPED, tasks, cpus, groups, weights);
    }

    /** When the first timer of a machine expires. */
    static long due(Runqueues machine) {
        long due = Long.MAX_VALUE;
        for (int timer = 0; timer < machine.timers(); timer++) {
            due = Math.min(due, machine.due(timer));
        }
        return due;
    }

    /** Lets the timers expire that are due. */
    static void expire(Runqueues machine, long now) {
        for (int timer = 0; timer < machine.timers(); timer++) {
            if (machine.due(timer) <= now) {
                machine.expire(timer, now);
            }
        }
    }
}
