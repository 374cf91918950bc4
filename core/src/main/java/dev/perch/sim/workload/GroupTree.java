package dev.perch.sim.workload;

import dev.perch.kernel.fair.TaskGroups;
import dev.perch.model.InputException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The task groups of a run, made as they are named: one tree of cgroups for all that runs side by side, and sessions beside it. Group 0 is
 * the root. A path is names with {@code /} between them; one at its beginning or end makes no difference.
 */
final class GroupTree {
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<Entry> entries = new ArrayList<>();

    /** A group below the root; without settings nobody has said any. */
    private record Entry(String path, int parent, Optional<GroupSettings> settings) {}

    /**
     * The number of a group, which is made with those above it if it is new.
     *
     * @throws InputException if it is no path
     */
    int number(String path) {
        String name = GroupSettings.normalised(path);
        if (name.isEmpty()) {
            return 0;
        }
        Integer known = numbers.get(name);
        if (known != null) {
            return known;
        }
        int slash = name.lastIndexOf('/');
        int parent = slash < 0 ? 0 : number(name.substring(0, slash));
        entries.add(new Entry(name, parent, Optional.empty()));
        numbers.put(name, entries.size());
        return entries.size();
    }

    /**
     * Says what a group is told.
     *
     * @throws InputException if it was told something else before, or is the root
     */
    void describe(String path, GroupSettings settings) {
        int number = number(path);
        if (number == 0) {
            throw new InputException("the root group has neither weight nor limit; name a group below it");
        }
        Entry entry = entries.get(number - 1);
        if (entry.settings().isPresent() && !entry.settings().get().equals(settings)) {
            throw new InputException("group '" + entry.path()
                    + "' is given twice with different weights or limits; give them once, or use another name");
        }
        entries.set(number - 1, new Entry(entry.path(), entry.parent(), Optional.of(settings)));
    }

    /** The group of a new session ({@code sched_autogroup_create_attach}). */
    int session() {
        entries.add(new Entry("", 0, Optional.empty()));
        return entries.size();
    }

    /** Where a group stands; empty for the root and for sessions. */
    String path(int number) {
        return number == 0 ? "" : entries.get(number - 1).path();
    }

    TaskGroups build() {
        List<TaskGroups.Group> groups = new ArrayList<>();
        for (Entry entry : entries) {
            groups.add(entry.settings().orElse(GroupSettings.DEFAULT).under(entry.parent()));
        }
        return new TaskGroups(groups);
    }
}
