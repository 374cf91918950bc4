package dev.perch.sim.workload;

import dev.perch.kernel.fair.TaskGroups;
import dev.perch.kernel.fair.TaskGroups.Limit;
import dev.perch.model.InputException;

/**
 * What a cgroup is told of the CPU ({@code cpu.weight}, {@code cpu.idle}, {@code cpu.max}, {@code cpu.max.burst}).
 *
 * @param weight 1 to 10000, against the groups and tasks beside it; 100 are a nice-0 task's
 * @param idle the whole group counts as SCHED_IDLE
 * @param limit how long its tasks may run in each period
 */
public record GroupSettings(int weight, boolean idle, Limit limit) {
    /** Least and greatest {@code cpu.weight}. */
    public static final int LEAST_WEIGHT = 1;

    public static final int MOST_WEIGHT = 10_000;

    /** What a new cgroup has. */
    public static final GroupSettings DEFAULT = new GroupSettings(100, false, Limit.NONE);

    /**
     * A path without {@code /} at its ends.
     *
     * @throws InputException if a name in it is empty or holds blanks
     */
    public static String normalised(String path) {
        String name = path.replaceFirst("^/", "").replaceFirst("/$", "");
        if (!name.isEmpty() && !name.matches("[^/\\s]+(/[^/\\s]+)*")) {
            throw new InputException(
                    "'" + path + "' is no path of a group; write names with / between them, as in db/log");
        }
        return name;
    }

    /** The group with these settings below another. */
    TaskGroups.Group under(int parent) {
        int shares = TaskGroups.Group.ofWeight(parent, weight).shares();
        return new TaskGroups.Group(parent, shares, idle, limit);
    }
}
