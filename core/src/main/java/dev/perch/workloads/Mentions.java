package dev.perch.workloads;

import dev.perch.model.Nearest;
import dev.perch.sim.workload.DescribedTask;
import dev.perch.sim.workload.Step;
import dev.perch.yaml.YamlNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the phases of a YAML workload mention, to see at the end whether it fits together. */
final class Mentions {
    private final Map<String, YamlNode> taken = new LinkedHashMap<>();
    private final Set<String> given = new HashSet<>();
    private final Map<String, YamlNode> forks = new LinkedHashMap<>();
    private final SortedMap<String, Integer> barriers = new TreeMap<>();
    private final Map<String, YamlNode> barrierTasks = new HashMap<>();
    private boolean counted;

    /** Something is put into a thing, or taken out of it. */
    void direction(String kind, String name, boolean in, YamlNode where) {
        String thing = kind + " '" + name + "'";
        if (in) {
            given.add(thing);
        } else {
            taken.putIfAbsent(thing, where);
        }
    }

    void fork(String task, YamlNode where) {
        forks.putIfAbsent(task, where);
    }

    void counts() {
        counted = true;
    }

    boolean isCounted() {
        return counted;
    }

    /** All copies of a task must come to a barrier that it mentions. */
    void barrier(String name, String task, int copies, YamlNode where) {
        if (barrierTasks.putIfAbsent(task + ' ' + name, where) == null) {
            barriers.merge(name, copies, Integer::sum);
        }
    }

    /** How many must come to each barrier. */
    SortedMap<String, Integer> barriers() {
        return barriers;
    }

    /**
     * @param tasks by name
     * @throws dev.perch.model.InputException something that would wait for ever, or is never used
     */
    void check(Map<String, DescribedTask> tasks, Map<String, YamlNode> taskNodes) {
        taken.forEach((thing, where) -> {
            if (!given.contains(thing)) {
                throw where.error("nothing ever comes out of " + thing + ": no task puts anything into it");
            }
        });
        forks.forEach((task, where) -> {
            if (!tasks.containsKey(task)) {
                throw where.error("'" + task + "' is no task of this file", Nearest.hint(task, tasks.keySet()));
            }
            barrierTasks.forEach((mention, node) -> {
                if (mention.startsWith(task + ' ')) {
                    throw node.error(
                            "task '" + task + "' is forked and cannot use a barrier; nobody knows how many come");
                }
            });
        });
        tasks.forEach((name, task) -> {
            if (task.copies() == 0 && !forks.containsKey(name)) {
                throw node(taskNodes, name).error("task '" + name + "' has copies: 0 and is never forked");
            }
            if (isEndless(task)) {
                throw node(taskNodes, name)
                        .error("task '" + name + "' loops forever without taking time", "; give it something to do");
            }
        });
    }

    private static YamlNode node(Map<String, YamlNode> nodes, String name) {
        YamlNode node = nodes.get(name);
        if (node == null) {
            throw new IllegalStateException("no task " + name);
        }
        return node;
    }

    private static boolean isEndless(DescribedTask task) {
        return task.steps().stream().anyMatch(step -> step instanceof Step.Loop loop && isEndless(loop));
    }

    /** Whether some loop without end does nothing but count. */
    private static boolean isEndless(Step.Loop loop) {
        return loop.times() == Step.Loop.FOREVER && loop.steps().stream().noneMatch(Mentions::takesTime)
                || loop.steps().stream().anyMatch(step -> step instanceof Step.Loop inner && isEndless(inner));
    }

    private static boolean takesTime(Step step) {
        return step instanceof Step.Loop loop
                ? loop.steps().stream().anyMatch(Mentions::takesTime)
                : !(step instanceof Step.Count);
    }
}
