package dev.perch.workloads;

import dev.perch.kernel.fair.TaskGroups.Limit;
import dev.perch.model.InputException;
import dev.perch.sim.workload.GroupSettings;
import dev.perch.yaml.YamlMap;
import dev.perch.yaml.YamlNode;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads what a YAML workload says of task groups: their weights and limits, and which group a task is in. */
final class GroupReader {
    private static final long MS = 1_000_000;

    private GroupReader() {}

    /**
     * The groups of a workload, by path.
     *
     * @throws InputException with the line, a setting that does not exist or is out of range
     */
    static SortedMap<String, GroupSettings> read(YamlMap root) {
        SortedMap<String, GroupSettings> groups = new TreeMap<>();
        if (root.has("groups")) {
            root.map("groups").entries().forEach((path, node) -> {
                if (groups.put(path(path, node), settings(node.asMap())) != null) {
                    throw node.error("group '" + path + "' stands twice");
                }
            });
        }
        return groups;
    }

    /** The path of a task's group; empty if it names none. */
    static String of(YamlMap task) {
        return task.has("group") ? path(task.string("group"), task.value("group")) : "";
    }

    /** A path of a group below the root, without {@code /} at its ends. */
    static String path(String path, YamlNode where) {
        try {
            String normalised = GroupSettings.normalised(path);
            if (normalised.isEmpty()) {
                throw new InputException("'" + path + "' is the root group, where tasks without a group are");
            }
            return normalised;
        } catch (InputException e) {
            throw where.error(e.getMessage());
        }
    }

    private static GroupSettings settings(YamlMap map) {
        int weight = map.has("weight")
                ? map.integer("weight", GroupSettings.LEAST_WEIGHT, GroupSettings.MOST_WEIGHT)
                : GroupSettings.DEFAULT.weight();
        boolean idle = map.optionalBool("idle").orElse(false);
        Limit limit = map.has("quota") ? limit(map) : Limit.NONE;
        map.refuseOthers();
        return new GroupSettings(weight, idle, limit);
    }

    private static Limit limit(YamlMap map) {
        long quota = time(map, "quota", MS, Long.MAX_VALUE, 0);
        long period = time(map, "period", MS, 1000 * MS, Limit.NONE.periodNs());
        return new Limit(quota, period, time(map, "burst", 0, quota, 0));
    }

    private static long time(YamlMap map, String key, long least, long most, long otherwise) {
        if (!map.has(key)) {
            return otherwise;
        }
        long ns = PhaseReader.time(map.value(key), true);
        if (ns < least || ns > most) {
            throw map.value(key)
                    .error(map.value(key).path() + " must be "
                            + (ns < least ? "at least " + least / MS : "at most " + most / MS) + " ms");
        }
        return ns;
    }
}
